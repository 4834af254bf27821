/** What the relay does to a child, at one moment of its conversation with the host. */
export interface Point {
	scenario: ScenarioName;
	fault: FaultName;
	moment: Moment;
}

/** A message of one launch of the plugin: `in` comes from the child, `out` goes to it. */
export interface Boundary {
	launch: number;
	direction: "in" | "out";
	/** Its method, or `answer to` that of the request. */
	label: string;
	/** Counts from 1 among those of this launch, direction and label. */
	occurrence: number;
}

/** Just before the other side gets a message, or just after. */
export interface Moment extends Boundary {
	side: "before" | "after";
}

export const scenarioNames = [
	"load",
	"tool",
	"command",
	"gate",
	"ask",
	"webhook",
	"registration",
	"idle",
	"reload",
	"stop",
] as const;

export type ScenarioName = (typeof scenarioNames)[number];

/**
 * `end`: the process ends itself. `hang`: it is stopped by SIGSTOP. `close`: it lives on and closes an end of its
 * wire. `flood`: it says far too much, then goes on. `inject`: it says one thing that it should not, then goes on.
 * `replace`: it says a message in another way, so these are for messages from the child alone.
 */
export const faults = {
	SIGKILL: "end",
	SIGSEGV: "end",
	"exit 0": "end",
	"exit 3": "end",
	SIGSTOP: "hang",
	"close stdout": "close",
	"close stdin": "close",
	"endless line": "close",
	"flood of noise": "flood",
	"flood of stderr": "flood",
	"flood of logs": "flood",
	"flood of requests": "flood",
	noise: "inject",
	"unknown request": "inject",
	"unknown notification": "inject",
	batch: "inject",
	"stray answers": "inject",
	"forged hello": "inject",
	"foreign hello": "inject",
	"forged ready": "inject",
	"forged failure": "inject",
	"forged changes": "inject",
	twice: "replace",
	garbled: "replace",
	truncated: "replace",
	"wrong shape": "replace",
	"wrong id": "replace",
	"result and error": "replace",
	"no result": "replace",
	"malformed error": "replace",
} as const;

export type FaultName = keyof typeof faults;

export const faultNames = Object.keys(faults) as FaultName[];

const forAnswers: FaultName[] = ["wrong id", "result and error", "no result", "malformed error"];

/** Whether a fault can be committed at a moment. */
export function fits(fault: FaultName, { direction, label, side }: Moment): boolean {
	// The host may have written its next message by then, and nothing would tell it that it was not read.
	if (fault === "close stdin" && label === "answer to status.create") return false;
	if (fault === "close stdin" && direction === "in") return side === "before";
	if (faults[fault] !== "replace") return true;
	if (direction === "out" || side === "after") return false;
	return label.startsWith("answer to ") || !forAnswers.includes(fault);
}

export function nameOfPoint({ scenario, fault, moment }: Point): string {
	return `${scenario}: ${fault} ${nameOfMoment(moment)}`;
}

export function nameOfMoment({ launch, direction, label, occurrence, side }: Moment): string {
	const way = direction === "in" ? "<-" : "->";
	return `${side} ${way} ${label}${occurrence === 1 ? "" : ` ${occurrence}`} (launch ${launch})`;
}

/** Files that relay and program share in the folder of a point. */
export const files = {
	plan: "plan.json",
	/** One boundary a line, of a plan without a point. */
	traffic: "traffic.ndjson",
	/** When and by which process the fault was committed. */
	committed: "committed.json",
	/** What the host answered to forged requests, a line each. */
	forged: "forged.ndjson",
	/** One for each launch, with the process number of its relay in it. */
	launch: (number: number) => `launch-${number}`,
};

/**
 * All points of a scenario, given its messages; or some of them, always the same: every moment has one of them, and so
 * has every fault.
 */
export function choosePoints(scenario: ScenarioName, traffic: readonly Boundary[], all: boolean): Point[] {
	const moments = traffic.flatMap((boundary) => [
		{ ...boundary, side: "before" as const },
		{ ...boundary, side: "after" as const },
	]);
	const points = moments.flatMap((moment) =>
		faultNames.filter((fault) => fits(fault, moment)).map((fault) => ({ scenario, fault, moment })),
	);
	if (all) return points;
	const count = Math.max(moments.length, faultNames.length);
	const chosen = Array.from({ length: count }, (_, index) => {
		const wanted = faultNames[index % faultNames.length];
		// Past the end of the moments, and where a fault does not fit, it takes the next moment that it fits.
		const first = points.findIndex(({ moment }) => moment === moments[index % moments.length]);
		const from = [...points.slice(first), ...points.slice(0, first)];
		return from.find(({ fault }) => fault === wanted);
	});
	const missed = moments.flatMap((moment) => {
		const hasOne = chosen.some((point) => point?.moment === moment);
		return hasOne ? [] : points.filter((point) => point.moment === moment && point.fault === "SIGKILL");
	});
	return [...new Set([...chosen, ...missed])].filter((point) => point !== undefined);
}
