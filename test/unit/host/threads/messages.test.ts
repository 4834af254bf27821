import { expect, test } from "bun:test";
import { pageOfMessages } from "../../../../host/providers/thread-messages.ts";
import type { ThreadMessage, ThreadMessagesOptions } from "../../../../runtime/threads.ts";

const roles = ["user", "assistant", "info"] as const;
const thread = Array.from({ length: 25 }, (_, index): ThreadMessage => {
	const role = roles[index % 3] ?? "info";
	return { role, id: String(index), content: [{ type: "text", text: "x" }] };
});
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => String(from + index));

test.each<[ThreadMessagesOptions, string[]]>([
	[{}, range(15, 25)],
	[{ limit: 20 }, range(5, 25)],
	[{ offset: 3, limit: 4 }, range(18, 22)],
	[{ offset: 20, limit: 20 }, range(0, 5)],
	[{ offset: 25 }, []],
	[{ offset: 400 }, []],
	[{ from: "start" }, range(0, 10)],
	[{ from: "start", offset: 22 }, range(22, 25)],
	[{ from: "start", offset: 25 }, []],
	[{ roles: ["user"], limit: 3 }, ["18", "21", "24"]],
	[{ roles: ["user"], offset: 1, limit: 2 }, ["18", "21"]],
	[{ roles: ["assistant", "info"], from: "start", offset: 1, limit: 2 }, ["2", "4"]],
	[{ roles: [] }, []],
])("the page %j holds, in the order of the thread, %j", (options, ids) => {
	expect(pageOfMessages(thread, options).map(({ id }) => id)).toEqual(ids);
});

test("pages that follow each other from either end give every message once", () => {
	for (const from of ["start", "end"] as const) {
		const ids = range(0, 4).flatMap((page) => pageOfMessages(thread, { from, offset: Number(page) * 7, limit: 7 }));
		expect(ids.map(({ id }) => Number(id)).sort((one, other) => one - other)).toEqual([...thread.keys()]);
	}
});

test("long thoughts, tool inputs and outputs are cut unless they are wanted in full; what was said is not", () => {
	const long = "y".repeat(2_001);
	const cut = `${"y".repeat(2_000)}… [1 more characters]`;
	const messages: ThreadMessage[] = [
		{ role: "user", id: "0", content: [{ type: "text", text: long }] },
		{
			role: "assistant",
			id: "1",
			content: [
				{ type: "thinking", thinking: long },
				{ type: "text", text: long },
				{ type: "tool_use", id: "t", name: "n", input: { path: "a", text: long, list: [long, 1, null] } },
			],
		},
		{
			role: "user",
			id: "2",
			content: [{ type: "tool_result", toolUseID: "t", status: "done", output: { stdout: long, exitCode: 0 } }],
		},
	];
	expect(pageOfMessages(messages, { full: true })).toEqual(messages);
	expect(JSON.stringify(pageOfMessages(messages))).toBe(
		JSON.stringify([
			messages[0],
			{
				role: "assistant",
				id: "1",
				content: [
					{ type: "thinking", thinking: cut },
					{ type: "text", text: long },
					{ type: "tool_use", id: "t", name: "n", input: { path: "a", text: cut, list: [cut, 1, null] } },
				],
			},
			{
				role: "user",
				id: "2",
				content: [{ type: "tool_result", toolUseID: "t", status: "done", output: { stdout: cut, exitCode: 0 } }],
			},
		]),
	);
});

test("a text is not cut within a character", () => {
	const thinking = `${"y".repeat(1_999)}😀z`;
	const message: ThreadMessage = { role: "assistant", id: "1", content: [{ type: "thinking", thinking }] };
	const [shown] = pageOfMessages([message]);
	expect(shown?.content).toEqual([{ type: "thinking", thinking: `${"y".repeat(1_999)}… [3 more characters]` }]);
});
