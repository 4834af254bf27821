import { expect, test } from "bun:test";
import { createStatusItems } from "../../../../host/providers/status.ts";

const shown = (items: ReturnType<typeof createStatusItems>) =>
	items.list().map(({ plugin, id, text }) => `${plugin} ${id} ${text}`);

test("items are listed from the moment that their process is shown", () => {
	const items = createStatusItems();
	const board = items.open("one");
	board.put({ id: 1, text: "first" });
	expect(shown(items)).toEqual([]);
	board.show();
	board.put({ id: 2, text: "second", url: "https://example.com" });
	expect(items.list()).toEqual([
		{ plugin: "one", id: 1, text: "first" },
		{ plugin: "one", id: 2, text: "second", url: "https://example.com" },
	]);
});

test("a change keeps the place of an item, and one of an item that was removed changes nothing", () => {
	const items = createStatusItems();
	const board = items.open("one");
	board.show();
	board.put({ id: 1, text: "first" });
	board.put({ id: 2, text: "second" });
	board.update({ id: 1, text: "changed" });
	expect(shown(items)).toEqual(["one 1 changed", "one 2 second"]);
	board.remove(1);
	board.update({ id: 1, text: "back" });
	expect(shown(items)).toEqual(["one 2 second"]);
});

test("of two processes of one plugin the one that was shown last counts, and the end of the other changes nothing", () => {
	const items = createStatusItems();
	const [old, next] = [items.open("one"), items.open("one")];
	old.show();
	old.put({ id: 1, text: "old" });
	next.put({ id: 1, text: "new" });
	expect(shown(items)).toEqual(["one 1 old"]);
	next.show();
	old.remove(1);
	old.put({ id: 5, text: "late" });
	old.close();
	expect(shown(items)).toEqual(["one 1 new"]);
	next.close();
	expect(shown(items)).toEqual([]);
});

test("clearing a plugin leaves the others alone, and it may show items again", () => {
	const items = createStatusItems();
	const [one, two] = [items.open("one"), items.open("two")];
	for (const board of [one, two]) {
		board.show();
		board.put({ id: 1, text: "x" });
	}
	items.clear("one");
	expect(shown(items)).toEqual(["two 1 x"]);
	one.show();
	expect(shown(items)).toEqual(["two 1 x", "one 1 x"]);
});

test("only what can be seen is told as a change", () => {
	const items = createStatusItems();
	let told = 0;
	items.onChange(() => {
		told += 1;
	});
	const board = items.open("one");
	board.show();
	board.remove(7);
	items.clear("one");
	items.clear("nobody");
	board.put({ id: 1, text: "hidden" });
	expect(told).toBe(0);
	board.show();
	board.update({ id: 1, text: "seen" });
	board.close();
	expect(told).toBe(3);
});
