import { expect } from "bun:test";
import { createSamples } from "./support.ts";

const sample = createSamples();

sample("guards-commands", "rejects what either shell tool would run, and says where", async ({ load }) => {
	const { host } = await load();
	const decided = async (tool: string, input: Record<string, string>) =>
		(await host.emit("tool.call", { tool, input })).result;
	expect(await decided("Bash", { cmd: "git push --force", cwd: "/repo" })).toEqual({
		action: "reject-and-continue",
		message: "No forced push in /repo. Use --force-with-lease.",
	});
	expect(await decided("shell_command", { command: "git push --force" })).toMatchObject({
		action: "reject-and-continue",
	});
	expect(await decided("shell_command", { command: "git push --force-with-lease" })).toBeNull();
	expect(await decided("Read", { path: "git push --force" })).toBeNull();
});

sample("modifies-input", "bounds a search that has no bound", async ({ load }) => {
	const { host } = await load();
	const decided = async (input: Record<string, string | number>) =>
		(await host.emit("tool.call", { tool: "Grep", input })).result;
	expect(await decided({ pattern: "x" })).toEqual({ action: "modify", input: { pattern: "x", limit: 100 } });
	expect(await decided({ pattern: "x", limit: 3 })).toBeNull();
});

sample("synthesizes-result", "answers in place of a program that would wait for a person", async ({ load }) => {
	const { host } = await load();
	const outcome = await host.turn({
		message: "edit it",
		tools: [
			{
				tool: "Bash",
				input: { cmd: "vim a.txt" },
				result: "never",
				expect: { source: "gate", output: "vim a.txt: not a terminal" },
			},
		],
	});
	expect(outcome.failures).toEqual([]);
});

sample("errors-a-call", "ends a call with an error, which the tool never sees", async ({ load }) => {
	const { host } = await load();
	const read = { tool: "Read", input: { path: "/app/.env" } };
	expect((await host.emit("tool.call", read)).result).toEqual({
		action: "error",
		message: "Read must not read /app/.env",
	});
	const outcome = await host.turn({
		message: "read it",
		tools: [
			{
				...read,
				result: "SECRET=1",
				expect: { decision: "error", gate: "errors-a-call", source: "gate", status: "error" },
			},
		],
	});
	expect(outcome.failures).toEqual([]);
});

sample("redacts-output", "gives back another output, and nothing where there is nothing to hide", async ({ load }) => {
	const { host } = await load();
	const seen = async (output: string) =>
		(await host.emit("tool.result", { tool: "Read", input: {}, status: "done", output })).result;
	expect(await seen("by ada@example.com and bob")).toMatchObject({ status: "done", output: "by <address> and bob" });
	const { handlers } = await host.emit("tool.result", { tool: "Read", input: {}, status: "done", output: "by nobody" });
	expect(handlers[0]).not.toHaveProperty("result");
});

sample("continues-until-green", "makes the turn go on while tests fail, twice at most", async ({ load }) => {
	const { host } = await load();
	const run = { tool: "Bash", input: { cmd: "bun test" } };
	const green = await host.turn({
		message: "fix it",
		tools: [{ ...run, error: "1 fail" }],
		rounds: [{ tools: [{ ...run, result: "0 fail" }] }],
	});
	expect({ rounds: green.rounds, failures: green.failures }).toEqual({ rounds: 2, failures: [] });
	const red = await host.turn({
		message: "fix it",
		tools: [{ ...run, error: "1 fail" }],
		rounds: [{}, {}],
	});
	expect({ rounds: red.rounds, failures: red.failures }).toEqual({ rounds: 3, failures: [] });
});

sample("formats-changed-files", "names each file that tools and sed have changed, once", async ({ load, path }) => {
	const { host, told } = await load();
	await host.turn({
		message: "edit",
		tools: [
			{ tool: "edit_file", input: { path: path("src/a.ts") }, result: "ok" },
			{ tool: "Bash", input: { cmd: "sed -i s/a/b/ src/b.ts src/a.ts" }, result: "" },
			{ tool: "Read", input: { path: path("src/c.ts") }, result: "text" },
			{
				tool: "apply_patch",
				input: { patchText: "*** Begin Patch\n*** Add File: new.ts\n+x\n*** End Patch" },
				result: "",
			},
		],
	});
	expect(told()).toEqual(["format src/a.ts src/b.ts new.ts"]);
});

sample("summarises-tools", "pairs the calls of a turn with what they came to", async ({ load }) => {
	const { host, told } = await load();
	await host.turn({
		message: "look",
		tools: [
			{ tool: "Read", input: { path: "a" }, result: "text" },
			{ tool: "Grep", input: { pattern: "x" }, error: "no such folder" },
		],
	});
	expect(told()).toEqual(["2 tools, failed: Grep"]);
});

sample("keeps-sessions", "sees sessions until it unsubscribes, and each turn of them", async ({ load }) => {
	const { host, told, until } = await load();
	for (const id of ["T-1", "T-2"]) await host.emit("session.start", { thread: { id } });
	if (host.plugins.get("keeps-sessions").events.includes("session.start")) {
		await until("registry", () => !host.plugins.get("keeps-sessions").events.includes("session.start"));
	}
	await host.emit("session.start", { thread: { id: "T-3" } });
	expect(told()).toEqual(["session 1", "session 2"]);
	const known = async (id: string) => (await host.emit("agent.start", { thread: { id }, message: "hi" })).result;
	expect(await known("T-1")).toMatchObject({ messages: [{ content: "Known session: true" }] });
	expect(await known("T-3")).toMatchObject({ messages: [{ content: "Known session: false" }] });
});
