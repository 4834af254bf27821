import type { ErrorCode, Stage } from "../../../runtime/errors.ts";
import { floodLines } from "./forgeries.ts";
import { type Boundary, type FaultName, faults, type Moment, type Point } from "./points.ts";
import { scenarios } from "./scenarios.ts";

/** What must come of a fault. */
export interface Expected {
	ending: Ending;
	/** What the caller gets: the right answer, how the process ended, either of the two, or an error of this code. */
	answer: "given" | "lost" | "either" | ErrorCode;
	/** What the plugin's log says. */
	problem?: string;
	/** The same message twice: where the first was answered by then, the second harms nothing. */
	orServes?: true;
	/** What the host could not hear of, by the beginning of its entry in the registry. */
	missing?: string;
}

export interface Exit {
	code: number | null;
	signal: string | null;
}

export type Ending =
	| { is: "serves" }
	/** The process ends, or is ended, after its load, in one of these ways. */
	| { is: "crashes"; exits: Exit[] }
	| { is: "fails"; code: ErrorCode; stage: Stage; orStage?: Stage; exit?: Exit };

/** What a point must come to, given the messages of its scenario when nothing is wrong. */
export function expectedOf(point: Point, traffic: readonly Boundary[]): Expected {
	const { scenario, moment } = point;
	const progress = progressOf(moment, traffic);
	if (scenario === "load" || (scenario === "reload" && moment.launch === 2)) return ofLoad(point, progress);
	if (scenario === "reload" || scenario === "stop") return ofEnd(point, progress);
	return ofCall(point, progress);
}

const killed: Exit = { code: null, signal: "SIGKILL" };
const interrupted: Exit = { code: null, signal: "SIGINT" };

/** How a process ends that ends itself, or that the host ends at once; nothing for one that lives on. */
function exitOf(fault: FaultName): Exit | undefined {
	if (fault === "SIGKILL" || fault === "SIGSEGV") return { code: null, signal: fault };
	if (fault === "exit 0" || fault === "truncated") return { code: 0, signal: null };
	if (fault === "exit 3") return { code: 3, signal: null };
	if (fault === "close stdout" || fault === "endless line") return killed;
	return undefined;
}

/** How far a conversation has come at a moment. */
interface Progress {
	/** How many of a label had reached their receiver. */
	heard(label: string): number;
	stage: Stage;
	isOver: boolean;
	/** How far it will have come when the host writes again, if it will. */
	atNextWrite: Progress | undefined;
}

function progressOf(moment: Moment, all: readonly Boundary[]): Progress {
	const traffic = all.filter(({ launch }) => launch === moment.launch);
	const { side, ...boundary } = moment;
	const index = traffic.findIndex((candidate) => Bun.deepEquals(candidate, boundary));
	return progressAt(traffic, side === "after" ? index + 1 : index, index + 1);
}

/** `done` messages have reached their receiver, `read` have reached the relay. */
function progressAt(traffic: readonly Boundary[], done: number, read: number): Progress {
	const heard = (label: string) => traffic.slice(0, done).filter((message) => message.label === label).length;
	const stages: Stage[] = ["client.info", "import", "activate"];
	// What the host asks in one go the relay reads in one go.
	const haveListsCome = traffic.slice(0, read).some(isList);
	const isStillToCome = (message: Boundary) => message.direction === "out" && !(haveListsCome && isList(message));
	const next = traffic.findIndex((message, index) => index >= read && isStillToCome(message));
	return {
		heard,
		stage: heard("runtime.ready") > 0 ? "fetch" : (stages[heard("runtime.stage")] ?? "activate"),
		isOver: done === traffic.length,
		atNextWrite: next < 0 ? undefined : progressAt(traffic, next, next + 1),
	};
}

const isList = ({ direction, label }: Pick<Boundary, "direction" | "label">) =>
	direction === "out" && label.endsWith(".list");

const serves = (more: Partial<Expected> = {}): Expected => ({ ending: { is: "serves" }, answer: "given", ...more });

const noise = "that is no message was skipped";

/** What the log says of a fault, wherever it happens. */
const problems: Partial<Record<FaultName, string>> = {
	"flood of noise": noise,
	"flood of stderr": "a line on stderr",
	"flood of logs": `flood ${floodLines - 1}`,
	noise,
	garbled: noise,
	"unknown notification": 'the notification "no.such.notification" is not known',
	batch: "batches are not supported",
	"endless line": "the connection was ended",
};

function said(fault: FaultName): { problem?: string } {
	const problem = problems[fault];
	return problem === undefined ? {} : { problem };
}

/** Whether the process ends with a dialog of it on screen. */
export function leavesDialog({ scenario, fault, moment }: Point): boolean {
	const isAsked = scenario === "ask" && moment.side === "after" && /^ui\.(?:input|confirm|select)$/.test(moment.label);
	return isAsked && (exitOf(fault) !== undefined || fault === "SIGSTOP");
}

// ── A load, and the load of the instance that is to replace another ──────────────────────────────────────────────

function ofLoad(point: Point, progress: Progress): Expected {
	const { fault, moment } = point;
	const { stage, isOver, heard, atNextWrite } = progress;
	const exit = exitOf(fault);
	const fails = (code: ErrorCode, more: { stage?: Stage; orStage?: Stage; exit?: Exit } = {}): Expected => ({
		ending: { is: "fails", code, stage, ...more },
		answer: code,
		...said(fault),
	});
	const crashes: Expected = { ending: { is: "crashes", exits: [exit ?? killed] }, answer: "given", ...said(fault) };
	if (exit !== undefined) return isOver ? crashes : fails("exited_before_ready", { exit });
	if (fault === "SIGSTOP") return isOver ? crashes : fails("ready_timeout");
	if (fault === "close stdin") {
		if (atNextWrite === undefined) return crashes;
		return fails("exited_before_ready", { stage: atNextWrite.stage, exit: killed });
	}
	if (heard("runtime.ready") === 0) {
		if (fault === "foreign hello") return fails("incompatible_protocol", { stage: "client.info" });
		if (fault === "forged failure") return fails("load_failed", { stage: "import" });
	}
	if (fault === "forged ready" && heard("client.info") === 0) return fails("load_failed");
	return faults[fault] === "replace" ? ofReplacedLoad(fault, moment.label, fails) : serves(said(fault));
}

function ofReplacedLoad(
	fault: FaultName,
	label: string,
	fails: (code: ErrorCode, more?: { orStage?: Stage }) => Expected,
): Expected {
	const isLost = fault === "garbled" || fault === "wrong id";
	if (label === "runtime.stage" && fault === "wrong shape") {
		return serves({ problem: "the notification runtime.stage is not what it should be" });
	}
	if (label === "runtime.ready" && fault !== "twice") return fails("ready_timeout");
	// Asked for without waiting: it is missing, and nothing else is.
	if (label === "status.create") return fault === "twice" ? serves() : serves({ ...said(fault), missing: "status" });
	const isRequest = /^(?:client\.info|ui\.notify|skill\.register)$/.test(label);
	const isList = /^answer to \w+\.list$/.test(label);
	// Right behind its hello, by the same write, the child says that it imports the plugin.
	const stage: { orStage?: Stage } = label === "client.info" ? { orStage: "import" } : {};
	if (isLost && (isRequest || isList)) return fails("ready_timeout", stage);
	// A second request of one id is refused under that id, so the plugin's own call fails.
	if (isRequest && fault === "twice") return { ...fails("load_failed", stage), orServes: true };
	if (isRequest || (isList && fault !== "twice")) return fails("load_failed");
	const kind = /^(\w+)s\.changed$/.exec(label)?.[1];
	return serves({ ...said(fault), ...(isLost && kind !== undefined ? { missing: kind } : {}) });
}

// ── A call ───────────────────────────────────────────────────────────────────────────────────────────────────────

function ofCall(point: Point, progress: Progress): Expected {
	const { scenario, fault, moment } = point;
	const { answeredBy } = scenarios[scenario];
	const isAnswered = answeredBy === "" || progress.heard(answeredBy) > 0;
	const exit = exitOf(fault);
	const lost: Expected["answer"] = scenario === "gate" ? "tool_rejected" : "lost";
	const crashes = (answer: Expected["answer"]): Expected => {
		return { ending: { is: "crashes", exits: [exit ?? killed] }, answer, ...said(fault) };
	};
	if (exit !== undefined || fault === "SIGSTOP") {
		// What is registered is asked for while the answer is on its way.
		if (scenario === "registration" && isList(moment)) return crashes("either");
		return crashes(isAnswered ? "given" : lost);
	}
	if (fault === "close stdin") {
		if (answeredBy === "") return crashes("given");
		// A sign of life that is asked for may find the wire closed before the answer has come.
		const isNeeded = scenario === "ask" && progress.atNextWrite !== undefined;
		return crashes(isNeeded ? "lost" : isAnswered ? "given" : "either");
	}
	// A second request of one id is refused under that id.
	if (fault === "twice" && moment.label.startsWith("ui.")) return serves({ answer: "invalid_request", orServes: true });
	if (faults[fault] !== "replace" || fault === "twice") return serves(said(fault));
	return { ...said(fault), ...ofReplacedCall(fault, moment, killed) };
}

function ofReplacedCall(fault: FaultName, { label, occurrence }: Moment, exit: Exit): Expected {
	const isLost = fault === "garbled" || fault === "wrong id";
	if (label.startsWith("ui.")) return serves({ answer: isLost ? "timeout" : "invalid_params" });
	const kind = /(\w+)s\.changed$/.exec(label)?.[1];
	if (kind !== undefined) return serves(isLost ? { missing: grown(kind) } : {});
	const listed = /(\w+)\.list$/.exec(label)?.[1];
	if (listed !== undefined) return serves({ missing: grown(listed), problem: "could not be fetched" });
	switch (label) {
		case "answer to tool.execute":
			return serves({ answer: isLost ? "timeout" : "invalid_answer" });
		case "answer to command.execute":
		case "answer to webhook.execute":
			// Its result is not looked at.
			return serves({ answer: isLost ? "timeout" : fault === "wrong shape" ? "given" : "invalid_answer" });
		case "answer to event.dispatch":
			return occurrence === 1
				? serves({ answer: "tool_rejected" })
				: serves({ problem: "its handler of tool.result failed" });
		case "answer to ping":
			return isLost ? { ending: { is: "crashes", exits: [exit] }, answer: "given" } : serves();
		default:
			return serves();
	}
}

const grown = (kind: string) => (kind === "tool" ? "tool subject subject_grown" : `${kind} subject subject:grown`);

// ── A stop, and the end of an instance that was replaced ─────────────────────────────────────────────────────────

function ofEnd({ fault, moment }: Point, { heard }: Progress): Expected {
	const exit = exitOf(fault);
	const ends = (exits: Exit[], problem?: string): Expected => ({
		ending: { is: "crashes", exits },
		answer: "given",
		...(problem === undefined ? said(fault) : { problem }),
	});
	// What disposed is interrupted at once, so both may come first.
	if (heard("answer to dispose") > 0) {
		const exits = exit === undefined ? [interrupted, killed] : [exit, interrupted];
		return { ending: { is: "crashes", exits }, answer: "given" };
	}
	if (exit !== undefined) return ends([exit]);
	if (fault === "SIGSTOP") return ends([killed], "it did not answer dispose within");
	if (moment.label === "answer to dispose") {
		if (fault === "wrong id" || fault === "garbled") return ends([interrupted], "it did not answer dispose within");
		if (/^(?:result and error|no result|malformed error)$/.test(fault)) return ends([interrupted], "dispose failed");
	}
	if (moment.label === "log" && fault === "wrong shape") {
		return ends([interrupted], "the notification log is not what it should be");
	}
	return ends([interrupted]);
}
