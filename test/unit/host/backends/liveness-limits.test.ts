import { expect, test } from "bun:test";
import { watchLiveness } from "../../../../host/backends/liveness.ts";

/** What is told of a child after each turn of the clock; it answers within the turn, or never. */
async function told(limits: { pingEveryMs: number; silentMs: number; giveUpMs: number }, answers: boolean) {
	const heard: string[] = [];
	let turn = () => {};
	watchLiveness({
		ping: () => (answers ? Promise.resolve() : new Promise(() => {})),
		limits,
		clock: {
			now: () => 0,
			after(_, action) {
				turn = action;
				return () => {
					turn = () => {};
				};
			},
		},
		listener: {
			silent: () => heard.push("silent"),
			answered: () => heard.push("answered"),
			givenUp: () => heard.push("given up"),
		},
	});
	const turns: string[] = [];
	for (let index = 0; index < 4; index += 1) {
		turn();
		await Promise.resolve();
		turns.push(heard.splice(0).join());
	}
	return turns;
}

test("a child that answers is left alone, be the limits zero", async () => {
	expect(await told({ pingEveryMs: 10, silentMs: 0, giveUpMs: 0 }, true)).toEqual(["", "", "", ""]);
});

test("limits of zero mean the first turn that goes by without an answer", async () => {
	expect(await told({ pingEveryMs: 10, silentMs: 0, giveUpMs: 20 }, false)).toEqual(["", "silent", "given up", ""]);
	expect(await told({ pingEveryMs: 10, silentMs: 0, giveUpMs: 0 }, false)).toEqual(["", "given up", "", ""]);
});

test("silence is counted also where a child is asked without pause", async () => {
	expect(await told({ pingEveryMs: 0, silentMs: 1, giveUpMs: 3 }, false)).toEqual(["", "silent", "", "given up"]);
});
