import { expect, test } from "bun:test";
import { createHelpers } from "../../../child/helpers.ts";
import { fileURI } from "../../../child/uri.ts";
import { failure } from "../../../runtime/errors.ts";
import { fromWireError, toWireError } from "../../../runtime/wire-error.ts";

const helpers = createHelpers("/w");
const filesOf = (call: unknown, own = helpers) => own.filesModifiedByToolCall(call)?.map((uri) => uri.fsPath) ?? null;

// What plugins have been seen to pass, and worse.
const hostile = {
	get tool(): never {
		throw new Error("a getter that throws");
	},
};
const revoked = Proxy.revocable({}, {});
revoked.revoke();
const oddValues: unknown[] = [
	undefined,
	null,
	0,
	1n,
	"",
	"text",
	true,
	Symbol("x"),
	() => {},
	[],
	{},
	[null],
	[{}],
	{ tool: "Bash" },
	{ tool: "Bash", input: null },
	{ tool: "Bash", input: { cmd: 5 } },
	{ tool: "shell_command", input: { command: ["ls"] } },
	{ tool: "apply_patch", input: { patchText: {} } },
	{ tool: "edit_file", input: { path: 7 } },
	{ tool: {}, input: "x" },
	[{ content: [null, 1, { type: "tool_use" }, { type: "tool_result" }] }],
	Object.create(null),
	hostile,
	[hostile],
	revoked.proxy,
	{ toString: null },
	new URL("https://example.com/x"),
];

test("no helper throws, whatever it is given", () => {
	for (const value of oddValues) {
		expect(helpers.shellCommandFromToolCall(value)).toBeNull();
		expect(helpers.filesModifiedByToolCall(value)).toBeNull();
		expect(helpers.toolCallsInMessages(value)).toEqual([]);
		expect(helpers.isPluginUINotAvailableError(value)).toBe(false);
		expect(typeof helpers.filePathFromURI(value)).toBe("string");
	}
});

const commands: [string, unknown, unknown][] = [
	["Bash", { tool: "Bash", input: { cmd: "ls" } }, { command: "ls" }],
	["Bash in a folder", { tool: "Bash", input: { cmd: "ls", cwd: "/x" } }, { command: "ls", dir: "/x" }],
	["shell_command", { tool: "shell_command", input: { command: "ls" } }, { command: "ls" }],
	[
		"shell_command in a folder",
		{ tool: "shell_command", input: { command: "ls", workdir: "sub" } },
		{ command: "ls", dir: "sub" },
	],
	["a message block", { type: "tool_use", id: "1", name: "Bash", input: { cmd: "ls" } }, { command: "ls" }],
	["a folder that is no text", { tool: "Bash", input: { cmd: "ls", cwd: 5 } }, { command: "ls" }],
	["the key of the other tool", { tool: "Bash", input: { command: "ls" } }, null],
	["the key of the other tool", { tool: "shell_command", input: { cmd: "ls" } }, null],
	["another tool", { tool: "Read", input: { cmd: "ls" } }, null],
	["another case", { tool: "bash", input: { cmd: "ls" } }, null],
];

test.each(commands)("the shell command of a call: %s", (_, call, expected) => {
	expect(helpers.shellCommandFromToolCall(call)).toEqual(expected as never);
});

const patch = `*** Begin Patch
*** Add File: new/a b.ts
+*** Add File: not/this.ts
*** Update File: /abs/old.ts
*** Move to: moved.ts
@@
- x
*** Delete File: ../gone.ts
*** Update File: new/a b.ts
*** End Patch`;

const edits: [string, unknown, string[] | null][] = [
	["edit_file", { tool: "edit_file", input: { path: "src/a.ts" } }, ["/w/src/a.ts"]],
	["create_file", { tool: "create_file", input: { path: "/x/../y.ts" } }, ["/y.ts"]],
	["the key file_path", { tool: "create_file", input: { file_path: "./b.ts" } }, ["/w/b.ts"]],
	["a file URI", { tool: "edit_file", input: { path: "file:///a%20b.ts" } }, ["/a b.ts"]],
	["no path", { tool: "edit_file", input: {} }, null],
	["an empty path", { tool: "edit_file", input: { path: "" } }, null],
	[
		"a patch",
		{ tool: "apply_patch", input: { patchText: patch } },
		["/w/new/a b.ts", "/abs/old.ts", "/w/moved.ts", "/gone.ts"],
	],
	["a patch with CRLF", { tool: "apply_patch", input: { patchText: "*** Add File: a.ts\r\n+x\r\n" } }, ["/w/a.ts"]],
	["a patch that names nothing", { tool: "apply_patch", input: { patchText: "hello" } }, null],
	["another tool", { tool: "Read", input: { path: "a.ts" } }, null],
	["a shell command", { tool: "shell_command", input: { command: "sed -i s/a/b/ f" } }, ["/w/f"]],
	["a shell command in a folder", { tool: "Bash", input: { cmd: "sed -i s/a/b/ f", cwd: "sub" } }, ["/w/sub/f"]],
	["an empty folder", { tool: "Bash", input: { cmd: "sed -i s/a/b/ f", cwd: "" } }, ["/w/f"]],
	[
		"a result, like its call",
		{ toolUseID: "1", tool: "edit_file", input: { path: "a.ts" }, status: "error", error: "no" },
		["/w/a.ts"],
	],
];

test.each(edits)("the files that a call modifies: %s", (_, call, expected) => {
	expect(filesOf(call)).toEqual(expected);
});

test("without a workspace a relative file is left out", () => {
	const rootless = createHelpers(null);
	expect(filesOf({ tool: "edit_file", input: { path: "a.ts" } }, rootless)).toBeNull();
	expect(filesOf({ tool: "edit_file", input: { path: "/a.ts" } }, rootless)).toEqual(["/a.ts"]);
	const shell = { tool: "Bash", input: { cmd: "sed -i s/a/b/ f; sed -i s/a/b/ /g", cwd: "sub" } };
	expect(filesOf(shell, rootless)).toEqual(["/g"]);
	expect(filesOf({ ...shell, input: { ...shell.input, cwd: "/sub" } }, rootless)).toEqual(["/sub/f", "/g"]);
});

test("tool calls are paired by id in the order of their final results", () => {
	const use = (id: string, name: string) => ({ type: "tool_use", id, name, input: { id } });
	const result = (toolUseID: string, status: string, rest = {}) => ({
		type: "tool_result",
		toolUseID,
		status,
		...rest,
	});
	const pairs = helpers.toolCallsInMessages([
		{ role: "user", content: "text is no list of blocks" },
		{
			role: "assistant",
			content: [{ type: "text", text: "x" }, use("1", "Bash"), use("2", "Read"), use("3", "edit_file")],
		},
		{ role: "user", content: [result("2", "running"), result("3", "pending"), result("orphan", "done")] },
		{
			role: "user",
			content: [result("2", "error", { error: "no such file" }), result("1", "done", { output: { exitCode: 0 } })],
		},
		{ role: "assistant", content: [use("4", "Bash"), use("5", "Bash"), { type: "tool_use", id: "6", name: "odd" }] },
		{ role: "user", content: [result("5", "cancelled"), result("6", "done"), result("1", "error")] },
		{ role: "info", content: [{ type: "text", text: "y" }] },
	]);
	expect(pairs).toEqual([
		{
			call: { toolUseID: "2", tool: "Read", input: { id: "2" } },
			result: { toolUseID: "2", tool: "Read", input: { id: "2" }, status: "error", error: "no such file" },
		},
		{
			call: { toolUseID: "1", tool: "Bash", input: { id: "1" } },
			result: { toolUseID: "1", tool: "Bash", input: { id: "1" }, status: "done", output: { exitCode: 0 } },
		},
		{
			call: { toolUseID: "5", tool: "Bash", input: { id: "5" } },
			result: { toolUseID: "5", tool: "Bash", input: { id: "5" }, status: "cancelled" },
		},
		{
			call: { toolUseID: "6", tool: "odd", input: {} },
			result: { toolUseID: "6", tool: "odd", input: {}, status: "done" },
		},
	] as never);
});

test("what pairing gives can be passed to the other helpers", () => {
	const [pair] = helpers.toolCallsInMessages([
		{ role: "assistant", content: [{ type: "tool_use", id: "1", name: "Bash", input: { cmd: "sed -i s/a/b/ f" } }] },
		{ role: "user", content: [{ type: "tool_result", toolUseID: "1", status: "done" }] },
	]);
	expect(helpers.shellCommandFromToolCall(pair?.call)).toEqual({ command: "sed -i s/a/b/ f" });
	expect(filesOf(pair?.result)).toEqual(["/w/f"]);
});

const paths: [unknown, string][] = [
	[fileURI("/a b/ü?#%.ts"), "/a b/ü?#%.ts"],
	[String(fileURI("/a b/ü?#%.ts")), "/a b/ü?#%.ts"],
	[new URL("file:///a%20b?x#y"), "/a b"],
	["file://localhost/a", "/a"],
	["file:/a", "/a"],
	["FILE:///a", "/a"],
	["file:///a%zz", "/a%zz"],
	["/plain/path with %20", "/plain/path with %20"],
	["relative", "relative"],
	[{ scheme: "file", path: "/from/json" }, "/from/json"],
	[{ fsPath: "/fs", path: "/other" }, "/fs"],
	["https://example.com/a", "https://example.com/a"],
	[new URL("https://example.com/a"), "https://example.com/a"],
	[{}, ""],
	[null, ""],
];

test("the path of a URI comes from text and from objects alike", () => {
	expect(paths.map(([uri]) => helpers.filePathFromURI(uri))).toEqual(paths.map(([, path]) => path));
});

test("an error that says there is no UI is recognised, on this side and after a wire", () => {
	const own = failure("ui_not_available");
	const known: unknown[] = [
		own,
		fromWireError(JSON.parse(JSON.stringify(toWireError(own)))),
		Object.assign(new Error("x"), { code: "ui_not_available" }),
		Object.assign(new Error("x"), { name: "PluginUINotAvailableError" }),
		{ name: "PluginUINotAvailableError", message: "x" },
	];
	expect(known.map(helpers.isPluginUINotAvailableError)).toEqual(known.map(() => true));
	const others: unknown[] = [failure("cancelled"), new Error("Plugin UI not available"), "ui_not_available"];
	expect(others.map(helpers.isPluginUINotAvailableError)).toEqual(others.map(() => false));
});
