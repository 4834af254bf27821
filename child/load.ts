import { type GuardKind, type Listings, protocolVersion } from "../runtime/protocol.ts";
import { createAmp } from "./amp.ts";
import type { Launch } from "./launch.ts";
import { helloId } from "./line.ts";
import { observableSymbol } from "./observable-symbol.ts";
import type { Registry } from "./registry.ts";
import { rehearse } from "./rehearsal.ts";
import type { LoadTimings, Session } from "./session.ts";
import type { PluginAPI } from "./types/plugin-api.ts";
import { installVirtualModules } from "./virtual.ts";

/**
 * Says hello, imports the plugin, calls its default export, and says that it is ready. A plugin whose path is known is
 * imported while the answer to hello is on its way.
 *
 * @throws what the plugin throws, `no_default_export`, `load_failed` or `incompatible_protocol`
 */
export async function loadPlugin(session: Session, launch: Launch, guard?: GuardKind): Promise<void> {
	const { line, progress, hello } = session;
	const greeting = helloOf(launch, guard);
	let imported: Promise<Imported> | undefined;
	if (launch.path === undefined) line.send(greeting);
	else line.send(greeting, { jsonrpc: "2.0", method: "runtime.stage", params: stageParams("import") });
	installVirtualModules();
	observableSymbol();
	if (launch.path !== undefined) {
		imported = importPlugin(session, launch.path, launch.root);
		// The answer comes first, whatever comes of the import.
		imported.catch(() => {});
	}
	// Of a process that waits nobody expects anything soon.
	else if (launch.socket) setTimeout(() => void rehearse(session).catch(() => {}), 0);
	const info = await hello.promise;
	// The host has judged by semver; this catches one that does not judge.
	if (info.protocol !== protocolVersion && majorOf(info.protocol) !== majorOf(protocolVersion)) {
		throw session.rest().problems.incompatible(info.protocol);
	}
	session.info = info;
	// What comes of the import is heard from here on; before, it is the answer that was missing or wrong.
	progress.stage = "import";
	const examination = info.validate ? session.rest().examine() : undefined;
	const api = createAmp(session);
	session.api = api;
	examination?.watch(api);
	const load = activatePlugin(session, api, imported ?? importLater(session, launch, info.plugin));
	const timings = await (examination?.outcomeOf(load) ?? load);
	progress.stage = "ready";
	const lists = listsOf(session.registry);
	session.notify("runtime.ready", { timings: { ...timings, ready: performance.now() }, ...lists });
}

function helloOf({ socket, path }: Launch, guard?: GuardKind): object {
	const params = {
		protocol: protocolVersion,
		runtimeVersion: Bun.version,
		pid: process.pid,
		codecs: ["ndjson", "ndjson+parts"],
		guard,
		ms: performance.now(),
		spare: (socket && path === undefined) || undefined,
	};
	return { jsonrpc: "2.0", id: helloId, method: "client.info", params };
}

interface Imported {
	module: unknown;
	/** When it was there. */
	ms: number;
}

async function importLater(session: Session, { socket }: Launch, { path, root }: { path: string; root: string }) {
	// A host that gives a plugin to a process that waited knows what comes next.
	if (!socket) await begin(session, "import");
	return importPlugin(session, path, root);
}

async function importPlugin(session: Session, path: string, root: string | undefined): Promise<Imported> {
	if (root !== undefined) process.chdir(root);
	process.argv = [process.execPath, process.argv[1] ?? "", path];
	if (path.includes("?") || path.includes("\\")) throw session.rest().problems.unimportable();
	const module: unknown = await session.import(Bun.pathToFileURL(path).href);
	return { module, ms: performance.now() };
}

async function activatePlugin(session: Session, api: PluginAPI, importing: Promise<Imported>): Promise<LoadTimings> {
	const { module, ms: imported } = await importing;
	const activate = (module as { default?: unknown }).default;
	if (typeof activate !== "function" || isClass(activate)) throw session.rest().problems.noDefault(module);
	const activated = performance.now();
	await begin(session, "activate");
	// Exactly one argument: plugins give a second parameter a default.
	const given: unknown = activate(api);
	if (isPending(given)) session.registry.tellByTurns();
	await given;
	return { imported, activated, registered: performance.now() };
}

/** Announces a stage and lets it leave before plugin code may block the loop for good. */
async function begin(session: Session, stage: "import" | "activate"): Promise<void> {
	session.progress.stage = stage;
	session.notify("runtime.stage", stageParams(stage));
	await session.loaded()?.flush();
}

function stageParams(stage: "import" | "activate") {
	return { stage, ms: performance.now() };
}

/** Whether there is something to wait for; an async function that awaits nothing has ended already. */
function isPending(given: unknown): boolean {
	return given instanceof Promise ? peek(given) === given : given !== undefined;
}

/** The prototype of a class cannot be replaced; nor can that of a function that was frozen, which is read last, since it is dear. */
function isClass(value: object): boolean {
	return (
		Object.getOwnPropertyDescriptor(value, "prototype")?.writable === false && sourceOf.call(value).startsWith("class")
	);
}

/** What was registered goes along with the last word of the load, unless it is so much that the host should ask for it. */
function listsOf(registry: Registry): { lists?: Listings } {
	const lists = registry.listAll();
	const isSmall = stringify(lists).length <= listsCharsMax;
	if (isSmall) registry.told();
	else registry.announce();
	return isSmall ? { lists } : {};
}

const listsCharsMax = 1_000_000;

// Kept, since a plugin may replace the global functions.
const { peek } = Bun;
const { stringify } = JSON;
const { toString: sourceOf } = Function.prototype;

function majorOf(version: string): string | undefined {
	return version.split(".")[0];
}
