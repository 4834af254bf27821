import { describe, expect, test } from "bun:test";
import {
	decide,
	type Machine,
	type MachineEffect,
	type MachineEvent,
	newMachine,
	type PluginState,
} from "../../../../host/lifecycle/machine.ts";
import { failure } from "../../../../runtime/errors.ts";
import { limits } from "../../../../runtime/limits.ts";

const failed = failure("load_failed", { reason: "for this test" });
const other = failure("incompatible_protocol");
const exited = failure("plugin_exited");

const events: Record<string, MachineEvent> = {
	start: { type: "start" },
	start_anew: { type: "start_anew" },
	loaded: { type: "loaded" },
	load_failed: { type: "load_failed", error: failed },
	incompatible: { type: "load_failed", error: other },
	crashed: { type: "crashed", error: exited },
	backoff_over: { type: "backoff_over" },
	swapped: { type: "swapped" },
	silent: { type: "silent" },
	answered: { type: "answered" },
	stop: { type: "stop", target: "stopped" },
	disable: { type: "stop", target: "disabled" },
	ended: { type: "ended" },
};

/** Where each event leads from each state, and what is to be done; what is not named changes nothing. */
const table: Record<PluginState, Partial<Record<keyof typeof events, string>>> = {
	discovered: { start: "starting: launch", stop: "stopped", disable: "disabled" },
	shadowed: {},
	disabled: { start: "starting: launch", stop: "stopped", disable: "disabled" },
	idle: { start: "starting: launch", stop: "stopped", disable: "disabled" },
	starting: {
		start_anew: "starting: kill, launch",
		loaded: "ready: publish",
		load_failed: "failed: kill",
		incompatible: "incompatible: kill",
		swapped: "ready: publish",
		stop: "stopping: kill",
		disable: "stopping: kill",
	},
	ready: {
		crashed: "restarting: withdraw, backoff 200",
		swapped: "ready: publish",
		silent: "unresponsive",
		stop: "stopping: withdraw, dispose",
		disable: "stopping: withdraw, dispose",
	},
	unresponsive: {
		crashed: "restarting: withdraw, backoff 200",
		swapped: "ready: publish",
		answered: "ready",
		stop: "stopping: withdraw, kill",
		disable: "stopping: withdraw, kill",
	},
	restarting: {
		start: "starting: no backoff, launch",
		backoff_over: "starting: launch",
		swapped: "ready: no backoff, publish",
		stop: "stopped: no backoff",
		disable: "disabled: no backoff",
	},
	stopping: { ended: "stopped", stop: "stopping", disable: "stopping" },
	stopped: { start: "starting: launch", stop: "stopped", disable: "disabled" },
	failed: { start: "starting: launch", swapped: "ready: publish", stop: "stopped", disable: "disabled" },
	incompatible: { start: "starting: launch", stop: "stopped", disable: "disabled" },
	rejected: {},
};

const states = Object.keys(table) as PluginState[];
const at = (state: PluginState, more: Partial<Machine> = {}): Machine => ({
	...newMachine(state),
	launches: 1,
	...more,
});

function describeEffect(effect: MachineEffect): string {
	switch (effect.type) {
		case "arm_backoff":
			return `backoff ${effect.ms}`;
		case "cancel_backoff":
			return "no backoff";
		case "terminate":
			return effect.graceful ? "dispose" : "kill";
		default:
			return effect.type;
	}
}

describe.each(states)("in the state %s", (state) => {
	test.each(Object.entries(events))("the event %s does what the table says", (name, event) => {
		const before = at(state);
		const { machine, effects } = decide(before, event);
		// It differs only where something is being loaded.
		const expected = table[state][name] ?? (name === "start_anew" ? table[state].start : undefined);
		if (expected === undefined) {
			expect(machine).toBe(before);
			expect(effects).toEqual([]);
		} else {
			const done = effects.map(describeEffect).join(", ");
			expect(done === "" ? machine.state : `${machine.state}: ${done}`).toBe(expected);
		}
	});
});

describe("the machine", () => {
	test("begins without a launch and without an error", () => {
		expect(newMachine()).toEqual({ state: "discovered", launches: 0, error: undefined, target: "stopped" });
	});

	test("keeps the reason of a failure until the plugin is ready or started again", () => {
		expect(decide(at("starting"), { type: "load_failed", error: failed }).machine.error).toBe(failed);
		expect(decide(at("ready"), { type: "crashed", error: exited }).machine.error).toBe(exited);
		const restarted = decide(at("restarting", { error: exited }), { type: "backoff_over" }).machine;
		expect(restarted.error).toBe(exited);
		expect(decide(restarted, { type: "loaded" }).machine.error).toBeUndefined();
		expect(decide(at("failed", { error: failed }), { type: "start" }).machine.error).toBeUndefined();
		expect(decide(at("failed", { error: failed }), { type: "swapped" }).machine.error).toBeUndefined();
		expect(
			decide(at("restarting", { error: exited }), { type: "stop", target: "disabled" }).machine.error,
		).toBeUndefined();
	});

	test("forgives the crashes of what runs, or is being launched again, when somebody starts it on purpose", () => {
		for (const state of ["starting", "ready", "unresponsive"] as const) {
			const { machine, effects } = decide(at(state, { launches: 3 }), { type: "start" });
			expect({ ...machine, effects }).toEqual({ ...at(state), effects: [] });
		}
	});

	test("counts launches from the last deliberate start, and neither health nor a crash gives any back", () => {
		const counts: number[] = [];
		let machine = at("discovered");
		const step = (event: MachineEvent) => {
			machine = decide(machine, event).machine;
			counts.push(machine.launches);
		};
		step({ type: "start" });
		for (const _ of [1, 2, 3]) {
			step({ type: "loaded" });
			step({ type: "crashed", error: exited });
			step({ type: "backoff_over" });
		}
		expect(counts).toEqual([1, 1, 1, 2, 2, 2, 3, 3, 3, 4]);
		expect(decide(at("ready", { launches: 4 }), { type: "swapped" }).machine.launches).toBe(1);
		expect(decide(at("failed", { launches: 4 }), { type: "start" }).machine.launches).toBe(1);
		expect(decide(at("restarting", { launches: 3 }), { type: "start" }).machine.launches).toBe(1);
	});

	test("waits longer with each crash, and fails with the fourth", () => {
		const crash = (launches: number) => decide(at("ready", { launches }), { type: "crashed", error: exited });
		expect([1, 2, 3, 4].map((launches) => crash(launches).effects.map(describeEffect).join(", "))).toEqual([
			"withdraw, backoff 200",
			"withdraw, backoff 400",
			"withdraw, backoff 800",
			"withdraw",
		]);
		expect(crash(4).machine).toMatchObject({ state: "failed", error: exited });
	});

	test("follows the policy that it is given", () => {
		const { machine } = decide(at("ready"), { type: "crashed", error: exited }, { ...limits.restart, retriesMax: 0 });
		expect(machine.state).toBe("failed");
	});

	test("rests where the last wish of a stop under way says", () => {
		const stopping = decide(at("ready"), { type: "stop", target: "stopped" }).machine;
		const changed = decide(stopping, { type: "stop", target: "disabled" }).machine;
		expect(decide(changed, { type: "ended" }).machine.state).toBe("disabled");
	});

	test("never changes what it was given", () => {
		for (const state of states) {
			for (const event of Object.values(events)) {
				const before = Object.freeze(at(state));
				decide(before, event);
				expect(before).toEqual(at(state));
			}
		}
	});
});
