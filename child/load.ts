import { failure } from "../runtime/errors.ts";
import type { Peer } from "../runtime/peer.ts";
import type { ChildCalls, ChildNotifications, ClientInfo, ReadyTimings } from "../runtime/protocol.ts";
import type { Remote } from "../runtime/typed.ts";
import type { PluginAPI } from "./types/plugin-api.ts";

/** How far the load has come. */
export interface Progress {
	stage: "client.info" | "import" | "activate" | "ready";
}

export interface LoadContext {
	info: ClientInfo;
	host: Remote<ChildCalls, ChildNotifications>;
	peer: Peer;
	progress: Progress;
	amp: PluginAPI;
}

/** Imports the plugin and calls its default export. @throws what the plugin throws, or `no_default_export` */
export async function loadPlugin(context: LoadContext): Promise<Omit<ReadyTimings, "ready">> {
	const { info, amp } = context;
	const { path, root } = info.plugin;
	process.chdir(root);
	process.argv = [process.execPath, process.argv[1] ?? "", path];
	await begin(context, "import");
	if (/[?\\]/.test(path)) throw failure("load_failed", unimportable);
	const module: unknown = await import(Bun.pathToFileURL(path).href);
	const imported = performance.now();
	const activate = defaultFunction(module);
	const activated = performance.now();
	await begin(context, "activate");
	// Exactly one argument: plugins give a second parameter a default.
	await activate(amp);
	return { imported, activated, registered: performance.now() };
}

const unimportable = {
	reason: "Bun cannot import a path that contains a question mark or a backslash",
	hint: "Rename the file or its folder.",
};

/** Announces a stage and lets it leave before plugin code may block the loop for good. */
async function begin({ host, peer, progress }: LoadContext, stage: "import" | "activate"): Promise<void> {
	progress.stage = stage;
	host.notify("runtime.stage", { stage, ms: performance.now() });
	await peer.flush();
}

function defaultFunction(module: unknown): (amp: PluginAPI) => unknown {
	const found = (module as { default?: unknown }).default;
	if (typeof found === "function" && !isClass(found)) return found as (amp: PluginAPI) => unknown;
	throw failure("no_default_export", {
		reason: `${describeExports(module, found)} instead`,
		hint: 'Write "export default function (amp) { … }".',
	});
}

function isClass(value: object): boolean {
	return /^class[\s{]/.test(Function.prototype.toString.call(value));
}

function describeExports(module: unknown, found: unknown): string {
	if (typeof found === "function") return "it exports a class";
	if (found !== undefined) return `its default export is ${found === null ? "null" : `of type ${typeof found}`}`;
	const names = Object.keys(module as object);
	return names.length === 0 ? "it exports nothing" : `it exports only ${names.join(", ")}`;
}
