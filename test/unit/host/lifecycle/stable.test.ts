import { describe, expect, test } from "bun:test";
import { decide, newMachine } from "../../../../host/lifecycle/machine.ts";
import { launchesThatCount } from "../../../../host/lifecycle/restart.ts";
import { failure } from "../../../../runtime/errors.ts";
import { limits } from "../../../../runtime/limits.ts";

const error = failure("plugin_exited");
const served = (launches: number, servedMs: number, stableAfterMs: number) =>
	decide(
		{ ...newMachine("ready"), launches },
		{ type: "crashed", error, servedMs },
		{ ...limits.restart, stableAfterMs },
	);

describe("a crash of a plugin that served for long", () => {
	test("counts like any other, unless a length is set", () => {
		expect(launchesThatCount(4, Number.MAX_SAFE_INTEGER)).toBe(4);
		const { machine } = decide({ ...newMachine("ready"), launches: 4 }, { type: "crashed", error, servedMs: 1e12 });
		expect(machine).toMatchObject({ state: "failed", launches: 4 });
	});

	test("begins the count anew from that length on, and not before it", () => {
		expect(launchesThatCount(3, 59_999, { stableAfterMs: 60_000 })).toBe(3);
		expect(launchesThatCount(3, 60_000, { stableAfterMs: 60_000 })).toBe(1);
	});

	test("is answered by the first wait again, also where the budget was spent", () => {
		const { machine, effects } = served(4, 60_000, 60_000);
		expect(machine).toMatchObject({ state: "restarting", launches: 1, error });
		expect(effects).toEqual([{ type: "withdraw" }, { type: "arm_backoff", ms: 200 }]);
		expect(served(4, 59_999, 60_000).machine).toMatchObject({ state: "failed", launches: 4 });
	});

	test("does not restart where no restart is allowed at all", () => {
		const policy = { ...limits.restart, retriesMax: 0, stableAfterMs: 1 };
		const { machine } = decide(
			{ ...newMachine("ready"), launches: 1 },
			{ type: "crashed", error, servedMs: 2 },
			policy,
		);
		expect(machine.state).toBe("failed");
	});
});
