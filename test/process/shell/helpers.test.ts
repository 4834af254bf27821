import { expect, test } from "bun:test";
import type { Providers } from "../../../host/contracts/providers.ts";
import type { JsonObject } from "../../../runtime/records.ts";
import { createBench } from "../support/host.ts";

const bench = createBench();

/** A plugin that answers each event with what the helpers make of it. */
const watcher = `export default (amp) => {
	const { shellCommandFromToolCall, filesModifiedByToolCall, toolCallsInMessages, filePathFromURI } = amp.helpers;
	const seen = (event) => JSON.stringify({
		command: shellCommandFromToolCall(event),
		files: filesModifiedByToolCall(event)?.map(filePathFromURI) ?? null,
		uris: filesModifiedByToolCall(event)?.map(String) ?? null,
	});
	amp.on("tool.call", (event) => ({ action: "error", message: seen(event) }));
	amp.on("tool.result", (event) => ({ status: event.status, output: seen(event) }));
	amp.on("agent.end", ({ messages }) => ({ action: "continue", userMessage: JSON.stringify(toolCallsInMessages(messages)) }));
};`;

const asker = `export default (amp) => {
	amp.registerTool({ name: "ask", description: "", inputSchema: { type: "object" }, execute: async () => {
		const refused = await amp.ui.confirm({ title: "Sure?" }).catch((error) => error);
		const other = await amp.ai.ask("Sure?").catch((error) => error);
		return JSON.stringify([refused, other, null].map(amp.helpers.isPluginUINotAvailableError));
	} });
};`;

type Seen = { command: unknown; files: string[] | null; uris?: string[] | null };

const patch =
	"*** Begin Patch\n*** Add File: n.ts\n+x\n*** Update File: o.ts\n*** Move to: m.ts\n*** Delete File: d.ts\n*** End Patch";

const seds: [command: string, files: string[] | null][] = [
	["sed -i s/a/b/ f", ["W/f"]],
	["A=1 sed -i.bak -e s/a/b/ -e s/c/d/ f *.g", ["W/f", "W/*.g"]],
	["sed -i '' s/a/b/ f", ["W/f"]],
	["sed --in-place=.x s/a/b/ f; sed -Ei s/a/b/ /g", ["W/f", "/g"]],
	["cd sub && sed -ni p f", ["W/sub/f"]],
	["sed s/a/b/ f", null],
];

type Row = [tool: string, input: JsonObject, seen: Seen];

// The root of the workspace stands as W.
const rows: Row[] = [
	["Bash", { cmd: "ls" }, { command: { command: "ls" }, files: null }],
	["Bash", { cmd: "ls", cwd: "/x" }, { command: { command: "ls", dir: "/x" }, files: null }],
	["shell_command", { command: "ls", workdir: "s" }, { command: { command: "ls", dir: "s" }, files: null }],
	["Bash", { command: "ls" }, { command: null, files: null }],
	["shell_command", { command: 5 }, { command: null, files: null }],
	["edit_file", { path: "a b.ts" }, { command: null, files: ["W/a b.ts"], uris: ["file://W/a%20b.ts"] }],
	["create_file", { path: "/abs/ü.ts" }, { command: null, files: ["/abs/ü.ts"], uris: ["file:///abs/%C3%BC.ts"] }],
	["create_file", { file_path: "x.ts" }, { command: null, files: ["W/x.ts"] }],
	["apply_patch", { patchText: patch }, { command: null, files: ["W/n.ts", "W/o.ts", "W/m.ts", "W/d.ts"] }],
	["Read", { path: "a.ts" }, { command: null, files: null }],
	...seds.map(([cmd, files]): Row => ["Bash", { cmd }, { command: { command: cmd }, files }]),
];

test("the helpers read what the events of a real host carry, calls and results alike", async () => {
	const { host } = await bench.start({ watcher });
	const root = bench.path("..").replace(/\/shared\/\.\.$|\/$/, "");
	const expected = (seen: Seen) => JSON.parse(JSON.stringify(seen).replaceAll("W/", `${root}/`));
	for (const [tool, input, seen] of rows) {
		const call = { toolUseID: "1", tool, input };
		const [asked, answered] = await Promise.all([
			host.emit("tool.call", call),
			host.emit("tool.result", { ...call, status: "error", error: "no" }),
		]);
		const { message } = asked.result as { message: string };
		const { output } = answered.result as { output: string };
		expect({ tool, input, ...JSON.parse(message) }).toMatchObject({ tool, input, ...expected(seen) });
		expect(output).toBe(message);
	}
});

test("the calls in the messages of a turn are paired with their final results", async () => {
	const { host } = await bench.start({ watcher });
	const use = (id: string) => ({ type: "tool_use", id, name: "Bash", input: { cmd: id } });
	const done = (toolUseID: string, status: string) => ({ type: "tool_result", toolUseID, status, output: "o" });
	const messages = [
		{ role: "user", id: "m1", content: "text" },
		{ role: "assistant", id: "m2", content: [{ type: "text", text: "t" }, use("1"), use("2"), use("3"), use("4")] },
		{ role: "user", id: "m3", content: [done("2", "cancelled"), done("3", "running"), done("0", "done")] },
		{ role: "user", id: "m4", content: [done("1", "done"), done("3", "pending")] },
	];
	const { result } = await host.emit("agent.end", { message: "m", id: "1", status: "done", messages });
	const pairs: { call: { toolUseID: string }; result: { status: string } }[] = JSON.parse(
		(result as { userMessage: string }).userMessage,
	);
	expect(pairs.map((pair) => [pair.call.toolUseID, pair.result.status])).toEqual([
		["2", "cancelled"],
		["1", "done"],
	]);
});

test("a plugin can tell that there is no UI from another failure, across the process boundary", async () => {
	const { host } = await bench.start({ asker });
	expect((await host.tools.call("ask", {})).text).toBe("[true,false,false]");
});

test("a UI that answers is no error", async () => {
	const ui: NonNullable<Providers["ui"]> = {
		available: true,
		notify: async () => {},
		input: async () => undefined,
		confirm: async () => true,
		form: async () => undefined,
		select: async () => undefined,
	};
	const { host } = await bench.start({ asker }, { providers: { ui } });
	expect((await host.tools.call("ask", {})).text).toBe("[false,false,false]");
});
