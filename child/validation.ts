import { type Subscription, subscription } from "../runtime/disposable.ts";
import { limits } from "../runtime/limits.ts";
import type { ChildCalls, ChildNotifications, ReadyTimings } from "../runtime/protocol.ts";
import type { FindingCode } from "../runtime/protocol-validation.ts";
import { eventNames, type Kind } from "../runtime/records.ts";
import type { Remote } from "../runtime/typed.ts";
import { toWireError } from "../runtime/wire-error.ts";
import type { Log } from "./log.ts";
import { meantMember } from "./meant-member.ts";
import type { Registry } from "./registry.ts";
import type { Progress } from "./session.ts";
import type { PluginAPI } from "./types/plugin-api.ts";

/** Examines a plugin while it loads: whatever is wrong is told to the host, and the load goes on. */
export interface Validation {
	/** Tells of each registration, and of one that takes the place of another. */
	registry: Registry;
	/** Tells of what is odd about a registration, with its place. */
	log: Log;
	/** Makes the members of the API tell of a refusal instead of throwing it. */
	watch(api: PluginAPI): void;
	/** Hears what nobody caught; it does not end the load. */
	uncaught(error: unknown, origin: "uncaught exception" | "unhandled rejection"): void;
	/** Hears what ends the load. */
	failing(error: unknown): void;
	/**
	 * Resolves when the plugin was loaded, all that it asked to register has been answered, and what it left to itself had
	 * time to fail. A default export that fails is told, and what it had registered by then can still be asked for.
	 */
	outcomeOf(load: Promise<Timings>, progress: Progress): Promise<Timings>;
}

type Timings = Omit<ReadyTimings, "ready">;

interface Subject {
	kind?: Kind | undefined;
	key?: string | undefined;
}

type Tell = (code: FindingCode, error: unknown, subject?: Subject) => void;

export function createValidation(
	notify: Remote<ChildCalls, ChildNotifications>["notify"],
	registry: Registry,
	log: Log,
): Validation {
	let told = 0;
	const tell: Tell = (code, error, { kind, key } = {}) => {
		if (++told > limits.validate.findingsMax) return;
		const subject = { ...(kind === undefined ? {} : { kind }), ...(key === undefined ? {} : { key }) };
		notify("validation.found", { code, ...subject, error: toWireError(error) });
	};
	const attempts = createAttempts(tell);
	let api: object = {};
	tellOfExits(tell);

	function failing(error: unknown): void {
		const meant = meantMember(error, api);
		if (meant !== undefined) tell("unknown_member", error, { key: meant });
	}

	return {
		registry: watchedRegistry(registry, tell),
		log(level, message) {
			if (level === "warn" && attempts.underWay()) tell("odd", new Error(message));
			else log(level, message);
		},
		watch(given) {
			api = given;
			for (const [name, kind] of watched) {
				const member: unknown = Reflect.get(given, name);
				if (typeof member !== "function") continue;
				const attempt = (...args: unknown[]) =>
					attempts.run(name, kind, args, () => Reflect.apply(member, given, args));
				Reflect.set(given, name, attempt);
			}
		},
		uncaught: (error, origin) =>
			tell(origin === "unhandled rejection" ? "unhandled_rejection" : "uncaught_exception", error),
		failing,
		async outcomeOf(load, progress) {
			const [outcome] = await Promise.allSettled([load]);
			await attempts.answered();
			await sleep(limits.validate.settleMs);
			await attempts.answered();
			if (outcome.status === "fulfilled") return outcome.value;
			// Before that nothing can have been registered.
			if (progress.stage !== "activate") throw outcome.reason;
			failing(outcome.reason);
			tell("failed", outcome.reason);
			const now = performance.now();
			return { imported: now, activated: now, registered: now };
		},
	};
}

// Kept, since a plugin may replace it.
const { sleep } = Bun;

const watched: readonly (readonly [name: keyof PluginAPI, kind?: Kind])[] = [
	["on", "event"],
	["registerTool", "tool"],
	["registerCommand", "command"],
	["registerSkill", "skill"],
	["registerAgentMode", "mode"],
	["registerLinkPattern", "link"],
	["createAgent"],
	["getBuiltinAgent"],
	["createWebhook"],
];

/** Runs what registers something; a refusal is told, and what the plugin gets instead does nothing. */
function createAttempts(tell: Tell) {
	const pending = new Set<Promise<unknown>>();
	/** Agents that were refused, and their definitions: a mode that has one is not wrong a second time. */
	const spoilt = new WeakSet<object>();
	let depth = 0;

	function refuse(name: string, args: unknown[], error: unknown, subject: Subject, place: Error): unknown {
		tell("refused", withPlace(error, place), subject);
		if (name === "createWebhook") return { url: "" };
		return /Agent$/.test(name) ? spoiltAgent(args[0], spoilt) : inert();
	}

	return {
		underWay: () => depth > 0,
		async answered(): Promise<void> {
			while (pending.size > 0) await Promise.allSettled(pending);
		},
		run(name: string, kind: Kind | undefined, args: unknown[], make: () => unknown): unknown {
			const subject = { kind, key: keyOf(args[0]) };
			if (name === "on" && !(eventNames as readonly unknown[]).includes(args[0])) {
				const message = `on(${JSON.stringify(args[0])}): there is no such event; there are ${eventNames.join(", ")}`;
				tell("unknown_event", new Error(message), subject);
				return inert();
			}
			const agent = kind === "mode" ? memberOf(args[0], "agent") : undefined;
			if (typeof agent === "object" && agent !== null && spoilt.has(agent)) {
				tell("spoilt", new Error("its agent was refused"), subject);
				return inert();
			}
			const place = new Error("asked for here");
			depth += 1;
			try {
				const made = make();
				if (!(made instanceof Promise)) return made;
				const answered = made.catch((error: unknown) => refuse(name, args, error, subject, place));
				pending.add(answered);
				void answered.finally(() => pending.delete(answered));
				return answered;
			} catch (error) {
				return refuse(name, args, error, subject, place);
			} finally {
				depth -= 1;
			}
		},
	};
}

function inert(): Subscription & { setAvailability(): void } {
	return { ...subscription(() => {}), setAvailability() {} };
}

function spoiltAgent(given: unknown, spoilt: WeakSet<object>): object {
	const definition = typeof given === "object" && given !== null ? given : {};
	const refused = async () => {
		throw new Error("this agent was refused");
	};
	const agent = { definition, createThread: refused, run: refused };
	spoilt.add(agent).add(definition);
	return agent;
}

/** An error that came back from the host does not know where the plugin asked. */
function withPlace(error: unknown, place: Error): unknown {
	if (error instanceof Error) error.stack = `${error.stack}\n${place.stack}`;
	return error;
}

/** The name, id, key or path by which a registration is known. */
function keyOf(given: unknown): string | undefined {
	const keys = typeof given === "string" ? [given] : ["name", "id", "key", "path"].map((key) => memberOf(given, key));
	return keys.find((key): key is string => typeof key === "string");
}

function memberOf(given: unknown, name: string): unknown {
	return typeof given === "object" && given !== null ? Reflect.get(given, name) : undefined;
}

function watchedRegistry(registry: Registry, tell: Tell): Registry {
	const current = new Map<string, object>();
	return {
		...registry,
		put(kind, key, item, serve) {
			const id = `${kind} ${key}`;
			const isAgain = current.has(id);
			// Handlers of events have no name of their own, and skills are put when the plugin's call is over.
			if (isAgain || (kind !== "event" && kind !== "skill"))
				tell(isAgain ? "duplicate" : "registered", new Error(key), { kind, key });
			const registration = registry.put(kind, key, item, serve);
			current.set(id, registration);
			const end = subscription(() => {
				if (current.get(id) === registration) current.delete(id);
				registration.unsubscribe();
			});
			return { ...registration, ...end };
		},
	};
}

/** A plugin that ends its process says where. */
function tellOfExits(tell: Tell): void {
	const { exit } = process;
	process.exit = (code) => {
		tell("exit", new Error("process.exit"));
		return exit(code);
	};
}
