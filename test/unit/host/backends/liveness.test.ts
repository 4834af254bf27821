import { beforeEach, expect, test } from "bun:test";
import { watchLiveness } from "../../../../host/backends/liveness.ts";
import type { Clock } from "../../../../host/base/clock.ts";

const limits = { pingEveryMs: 5_000, silentMs: 10_000, giveUpMs: 35_000 };

/** A clock that turns when the test says so, and a child that answers when the test says so. */
let heard: string[];
let turn: () => void;
let answer: (() => void)[];
let end: () => void;

beforeEach(() => {
	heard = [];
	answer = [];
	const clock: Clock = {
		now: () => 0,
		after(_, action) {
			turn = action;
			return () => {
				turn = () => {};
			};
		},
	};
	end = watchLiveness({
		ping: () => new Promise<void>((resolve) => answer.push(resolve)),
		limits,
		clock,
		listener: {
			silent: () => heard.push("silent"),
			answered: () => heard.push("answered"),
			givenUp: () => heard.push("given up"),
		},
	});
});

async function turns(count: number): Promise<void> {
	for (let index = 0; index < count; index += 1) {
		turn();
		await Promise.resolve();
	}
}

test("a child that answers is asked once a turn and nothing is told", async () => {
	for (let index = 0; index < 20; index += 1) {
		await turns(1);
		answer.at(-1)?.();
		await Promise.resolve();
	}
	expect(answer).toHaveLength(20);
	expect(heard).toEqual([]);
});

test("a child that is silent for 10 s is told of once, and given up after 35 s", async () => {
	await turns(2);
	expect(heard).toEqual([]);
	await turns(1);
	expect(heard).toEqual(["silent"]);
	await turns(4);
	expect(heard).toEqual(["silent"]);
	await turns(1);
	expect(heard).toEqual(["silent", "given up"]);
	await turns(9);
	expect(heard).toEqual(["silent", "given up"]);
});

test("a child that answers in the end is told of, and its silence counts anew", async () => {
	await turns(5);
	answer.at(-1)?.();
	await Promise.resolve();
	expect(heard).toEqual(["silent", "answered"]);
	await turns(3);
	expect(heard).toEqual(["silent", "answered", "silent"]);
});

test("nothing is asked or told after the end", async () => {
	await turns(2);
	end();
	await turns(9);
	answer.at(-1)?.();
	await Promise.resolve();
	expect(heard).toEqual([]);
});
