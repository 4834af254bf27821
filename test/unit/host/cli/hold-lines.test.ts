import { expect, test } from "bun:test";
import { holdLines } from "../../../../host/cli/hold-lines.ts";
import { noUI } from "../../../../host/ui/none.ts";

const context = { plugin: "p", signal: new AbortController().signal };

test("lines wait while any dialog is open, and keep their order", async () => {
	const first = Promise.withResolvers<string>();
	const second = Promise.withResolvers<boolean>();
	const written: string[] = [];
	const inner = { ...noUI(), input: () => first.promise, confirm: () => second.promise };
	const { ui, print } = holdLines(inner, (line) => written.push(line));
	print("before");
	const answers = [ui.input({}, context), ui.confirm({ title: "Sure?" }, context)];
	print("one");
	first.resolve("text");
	await answers[0];
	print("two");
	expect(written).toEqual(["before"]);
	second.reject(new Error("gone"));
	expect(await Promise.allSettled(answers)).toMatchObject([{ value: "text" }, { status: "rejected" }]);
	print("after");
	expect(written).toEqual(["before", "one", "two", "after"]);
});
