import type { TurnOutcome } from "../../host/calls/turn-types.ts";
import { describeAnswer, type ScriptedAnswer } from "../../host/ui/scripted.ts";
import { BroodError, type ErrorCode, failure, withoutHint } from "../../runtime/errors.ts";
import type { TapFrame } from "../../runtime/tap.ts";
import { turnError } from "./turn-script.ts";

/** Knows what a plugin has asked for and the test has not given, or wrongly, and what it has given for nothing. */
export interface Strictness {
	/** Sees each message of the plugin. */
	observe(frame: TapFrame): void;
	/** Does what a test wants done. @throws BroodError with what the plugin asked for meanwhile and did not get */
	during<Result>(task: () => Promise<Result>): Promise<Result>;
	/** @throws BroodError likewise, for what was asked and not told yet */
	check(): void;
	/** What came of a turn. @throws BroodError with what did not go as the script says */
	played(plugin: string, outcome: TurnOutcome): TurnOutcome;
	/** When this plugin can ask nothing any more: the same as an error, or that answers are left. */
	finish(plugin: string): BroodError | undefined;
}

/** What a test has given, as far as it is known from the messages of a plugin whether that was enough. */
export interface GivenByTest {
	/** The answers to dialogs that none has taken; undefined when there is no list, which must hold an answer for each. */
	left: (() => readonly ScriptedAnswer[]) | undefined;
	/** Whether there is a thread that the plugin could mean. */
	hasThreads(): boolean;
}

export function createStrictness({ left, hasThreads }: GivenByTest): Strictness {
	const refusals: Refusal[] = [];
	// What a plugin was refused keeps it from asking for the rest.
	let isTold = false;

	function kindOf(code: string): RefusalCode | undefined {
		if (code === "provider_missing" || (code === "ui_not_available" && left !== undefined)) return "provider_missing";
		if (code === "thread_not_found") return hasThreads() ? undefined : code;
		return code === "invalid_answer" ? code : undefined;
	}

	function check(cause?: unknown): void {
		if (refusals.length === 0) return;
		isTold = true;
		throw toldOf(refusals.splice(0), cause);
	}

	return {
		observe({ direction, kind, method = "", message }) {
			if (direction !== "out" || kind !== "error") return;
			const { error } = message as { error?: { message?: string; data?: { code?: string; hint?: string } } };
			const { code = "", hint } = error?.data ?? {};
			const told = kindOf(code);
			if (told === undefined) return;
			const text = withoutHint({ message: error?.message ?? "", hint });
			refusals.push({ code: told, member: memberOf(method, text), text: code === "provider_missing" ? "" : text });
		},
		async during(task) {
			let result: Awaited<ReturnType<typeof task>>;
			try {
				result = await task();
			} catch (error) {
				check(error);
				throw error;
			}
			check();
			return result;
		},
		check,
		played(plugin, outcome) {
			const error = turnError(plugin, outcome);
			if (error !== undefined) throw error;
			return outcome;
		},
		finish(plugin) {
			if (refusals.length > 0) return toldOf(refusals.splice(0), undefined);
			const answers = left?.() ?? [];
			return isTold || answers.length === 0 ? undefined : unasked(plugin, answers);
		},
	};
}

/** Of a test that does not want to know. */
export const lenient: Strictness = {
	observe() {},
	during: (task) => task(),
	check() {},
	played: (_, outcome) => outcome,
	finish: () => undefined,
};

/** Something that a plugin was refused, by the kind of it. */
interface Refusal {
	code: RefusalCode;
	member: string;
	/** What the plugin was told, where that says more than the name of the member. */
	text: string;
}

type RefusalCode = Extract<ErrorCode, "provider_missing" | "invalid_answer" | "thread_not_found">;

/** What to do about each kind. */
const hints: Record<RefusalCode, string> = {
	invalid_answer: "Give testPlugin an answer that fits, or strict: false to let the plugin alone know.",
	thread_not_found:
		"Make one by plugin.host.threads.create() and name it in the call, { threadID }, or give testPlugin threads (createThreads of brood).",
	provider_missing: "Give testPlugin what it needs (ui, ai, agents, …), or strict: false to let the plugin alone know.",
};

/** All of them as one error, which is of the first kind. */
function toldOf(refusals: readonly Refusal[], cause: unknown): BroodError {
	const errors = [...Map.groupBy(refusals, ({ code }) => code)].map(([code, alike]) => errorOf(code, alike));
	const [first = failure("internal")] = errors;
	const message = errors.map((error) => error.message).join(" ");
	return new BroodError(first.code, message, { hint: errors.at(-1)?.hint, ...(cause === undefined ? {} : { cause }) });
}

function errorOf(code: RefusalCode, refusals: readonly Refusal[]): BroodError {
	const hint = hints[code];
	const texts = unique(refusals.map(({ text }) => text)).filter((text) => text !== "");
	if (code !== "provider_missing") return new BroodError(code, `${texts.join(" ")} ${hint}`, { hint });
	const subject = unique(refusals.map(({ member }) => member)).join(", ");
	const reason = texts.map((text) => text.slice(text.indexOf(": ") + 2)).join(" ");
	return failure(code, { subject, hint, ...(reason === "" ? {} : { reason }) });
}

function unasked(plugin: string, answers: readonly ScriptedAnswer[]): BroodError {
	const what = answers.length === 1 ? "an answer" : `${answers.length} answers`;
	const reason = `The option ui of testPlugin holds ${what} that plugin "${plugin}" has not asked for: ${answers.map(describeAnswer).join("; ")}`;
	const hint =
		"Take out what is not needed; with strict: false, or scriptedUI of brood as the ui, answers may be left.";
	return failure("usage", { plugin, reason, hint });
}

function unique(texts: readonly string[]): string[] {
	return [...new Set(texts)];
}

/** The member of the API behind a call on the wire, of which one serves all that a thread has. */
function memberOf(method: string, refusal: string): string {
	const ofThread = method.startsWith("thread.") ? /^thread\.\S+/.exec(refusal)?.[0] : undefined;
	return `amp.${ofThread ?? apiNames[method] ?? method}`;
}

const apiNames: Record<string, string> = {
	"agent.run": "createAgent(…).run",
	"agent.createThread": "createAgent(…).createThread",
	"executor.keepAlive": "system.executor.keepAlive",
	"webhook.create": "createWebhook",
};
