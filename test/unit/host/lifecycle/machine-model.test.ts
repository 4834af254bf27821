import { expect, test } from "bun:test";
import fc from "fast-check";
import {
	decide,
	type Machine,
	type MachineEffect,
	type MachineEvent,
	newMachine,
} from "../../../../host/lifecycle/machine.ts";
import { failure } from "../../../../runtime/errors.ts";
import { propertyRuns } from "../../../support/effort.ts";

const error = failure("plugin_exited");
const policy = { retriesMax: 3, delaysMs: [1, 2, 4] };

/** What the world around a machine looks like when its effects are performed. */
interface World {
	/** A process of the current launch runs. */
	process: boolean;
	/** What it registered is visible. */
	visible: boolean;
	/** A restart is due. */
	backoff: boolean;
	/** It has been told to end. */
	ending: boolean;
	/** Launches since somebody last started it on purpose. */
	launches: number;
	disposed: number;
}

/** What may happen next: wishes come at any time, the rest only where the world allows it. */
function possible(world: World, machine: Machine): MachineEvent[] {
	const wishes: MachineEvent[] = [
		{ type: "start" },
		{ type: "stop", target: "stopped" },
		{ type: "stop", target: "disabled" },
	];
	const running = world.process && !world.ending;
	return [
		...wishes,
		...(running && !world.visible ? ([{ type: "loaded" }, { type: "load_failed", error }] as const) : []),
		...(running && world.visible ? ([{ type: "crashed", error }, { type: "swapped" }] as const) : []),
		...(running && world.visible ? ([{ type: "silent" }, { type: "answered" }] as const) : []),
		...(world.backoff ? ([{ type: "backoff_over" }] as const) : []),
		...(world.ending && machine.state === "stopping" ? ([{ type: "ended" }] as const) : []),
	];
}

function happen(world: World, { type }: MachineEvent): void {
	if (type === "backoff_over") world.backoff = false;
	if (type === "crashed" || type === "ended") Object.assign(world, { process: false, ending: false });
	if (type === "start" || type === "swapped") world.launches = 0;
	if (type === "swapped") world.launches = 1;
}

function perform(world: World, effect: MachineEffect): void {
	switch (effect.type) {
		case "launch":
			expect(world.process && !world.ending).toBe(false);
			expect(world.backoff).toBe(false);
			Object.assign(world, { process: true, ending: false });
			world.launches += 1;
			break;
		case "publish":
			expect(world.process).toBe(true);
			world.visible = true;
			break;
		case "withdraw":
			world.visible = false;
			break;
		case "arm_backoff":
			expect(world.backoff).toBe(false);
			world.backoff = true;
			break;
		case "cancel_backoff":
			world.backoff = false;
			break;
		case "terminate":
			expect(world.process).toBe(true);
			if (effect.graceful) world.disposed += 1;
			Object.assign(world, { ending: true });
	}
}

/** What must be true in every state that a machine comes to. */
function check(world: World, machine: Machine): void {
	const { state } = machine;
	const serving = state === "ready" || state === "unresponsive";
	expect({ state, visible: world.visible }).toEqual({ state, visible: serving });
	expect({ state, backoff: world.backoff }).toEqual({ state, backoff: state === "restarting" });
	if (serving || state === "starting") expect({ state, ...world }).toMatchObject({ process: true, ending: false });
	if (state === "stopping") expect(world.ending).toBe(true);
	if (state === "restarting") expect(world.process).toBe(false);
	if (state === "failed" || state === "restarting") expect(machine.error).toBe(error);
	if (serving) expect(machine.error).toBeUndefined();
	expect(machine.launches).toBeLessThanOrEqual(policy.retriesMax + 1);
	if (serving || state === "starting") expect(machine.launches).toBe(world.launches);
}

test("whatever happens in whatever order, process, visibility, backoff and state agree", () => {
	const reached = new Set<string>();
	const run = (choices: number[]) => {
		let machine = newMachine();
		const world: World = { process: false, visible: false, backoff: false, ending: false, launches: 0, disposed: 0 };
		for (const choice of choices) {
			const events = possible(world, machine);
			const event = events[choice % events.length];
			if (event === undefined) throw new Error("nothing can happen");
			const startsAnew = event.type !== "start" || decide(machine, event, policy).machine !== machine;
			const { machine: next, effects } = decide(machine, event, policy);
			if (startsAnew) happen(world, event);
			for (const effect of effects) perform(world, effect);
			// A load that failed ends its process without anybody waiting for that.
			if (event.type === "load_failed") Object.assign(world, { process: false, ending: false });
			machine = next;
			reached.add(machine.state);
			check(world, machine);
		}
	};
	fc.assert(fc.property(fc.array(fc.nat({ max: 60 }), { minLength: 5, maxLength: 60 }), run), propertyRuns);
	expect([...reached].sort()).toEqual([
		"disabled",
		"failed",
		"ready",
		"restarting",
		"starting",
		"stopped",
		"stopping",
		"unresponsive",
	]);
});
