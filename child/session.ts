import type { ChildCalls, ChildNotifications, ClientInfo, GuardKind } from "../runtime/protocol.ts";
import type { Availability } from "../runtime/records.ts";
import type { Remote } from "../runtime/typed.ts";
import type { Ends, Line } from "./line.ts";
import type { Log } from "./log.ts";
import type { Registry } from "./registry.ts";
import type { PluginAPI } from "./types/plugin-api.ts";
import type { CommandAvailability } from "./types/tools.ts";

/**
 * One process of one plugin. What a plugin needs that only registers something is there from the start; the rest of the
 * runtime, the peer included, is loaded when it is needed for the first time.
 */
export interface Session {
	readonly line: Line;
	readonly hello: PromiseWithResolvers<ClientInfo>;
	readonly progress: Progress;
	readonly disposers: Set<() => unknown>;
	readonly original: Original;
	registry: Registry;
	log: Log;
	notify: Remote<ChildCalls, ChildNotifications>["notify"];
	/** The number of the handler that was registered last. */
	lastHandler: number;
	/** Loads the module of the plugin. */
	import(url: string): Promise<unknown>;
	/** Finds what the modules of the plugin are cached in, where that is not the cache of the runtime. */
	findCache?: () => Promise<object>;
	/** There once the host has answered hello. */
	info?: ClientInfo;
	/** What the plugin is given. */
	api?: PluginAPI;
	rest(): Rest;
	/** The rest if it has been loaded. */
	loaded(): Rest | undefined;
}

/** How far the load has come. */
export interface Progress {
	stage: "client.info" | "import" | "activate" | "ready";
}

/** Functions as they were before the plugin could replace them. */
export interface Original {
	exit: typeof process.exit;
	printError: typeof console.error;
}

/** What few plugins need before they are ready. */
export interface Rest {
	/** Members of the API, by name; each is made once. */
	readonly members: { [Name in RestName]: () => PluginAPI[Name] };
	/** Registrations that leave something to say: refusals, warnings, odd forms. */
	readonly judged: Pick<PluginAPI, "on" | "registerTool" | "registerCommand" | "onDispose">;
	readonly problems: LoadProblems;
	/** Reads what `setAvailability` of a command was given. */
	availabilityOf(given: CommandAvailability, id: string): Availability;
	/** Any values as one line of a log. */
	show(values: unknown[]): string;
	/** Resolves when all that was said has left this process. */
	flush(): Promise<void>;
	/** Lets all that was said leave before an exit; blocks. */
	leave(): void;
	/** Hears what nobody caught. */
	uncaught(error: unknown, origin: Origin): void;
	/** Tells the host why the load failed, and ends this process. */
	failed(error: unknown): Promise<void>;
	/** From now on the plugin is only examined. */
	examine(): Examination;
}

/** What is loaded when it is needed for the first time. */
export interface RestOfRuntime {
	createRest(session: Session): Rest;
	/** Makes a wire of stdin and stdout. */
	standardEnds(): { ends: Ends; guard: GuardKind };
}

export type Origin = "uncaught exception" | "unhandled rejection";

/** Errors of a load. */
export interface LoadProblems {
	incompatible(hostProtocol: string): Error;
	unimportable(): Error;
	noDefault(module: unknown): Error;
}

/** A load that goes on whatever is wrong. */
export interface Examination {
	/** Makes the members of the API tell of a refusal instead of throwing it. */
	watch(api: PluginAPI): void;
	/** Resolves when there is nothing more to hear of the plugin. */
	outcomeOf(load: Promise<LoadTimings>): Promise<LoadTimings>;
}

export interface LoadTimings {
	imported: number;
	activated: number;
	registered: number;
}

/** Members of the API that are not there from the start. */
export const restNames = [
	"ui",
	"createAgent",
	"getBuiltinAgent",
	"registerSkill",
	"registerAgentMode",
	"registerLinkPattern",
	"createStatusItem",
	"$",
	"helpers",
	"system",
	"configuration",
	"ai",
	"attachments",
	"activeThread",
	"threads",
	"createWebhook",
	"experimental",
] as const satisfies (keyof PluginAPI)[];

export type RestName = (typeof restNames)[number];
