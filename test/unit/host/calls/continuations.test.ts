import { describe, expect, test } from "bun:test";
import { createContinuations } from "../../../../host/calls/continuations.ts";

const thread = { id: "T-1" };
const more = (userMessage = "more") => ({ action: "continue", userMessage, plugin: "a" });

function counted(continuationsMax = 2) {
	const refused: [string, number][] = [];
	const continuations = createContinuations(continuationsMax, (plugin, max) => refused.push([plugin, max]));
	/** Ends a turn that a plugin wants to go on, and begins the one that it gets. */
	const turn = (result: ReturnType<typeof more> = more(), of = thread) => {
		const goesOn = continuations.bounded({ thread: of }, result) !== null;
		if (goesOn) continuations.begun({ thread: of, message: result.userMessage });
		return goesOn;
	};
	return { ...continuations, turn, refused };
}

describe("turns that plugins make go on", () => {
	test("are as many as allowed, then one is refused and the count begins anew", () => {
		const { turn, refused } = counted();
		expect([turn(), turn(), turn()]).toEqual([true, true, false]);
		expect(refused).toEqual([["a", 2]]);
		expect(turn()).toBe(true);
	});

	test("are as many as the answer itself allows, be that more or less", () => {
		const { turn } = counted();
		const own = (maxContinuations: number) => ({ ...more(), maxContinuations });
		expect([turn(own(3)), turn(own(3)), turn(own(3)), turn(own(3))]).toEqual([true, true, true, false]);
		expect(turn(own(0))).toBe(false);
	});

	test("are counted together, although different plugins want them", () => {
		const { turn } = counted();
		expect([turn(more("x")), turn({ ...more("y"), plugin: "b" }), turn(more("z"))]).toEqual([true, true, false]);
	});

	test("are counted for each thread", () => {
		const { turn } = counted(1);
		expect([turn(), turn(more(), { id: "T-2" }), turn()]).toEqual([true, true, false]);
	});

	test("are given back by a turn that a person begins, and not by one that the plugin's message begins", () => {
		const { turn, begun } = counted(1);
		expect(turn()).toBe(true);
		begun({ thread, message: "a person says" });
		expect([turn(), turn()]).toEqual([true, false]);
	});

	test("are given back by a turn that ends without anybody wanting more", () => {
		const { turn, bounded } = counted(1);
		expect(turn()).toBe(true);
		expect(bounded({ thread }, null)).toBeNull();
		expect(turn()).toBe(true);
	});
});
