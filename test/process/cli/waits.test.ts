import { expect, test } from "bun:test";
import { createDesk } from "./support.ts";

const desk = createDesk();

/** Starts a command and gives its stderr as it comes. */
function start(...parameters: string[]) {
	const child = desk.start(["--no-places", "-p", "p", ...parameters]);
	let stderr = "";
	let arrived = Promise.withResolvers<void>();
	const whole = (async () => {
		for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
			stderr += text;
			arrived.resolve();
			arrived = Promise.withResolvers();
		}
		return stderr;
	})();
	return {
		child,
		whole,
		async prints(text: string): Promise<void> {
			while (!stderr.includes(text)) {
				const ended = await Promise.race([arrived.promise, whole.then(() => true)]);
				if (ended && !stderr.includes(text)) throw new Error(`never printed ${text}, but:\n${stderr}`);
			}
		},
	};
}

test("a command that waits for a plugin to load names it, unless quiet or for programs", async () => {
	await desk.write({
		"p/good.ts": "export default () => {};",
		"p/never.ts": "await new Promise(() => {}); export default () => {};",
	});
	const limit = ["--ready-timeout", "1700"];
	const commands = [
		["call", "greet"],
		["-q", "list"],
		["--json", "list"],
	];
	const [plain, ...others] = await Promise.all(commands.map((command) => start(...limit, ...command).whole));
	expect(plain).toMatch(/^waiting for .*never: (?:import|start of its process).* …$/m);
	for (const stderr of others) expect(stderr).not.toContain("waiting for");
});

test("a blocked plugin that keeps Ctrl-C waiting is named, with the way to end it at once, which works", async () => {
	await desk.write({
		"p/blocked.ts": `export default (amp) => amp.registerTool({
			name: "block", description: "", inputSchema: { type: "object" },
			execute() { console.error("blocks now"); for (;;) {} },
		});`,
	});
	const { child, prints, whole } = start("call", "block");
	await prints("[blocked] blocks now");
	child.kill("SIGINT");
	await prints("stopping blocked …; Ctrl-C again ends it at once\n");
	child.kill("SIGINT");
	expect(await child.exited).toBe(130);
	expect(await whole).not.toContain("did not");
});

test("a plugin that is slow to dispose after all is done is named too, but not to who wants quiet", async () => {
	const slow = "amp.onDispose(() => Bun.sleep(1_500));";
	await desk.write({ "p/slow.ts": `export default (amp) => { ${slow} };` });
	const [stderr, quiet] = await Promise.all([start("list").whole, start("-q", "list").whole]);
	expect(stderr).toContain("stopping slow …; Ctrl-C twice ends it at once\n");
	expect(quiet).toBe("");
});

test("the help names the variables that brood reads", async () => {
	const { stdout } = await desk.run(["--help"]);
	expect(stdout).toMatch(/^ {2}BROOD_LOG .*warn,notes=debug/m);
	expect(stdout).toMatch(/^ {2}BROOD_BUN .*Bun/m);
});
