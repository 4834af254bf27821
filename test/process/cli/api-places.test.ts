import { expect, test } from "bun:test";
import { createDesk, parseLines } from "./support.ts";

const desk = createDesk();

const asker = `export default (amp) => {
	amp.registerTool({ name: "judge", description: "", inputSchema: { type: "object" }, async execute() {
		const helper = async () => {
			await Bun.sleep(1);
			return await amp.ai.ask("really?");
		};
		return (await helper()).result;
	} });
	amp.registerCommand("gone", { title: "" }, async () => {
		await amp.threads.get("T-404").messages();
	});
	amp.registerCommand("odd", { title: "" }, async () => {
		await amp.ai.ask("");
	});
	amp.registerCommand("careless", { title: "" }, () => {
		void amp.ai.ask("unheard");
		return amp.ai.ask("heard").catch(() => {});
	});
	amp.on("agent.start", async (_, ctx) => {
		await ctx.ai.ask("now?");
	});
};
`;

const brood = (...parameters: string[]) => desk.run(["--no-places", "-p", "asker.ts", ...parameters]);

test("a call of the API that rejects has the plugin's line, its name and what was called, in words and in JSON", async () => {
	await desk.write({ "asker.ts": asker });
	const people = await brood("call", "judge");
	expect(people.stderr).toContain(
		'error: Tool "judge" of plugin "asker" failed: ai.ask has no provider in this host.\n',
	);
	expect(people.stderr).toMatch(
		/asker\.ts:5:\d+\n[\s\S]*> 5 \| \t\t\treturn await amp\.ai\.ask\("really\?"\);\n[\s\S]*\n {2}hint: Set BROOD_AI_URL/,
	);
	expect(people.exitCode).toBe(5);
	const programs = await brood("call", "judge", "--json");
	expect(parseLines(programs.stderr).at(-1)).toMatchObject({
		error: { code: "provider_missing", plugin: "asker", positions: [{ file: desk.path("asker.ts"), line: 5 }] },
	});
});

test("so has one that a handle of a thread makes, and one that is refused before the host is asked", async () => {
	await desk.write({ "asker.ts": asker });
	const gone = await brood("run", "gone");
	expect(gone.stderr).toContain('error: Command "gone" of plugin "asker" failed: There is no thread "T-404".\n');
	expect(gone.stderr).toContain('> 10 | \t\tawait amp.threads.get("T-404").messages();');
	const odd = await brood("run", "odd");
	expect(odd.stderr).toContain('> 13 | \t\tawait amp.ai.ask("");');
});

test("one that nobody awaited, and one in a handler of an event, are told with their place", async () => {
	await desk.write({ "asker.ts": asker });
	const careless = await brood("run", "careless");
	expect(careless.stderr).toMatch(/amp call ai\.ask failed and nobody awaited it: .*asker\.ts:16:\d+\)/);
	const emitted = await brood("emit", "agent.start", "--data", '{"message":"hi"}');
	expect(emitted.stderr).toMatch(/The handler of agent\.start of plugin "asker" failed: .*asker\.ts:20:\d+\)/);
});

test("one that rejects while the plugin loads has its line too", async () => {
	await desk.write({ "asker.ts": 'export default async (amp) => {\n\tawait amp.ai.ask("at once");\n};\n' });
	const { stderr, exitCode } = await brood("list");
	expect(stderr).toContain('> 2 | \tawait amp.ai.ask("at once");');
	expect(exitCode).toBe(4);
});

test("the plugin itself finds its own line first in the stack, and the error as it was", async () => {
	const source = `export default (amp) => amp.registerCommand("look", { title: "" }, async (ctx) => {
	try {
		await ctx.ui.input({ title: "t" });
	} catch (error) {
		const [head, first] = error.stack.split("\\n");
		console.log(JSON.stringify({ head, first, code: error.code, name: error.name }));
	}
});`;
	await desk.write({ "asker.ts": source });
	const { stderr } = await brood("run", "look");
	const told = JSON.parse(/\{"head".*\}/.exec(stderr)?.[0] ?? "{}");
	expect(told).toMatchObject({ code: "ui_not_available", first: expect.stringContaining("asker.ts:3:") });
	expect(told.head).toStartWith(`${told.name}: Plugin UI not available`);
});
