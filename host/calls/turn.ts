import { isBroodError, messageOf } from "../../runtime/errors.ts";
import type { EventName, Json, JsonObject } from "../../runtime/records.ts";
import type { Dispatch } from "./dispatch.ts";
import { outputOf } from "./envelope.ts";
import type { Events } from "./events.ts";
import { newID } from "./payload.ts";
import { expectedMessages } from "./turn-expect.ts";
import { createTurnRecord, type TurnRecord } from "./turn-record.ts";
import { parseTurnScript } from "./turn-script.ts";
import type {
	ToolDecision,
	ToolSource,
	TurnOptions,
	TurnOutcome,
	TurnRound,
	TurnScript,
	TurnStatus,
	TurnTool,
} from "./turn-types.ts";

/** What a played turn does to the plugins. */
export interface TurnParts {
	emit: Events["emit"];
	callTool: Dispatch["callTool"];
	hasTool(name: string): boolean;
	/** The id of the thread of a script that names none. */
	activeThread(): string | undefined;
	/** A turn that goes on without end is ended after as many rounds. */
	roundsMax: number;
}

/**
 * Plays a turn as an agent would: session.start, agent.start, for each tool tool.call, the tool and tool.result, then
 * agent.end; and as long as a plugin wants to continue, another round. A gate that answers with `error` ends the turn:
 * what is left of its round is not played, and agent.end has the status `error`.
 *
 * @throws BroodError `usage` for a script that cannot be played, `cancelled` when the signal fires
 */
export async function playTurn(parts: TurnParts, given: unknown, options: TurnOptions = {}): Promise<TurnOutcome> {
	const script = parseTurnScript(given);
	const player = new Player(parts, script, options);
	return player.play();
}

class Player {
	readonly #parts: TurnParts;
	readonly #script: TurnScript;
	readonly #options: TurnOptions;
	readonly #record: TurnRecord;
	readonly #thread: { id: string };
	readonly #messages: JsonObject[] = [];
	#round = 0;

	constructor(parts: TurnParts, script: TurnScript, options: TurnOptions) {
		this.#parts = parts;
		this.#script = script;
		this.#options = options;
		this.#thread = { id: script.thread ?? parts.activeThread() ?? newID("T") };
		this.#record = createTurnRecord(options.onStep);
	}

	async play(): Promise<TurnOutcome> {
		const { session = true, message, rounds = [] } = this.#script;
		const all: TurnRound[] = [this.#script, ...rounds];
		let next: string | undefined = message;
		while (next !== undefined && this.#round < this.#parts.roundsMax) {
			const round: TurnRound = all[this.#round] ?? {};
			this.#round += 1;
			if (session && this.#round === 1) await this.#watch("session.start", {}, () => ({}));
			next = await this.#playRound(round, next);
		}
		if (next !== undefined) this.#record.fail("rounds", `the turn was ended after ${this.#round} rounds`);
		if (all.length > this.#round) {
			const why = next === undefined ? "no plugin continued the turn" : "no turn has more rounds";
			this.#record.fail("rounds", `${describeRounds(rounds.length, this.#round)}: ${why}`);
		}
		const { steps, failures } = this.#record;
		return { ok: failures.length === 0, thread: this.#thread.id, rounds: this.#round, steps, failures };
	}

	/** @returns the message of the next round, where a plugin wants one */
	async #playRound(round: TurnRound, message: string): Promise<string | undefined> {
		const { start, tools = [], reply, end } = round;
		const id = newID("M");
		const begun = this.#messages.length;
		this.#say("user", [{ type: "text", text: message }], id);
		const appended = (result: Json) => ({ messages: member(result, "messages") ?? [] });
		await this.#watch("agent.start", { message, id }, appended, expectedMessages(start?.expect));
		const stopped = await this.#playTools(tools);
		if (stopped !== undefined) this.#failUnplayed(round, stopped);
		else if (reply !== undefined) this.#say("assistant", [{ type: "text", text: reply }]);
		const status = stopped === undefined ? (end?.status ?? "done") : "error";
		const payload = { message, id, status, messages: this.#messages.slice(begun) };
		const how: JsonObject = stopped === undefined ? { status } : { status, error: stopped.error };
		const ended = (result: Json) => {
			const userMessage = member(result, "userMessage");
			return userMessage === undefined
				? { ...how, continue: false }
				: { ...how, continue: userMessage, plugin: member(result, "plugin") ?? null };
		};
		const outcome = await this.#watch("agent.end", payload, ended, end?.expect);
		return typeof outcome.continue === "string" ? outcome.continue : undefined;
	}

	/** @returns what ended the turn, where a gate did */
	async #playTools(tools: TurnTool[]): Promise<Stopped | undefined> {
		for (const [index, tool] of tools.entries()) {
			const stop = await this.#playTool(tool);
			if (stop !== undefined) return { ...stop, played: index + 1 };
		}
		return undefined;
	}

	/** What a script has for an agent that goes on is a mistake where a gate ends the turn. */
	#failUnplayed({ tools = [], reply, end }: TurnRound, { gate, step, played }: Stopped): void {
		const unplayed = tools.slice(played).map(({ tool }) => `tool "${tool}"`);
		if (reply !== undefined) unplayed.push("the reply");
		if (end?.status !== undefined && end.status !== "error") unplayed.push(`the end with the status ${end.status}`);
		if (unplayed.length === 0) return;
		const message = `a gate ended the turn with an error, so this was not played: ${unplayed.join(", ")}`;
		this.#record.fail("steps", message, { step, ...(gate === undefined ? {} : { plugin: gate }) });
	}

	/** @returns why the turn ends with it, where a gate says so */
	async #playTool(script: TurnTool): Promise<Omit<Stopped, "played"> | undefined> {
		const { tool, input: asked = {}, expect } = script;
		const call = { tool, toolUseID: newID("toolu") };
		this.#say("assistant", [{ type: "tool_use", id: call.toolUseID, name: tool, input: asked }]);
		const event = await this.#emit("tool.call", { ...call, input: asked });
		const decision = (member(event.result, "action") ?? "allow") as ToolDecision;
		const changed = member(event.result, "input");
		const input = decision === "modify" && isObject(changed) ? changed : asked;
		const { handlers } = event;
		const decisive =
			handlers.findLast(({ result }) => member(result, "action") === decision) ??
			handlers.findLast(({ error }) => error !== undefined);
		const gate: JsonObject = decision === "allow" || decisive === undefined ? {} : { gate: decisive.plugin };
		const decided: JsonObject = { decision, ...gate, input };
		const called = this.#record.step({ step: "tool.call", round: this.#round, tool, handlers, outcome: decided });

		const made = await this.#toolResult(script, decision, event.result, input);
		const { source, failed: _, ...seen } = made;
		const after = await this.#emit("tool.result", { ...call, input, ...seen });
		const told: JsonObject = { ...seen, ...(isObject(after.result) ? after.result : {}) };
		this.#say("user", [{ type: "tool_result", toolUseID: call.toolUseID, ...told }]);
		const outcome = { ...decided, source, ...told };
		const number = this.#record.step(
			{ step: "tool.result", round: this.#round, tool, handlers: after.handlers, outcome },
			expect,
		);
		// Whoever says how a tool ends has expected that it fails.
		const isExpected = expect?.status !== undefined || expect?.error !== undefined;
		if (made.failed !== undefined && !isExpected) {
			this.#record.fail("tool", `tool "${tool}" failed: ${seen.error}`, { step: number, ...made.failed });
		}
		return decision === "error" ? { gate: decisive?.plugin, step: called, error: seen.error ?? "" } : undefined;
	}

	/** What the agent sees before plugins see it: the gate's word, the script's, or that of the plugin's own tool. */
	async #toolResult(
		{ tool, result, error }: TurnTool,
		decision: ToolDecision,
		answer: Json,
		input: JsonObject,
	): Promise<Made> {
		const message = String(member(answer, "message") ?? "");
		if (decision === "reject-and-continue" || decision === "error")
			return { source: "gate", status: "error", error: message };
		if (decision === "synthesize") {
			return { source: "gate", status: "done", output: member(member(answer, "result"), "output") ?? "" };
		}
		if (error !== undefined) return { source: "script", status: "error", error };
		if (result !== undefined) return { source: "script", status: "done", output: result };
		if (!this.#parts.hasTool(tool)) return { source: "nobody", status: "done", output: "" };
		return this.#runTool(tool, input);
	}

	async #runTool(tool: string, input: JsonObject): Promise<Made> {
		const { signal, timeoutMs } = this.#options;
		const source = "plugin";
		try {
			const { ok, content, text, plugin } = await this.#parts.callTool(tool, input, {
				events: false,
				threadID: this.#thread.id,
				...(signal === undefined ? {} : { signal }),
				...(timeoutMs === undefined ? {} : { timeoutMs }),
			});
			if (ok) return { source, status: "done", output: outputOf(content) };
			return { source, status: "error", error: text, failed: { plugin } };
		} catch (error) {
			if (signal?.aborted || isBroodError(error, "host_stopped")) throw error;
			const plugin = isBroodError(error) ? error.plugin : undefined;
			return { source, status: "error", error: messageOf(error), failed: plugin === undefined ? {} : { plugin } };
		}
	}

	/** Lets all see one event, and records the step. */
	async #watch(
		event: "session.start" | "agent.start" | "agent.end",
		data: JsonObject,
		outcomeOf: (result: Json) => JsonObject,
		expect?: JsonObject,
	): Promise<JsonObject> {
		const { handlers, result } = await this.#emit(event, data);
		const outcome = outcomeOf(result);
		this.#record.step({ step: event, round: this.#round, handlers, outcome }, expect);
		return outcome;
	}

	#emit(event: EventName, data: JsonObject) {
		const { signal, timeoutMs } = this.#options;
		return this.#parts.emit(event, { thread: this.#thread, ...data }, { signal, timeoutMs });
	}

	#say(role: string, content: Json[], id = newID("M")): void {
		this.#messages.push({ role, id, content });
	}
}

/** A gate that answered with `error` ended the turn. */
interface Stopped {
	gate: string | undefined;
	/** The number of the step in which it did. */
	step: number;
	error: string;
	/** How many tools of the round were played, its own counted. */
	played: number;
}

interface Made {
	source: ToolSource;
	status: TurnStatus;
	output?: Json;
	error?: string;
	/** Set where the plugin's own tool failed. */
	failed?: { plugin?: string };
}

/** The first of all rounds is the script itself, and no entry of `rounds`. */
function describeRounds(entries: number, rounds: number): string {
	const played = Math.max(0, rounds - 1);
	return `rounds has ${entries === 1 ? "1 entry" : `${entries} entries`}, of which ${played} ${played === 1 ? "was" : "were"} played`;
}

function member(value: Json | undefined, name: string): Json | undefined {
	return isObject(value) ? value[name] : undefined;
}

function isObject(value: Json | undefined): value is JsonObject {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
