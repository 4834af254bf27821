import { beforeEach, describe, expect, test } from "bun:test";
import { driveDev, version } from "./dev-support.ts";
import { createDesk } from "./support.ts";

const desk = createDesk();
const key = {
	enter: "\r",
	escape: "\u001b",
	down: "\u001b[B",
	backspace: "\u007f",
};

const greeter = `
export default (amp) => {
	amp.registerTool({
		name: "greet",
		description: "Greets people",
		inputSchema: {
			type: "object",
			required: ["name"],
			properties: {
				name: { type: "string", description: "Who is greeted" },
				times: { type: "integer" },
				mood: { enum: ["glad", "sad"] },
				loud: { type: "boolean" },
				more: { type: "array" },
			},
		},
		execute: (input) => "got " + JSON.stringify(input),
	});
	amp.registerTool({ name: "fail", description: "", inputSchema: { type: "object" }, execute: () => { throw new RangeError("out of reach"); } });
	amp.registerCommand("ask", { title: "Ask" }, async ({ ui }) => {
		console.log("a line behind the dialog");
		await ui.notify("the answer is " + (await ui.confirm({ title: "Sure?" })));
	});
	amp.on("tool.call", ({ tool, input }) => ({ action: "modify", input: { ...input, seen: tool } }));
	amp.onDispose(() => console.log("disposed"));
};
`;

beforeEach(() => desk.write({ "greeter.ts": greeter }));

/** In a terminal, when keys are heard. */
async function driven(...parameters: string[]) {
	const dev = driveDev(desk, ["dev", ...parameters]);
	await dev.see("h help, q quit");
	return dev;
}

describe("the keys", () => {
	test("h tells them, and q ends it in good order with the terminal as it was", async () => {
		await using dev = await driven("greeter.ts");
		dev.type("h");
		await dev.see("c  call a tool or run a command");
		dev.type("xq");
		await dev.see("[greeter] disposed");
		expect(await dev.ended()).toBe(0);
		expect(dev.isRestored()).toBe(true);
		expect(dev.plain()).not.toContain("error:");
	});

	test("r reloads the only plugin at once, one of several by choice, or all of them", async () => {
		await desk.write({ "other.ts": version("a", 1) });
		await using one = await driven("greeter.ts");
		one.type("r");
		await one.see("reload   greeter  ");
		one.type("q");
		expect(await one.ended()).toBe(0);
		await using both = await driven("greeter.ts", "other.ts");
		both.type("r");
		await both.see("Reload which?");
		await both.see("○ other");
		both.type(key.down + key.down + key.enter);
		await both.see("reload   other  ");
		both.type("r");
		await both.see("● all plugins");
		both.type(key.enter);
		await both.see("reload   ");
		await both.see("reload   ");
		expect(both.plain().match(/reload {3}greeter/g)).toHaveLength(1);
	});

	test("r of a plugin whose new version fails says that the old one serves", async () => {
		await desk.write({
			"flag.json": "1",
			"slow.ts": `import { readFileSync } from "node:fs";\n${version("a", 1, 'if (readFileSync("flag.json", "utf8") === "2") throw new Error("not today");')}`,
		});
		await using dev = await driven("slow.ts");
		await desk.write({ "flag.json": "2" });
		dev.type("r");
		await dev.see("kept     slow  ");
		await dev.see("the old version still serves");
		await dev.see("not today");
	});

	test("l shows the log of a plugin, with times", async () => {
		await desk.write({ "other.ts": version("a", 1, 'console.log("from the other");') });
		await using dev = await driven("greeter.ts", "other.ts");
		dev.type("l");
		await dev.see("Show the log of which?");
		await dev.see("○ other");
		dev.type(key.down + key.enter);
		await dev.see("[other] from the other");
		expect(dev.plain()).toMatch(/^\d\d:\d\d:\d\d \[other\] from the other$/m);
	});

	test("e emits an event with the data that was typed, which stands there the next time", async () => {
		await using dev = await driven("greeter.ts");
		dev.type("e");
		await dev.see("Emit which event?");
		await dev.see("tool.call — handled by greeter");
		dev.type(key.down + key.enter);
		await dev.see('{"tool":"Bash","input":{"command":"ls"}}');
		dev.type(`${key.backspace.repeat(60)}[1]${key.enter}`);
		await dev.see("Not so: it is a JSON object");
		await dev.see("[1]█");
		dev.type(`${key.backspace.repeat(3)}{"tool":"X","input":{}}${key.enter}`);
		await dev.see('emit tool.call {"tool":"X","input":{}}');
		await dev.see('"seen":"X"');
		dev.type("e");
		await dev.see("● tool.call");
		dev.type(key.enter);
		await dev.see('{"tool":"X","input":{}}');
	});
});

describe("c", () => {
	test("calls a tool with what a form by its schema has asked, and remembers it", async () => {
		await using dev = await driven("greeter.ts");
		const answer = async (question: string, typed: string) => {
			await dev.see(question);
			dev.type(typed);
		};
		dev.type("c");
		await answer("○ tool fail", key.enter);
		await dev.see("Who is greeted");
		await answer("greet › name (text)", `Ada${key.enter}`);
		await answer("greet › times (integer, optional)", `many${key.enter}`);
		await dev.see("Not so: it is a whole number.");
		await answer("many█", `${key.backspace.repeat(4)}3${key.enter}`);
		await answer("greet › mood", key.down + key.down + key.enter);
		await answer("greet › loud (boolean, optional)", key.enter);
		await answer("greet › more (array, optional)", key.enter);
		await dev.see('got {"name":"Ada","times":3,"mood":"sad","seen":"greet"}');
		await dev.see('Tool "greet" of plugin "greeter" took');
		dev.type("c");
		await answer("● tool greet", key.enter);
		await answer("Ada", `!${key.enter}`);
		await answer("times", key.enter);
		await answer("● sad", key.enter);
		await answer("● (left out)", key.down + key.enter);
		await answer("more", `[1]${key.enter}`);
		await dev.see('got {"name":"Ada!","times":3,"mood":"sad","loud":true,"more":[1],"seen":"greet"}');
	});

	test("tells why a tool failed, with the place, and goes on", async () => {
		await using dev = await driven("greeter.ts");
		dev.type("c");
		await dev.see("○ tool fail");
		dev.type(key.down + key.enter);
		await dev.see('error: Tool "fail" of plugin "greeter" failed: RangeError: out of reach');
		await dev.see("^");
		dev.type("h");
		await dev.see("q  quit");
	});

	test("runs a command whose dialog has the screen and the keys for itself", async () => {
		await using dev = await driven("greeter.ts");
		dev.type("c");
		await dev.see("○ command greeter:ask — Ask");
		dev.type(key.down + key.down + key.enter);
		await dev.see("[greeter] Sure?");
		// Keys of the command are none in here.
		dev.type("hy");
		await dev.see("[greeter] the answer is true");
		await dev.see('Command "greeter:ask" took');
		expect(dev.plain()).not.toContain("q  quit");
		// What was chosen last is at hand.
		dev.type("c");
		await dev.see("● command greeter:ask");
		dev.type(key.escape);
		await dev.see("Call which");
		dev.type("q");
		expect(await dev.ended()).toBe(0);
		expect(dev.isRestored()).toBe(true);
	});

	test("is left by Escape", async () => {
		await using dev = await driven("greeter.ts");
		dev.type("c");
		await dev.see("Call which");
		dev.type(key.escape);
		await dev.see("Call which");
		dev.type("h");
		await dev.see("q  quit");
		expect(dev.plain()).not.toContain("error:");
	});
});

test("an error stays in sight below all other lines until a good save", async () => {
	await using dev = await driven("greeter.ts");
	await desk.write({ "greeter.ts": "export default (amp) => {\n\tconst a = ;\n};\n" });
	const line = "greeter serves its old version: greeter.ts:2:12 Unexpected ;";
	await dev.see("const a = ;");
	await dev.see(line);
	dev.type("h");
	await dev.see("q  quit");
	await dev.see(line);
	dev.type("c");
	await dev.see("Call which");
	dev.type(key.escape);
	await dev.see(line);
	await desk.write({ "greeter.ts": greeter.replace("Greets people", "Greets you") });
	await dev.see("reload   greeter  greeter.ts");
	const after = dev.plain().length;
	dev.type("h");
	await dev.see("q  quit");
	expect(dev.plain().slice(after)).not.toContain("serves its old version");
	// It is taken away before each other line.
	expect(dev.raw()).toContain(`${line}\r\u001b[2K`);
	// The line that tells of the good save does not bring it back.
	const mended = dev.raw().lastIndexOf("reload   greeter");
	expect(dev.raw().lastIndexOf("serves its old version")).toBeLessThan(mended);
});

test("what a plugin throws as it loads stays in sight with its place, and in few words", async () => {
	await using dev = await driven("greeter.ts");
	await desk.write({ "greeter.ts": '\nthrow new Error("boom at load");\n' });
	await dev.see("greeter serves its old version: ");
	await dev.see("Error: boom at load");
	expect(dev.plain()).toMatch(/old version: greeter\.ts:2:\d+ Error: boom at load/);
});
