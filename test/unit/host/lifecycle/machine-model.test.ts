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
import { propertyRuns, tally } from "../../../support/effort.ts";

const error = failure("plugin_exited");
const incompatible = failure("incompatible_protocol");
const policy = { retriesMax: 3, delaysMs: [1, 2, 4], stableAfterMs: Number.POSITIVE_INFINITY };

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
	/** Whether somebody wants it to run. */
	wanted: boolean;
	/** Its last load failed, and nobody has started it since. */
	gaveUp: boolean;
	/** What the last stop asked for. */
	target: string;
}

/** One event, what the machine made of it, and the world before and after its effects. */
interface Step {
	event: MachineEvent;
	before: Machine;
	after: Machine;
	effects: MachineEffect[];
	was: World;
	is: World;
}

const serves = ({ state }: Machine) => state === "ready" || state === "unresponsive";
const has = ({ effects }: Step, type: MachineEffect["type"]) => effects.some((effect) => effect.type === type);
const place = ({ effects }: Step, type: MachineEffect["type"]) => effects.findIndex((effect) => effect.type === type);

/** The rules of a plugin's life; each holds at every step, whatever came before. */
const invariants: Record<string, (step: Step) => boolean> = {
	"visible is exactly what serves": ({ after, is }) => is.visible === serves(after),
	"what serves or starts has a process that nobody told to end": ({ after, is }) =>
		!(serves(after) || after.state === "starting") || (is.process && !is.ending),
	"nothing is launched beside a process that was not told to end": (step) =>
		!has(step, "launch") ||
		!step.was.process ||
		step.was.ending ||
		(has(step, "terminate") && place(step, "terminate") < place(step, "launch")),
	"nothing is launched while a restart is due": (step) =>
		!has(step, "launch") || !step.was.backoff || step.event.type === "backoff_over" || has(step, "cancel_backoff"),
	"nothing is launched that nobody wants": (step) => !has(step, "launch") || step.is.wanted,
	"nothing is published that nobody wants": (step) => !has(step, "publish") || step.is.wanted,
	"a load that failed is not tried again by itself": (step) => !has(step, "launch") || !step.is.gaveUp,
	"only a load or a swap publishes": (step) => !has(step, "publish") || /^(?:loaded|swapped)$/.test(step.event.type),
	"silence and answers have no effect but the state": ({ event, effects }) =>
		!/^(?:silent|answered)$/.test(event.type) || effects.length === 0,
	"what is visible is withdrawn before its process is told to end": (step) =>
		!has(step, "terminate") ||
		!step.was.visible ||
		(has(step, "withdraw") && place(step, "withdraw") < place(step, "terminate")),
	"what ended is withdrawn before anything else is done": (step) =>
		step.event.type !== "crashed" || !step.was.visible || place(step, "withdraw") === 0,
	"only what was ready is disposed of": ({ before, effects }) =>
		!effects.some((effect) => effect.type === "terminate" && effect.graceful) || before.state === "ready",
	"a restart is due exactly while it is restarting": ({ after, is }) => is.backoff === (after.state === "restarting"),
	"a restart is armed once": (step) => !has(step, "arm_backoff") || !step.was.backoff,
	"a restart waits as long as the policy says": ({ effects, before }) =>
		effects.every((effect) => effect.type !== "arm_backoff" || effect.ms === policy.delaysMs[before.launches - 1]),
	"no more launches than the policy allows": ({ after }) => after.launches <= policy.retriesMax + 1,
	"launches are counted as they were made": ({ after, is }) =>
		!(serves(after) || after.state === "starting") || after.launches === is.launches,
	"what serves has no error": ({ after }) => !serves(after) || after.error === undefined,
	"a start on purpose begins without the old error": ({ event, before, after }) =>
		!/^start/.test(event.type) || after === before || after.error === undefined,
	"what failed, or waits to be restarted, says why": ({ after }) =>
		!/^(?:failed|restarting|incompatible)$/.test(after.state) || after.error !== undefined,
	"a stop leads at once towards rest": ({ event, after }) =>
		event.type !== "stop" || after.state === "stopping" || after.state === event.target,
	"stopping ends where the last stop said": ({ event, before, after, was }) =>
		event.type !== "ended" || before.state !== "stopping" || after.state === was.target,
	"an event that means nothing changes nothing": ({ before, after, effects }) =>
		after !== before || effects.length === 0,
};

/** Wishes come at any time; the rest where the world allows it, or late, when it means nothing any more. */
function possible(world: World, { state }: Machine): MachineEvent[] {
	const running = world.process && !world.ending;
	const isSwappable = running || state === "restarting" || state === "failed";
	return [
		{ type: "start" },
		{ type: "start_anew" },
		{ type: "stop", target: "stopped" },
		{ type: "stop", target: "disabled" },
		...(running && !world.visible
			? ([
					{ type: "loaded" },
					{ type: "loaded" },
					{ type: "load_failed", error },
					{ type: "load_failed", error: incompatible },
				] as const)
			: []),
		...(running && world.visible
			? ([
					{ type: "crashed", error },
					{ type: "crashed", error },
				] as const)
			: []),
		...(isSwappable ? ([{ type: "swapped" }] as const) : []),
		...(running && world.visible ? ([{ type: "silent" }, { type: "answered" }] as const) : []),
		...(world.backoff ? ([{ type: "backoff_over" }, { type: "backoff_over" }] as const) : []),
		...(world.ending ? ([{ type: "ended" }] as const) : []),
		...late.filter(({ type }) => !expectedIn[type]?.includes(state)),
	];
}

/** In other states than these, such an event comes too late. */
const expectedIn: Partial<Record<MachineEvent["type"], string[]>> = {
	loaded: ["starting"],
	load_failed: ["starting"],
	crashed: ["ready", "unresponsive"],
	silent: ["ready"],
	answered: ["unresponsive"],
	backoff_over: ["restarting"],
	ended: ["stopping"],
};
const late: MachineEvent[] = [
	{ type: "loaded" },
	{ type: "load_failed", error },
	{ type: "crashed", error },
	{ type: "silent" },
	{ type: "answered" },
	{ type: "backoff_over" },
	{ type: "ended" },
];

/** The event itself, as the world sees it, when it means something. */
function happened(world: World, event: MachineEvent): World {
	switch (event.type) {
		case "start":
			// What runs counts as the first launch from now on.
			return { ...world, launches: world.process && !world.ending ? 1 : 0, wanted: true, gaveUp: false };
		case "start_anew":
			return { ...world, launches: world.visible ? 1 : 0, wanted: true, gaveUp: false };
		case "stop":
			return { ...world, wanted: false, target: event.target };
		case "swapped":
			return { ...world, process: true, ending: false, launches: 1, gaveUp: false };
		case "backoff_over":
			return { ...world, backoff: false };
		case "load_failed":
			return { ...world, gaveUp: true };
		case "crashed":
		case "ended":
			return { ...world, process: false, ending: false };
		default:
			return world;
	}
}

function performed(world: World, effect: MachineEffect): World {
	switch (effect.type) {
		case "launch":
			return { ...world, process: true, ending: false, launches: world.launches + 1 };
		case "publish":
			return { ...world, visible: true };
		case "withdraw":
			return { ...world, visible: false };
		case "arm_backoff":
			return { ...world, backoff: true };
		case "cancel_backoff":
			return { ...world, backoff: false };
		case "terminate":
			return { ...world, ending: true };
	}
}

function take(before: Machine, was: World, event: MachineEvent): Step {
	const { machine: after, effects } = decide(Object.freeze({ ...before }), event, policy);
	const again = decide(before, event, policy);
	expect(again.effects).toEqual(effects);
	const isMeant = again.machine !== before;
	const is = effects.reduce(performed, isMeant ? happened(was, event) : was);
	return { event, before, after: isMeant ? after : before, effects, was, is };
}

function broken(step: Step): string[] {
	return Object.entries(invariants).flatMap(([rule, holds]) => (holds(step) ? [] : [rule]));
}

test("whatever happens in whatever order, every rule of a plugin's life holds, and a stop brings it to rest", () => {
	const reached = new Set<string>();
	const meant = new Set<string>();
	let steps = 0;
	const run = (choices: number[]) => {
		let machine = newMachine();
		let world: World = {
			process: false,
			visible: false,
			backoff: false,
			ending: false,
			launches: 0,
			wanted: true,
			gaveUp: false,
			target: "",
		};
		const live = (event: MachineEvent) => {
			const step = take(machine, world, event);
			expect({ rules: broken(step), event, from: machine.state }).toEqual({ rules: [], event, from: machine.state });
			if (step.after !== machine) meant.add(`${machine.state} ${event.type}`);
			[machine, world] = [step.after, step.is];
			steps += 1;
			reached.add(machine.state);
		};
		for (const choice of choices) {
			const events = possible(world, machine);
			live(events[choice % events.length] ?? { type: "start" });
		}
		live({ type: "stop", target: "disabled" });
		if (machine.state === "stopping") live({ type: "ended" });
		const end = { state: machine.state, visible: world.visible, backoff: world.backoff };
		expect(end).toEqual({ state: "disabled", visible: false, backoff: false });
	};
	const outcome = fc.check(
		fc.property(fc.array(fc.nat({ max: 5_000 }), { minLength: 5, maxLength: 60, size: "max" }), run),
		propertyRuns,
	);
	tally("steps of the machine", steps, `${Object.keys(invariants).length} invariants, seed ${outcome.seed}`);
	expect(outcome.failed ? `${outcome.errorInstance} ${fc.defaultReportMessage(outcome)}` : "").toBe("");
	expect(meant.size).toBeGreaterThan(25);
	expect([...reached].sort()).toEqual([
		"disabled",
		"discovered",
		"failed",
		"incompatible",
		"ready",
		"restarting",
		"starting",
		"stopped",
		"stopping",
		"unresponsive",
	]);
});

test("a plugin that is shadowed or was rejected stays what it is, whatever comes", () => {
	for (const state of ["shadowed", "rejected"] as const) {
		const machine = newMachine(state);
		for (const event of [
			{ type: "start" },
			{ type: "stop", target: "disabled" },
			{ type: "swapped" },
			...late,
		] as const) {
			expect(decide(machine, event, policy)).toEqual({ machine, effects: [] });
		}
	}
});
