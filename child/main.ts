import { type ByteChannel, openByteChannel } from "../runtime/channel.ts";
import { ndjson } from "../runtime/codec/ndjson.ts";
import { type BroodError, failure, messageOf } from "../runtime/errors.ts";
import { limits } from "../runtime/limits.ts";
import { createPeer, type Peer } from "../runtime/peer.ts";
import { type ChildCalls, type ChildNotifications, type GuardKind, protocolVersion } from "../runtime/protocol.ts";
import { type Remote, remote } from "../runtime/typed.ts";
import { hearActiveThread } from "./active-thread.ts";
import { createAmp } from "./amp.ts";
import { createAsk, siteOf } from "./ask.ts";
import { watchForCrashes } from "./crash.ts";
import { guardWire, hideLaunch } from "./guard.ts";
import { leaveInFull } from "./leave.ts";
import { loadPlugin, type Progress } from "./load.ts";
import { createLog, type Log } from "./log.ts";
import { createRegistry, type Registry } from "./registry.ts";
import { serveHost } from "./serve.ts";
import { headOf, showError } from "./show-error.ts";
import type { Validation } from "./validation.ts";
import { installVirtualModules } from "./virtual.ts";

/** The exit code of a child whose plugin did not load; the host has been told why. */
const exitNotLoaded = 70;
/** The exit code of a plugin that crashed. */
const exitCrashed = 1;

/** The bounds of the wire, until the host has told its own. */
const wireLimits = { ...limits.wire };

/** Makes this process the child of one plugin: hello, import, activate, ready, serve until the host goes away. */
export function startChild(): void {
	const { exit } = process;
	let channel: ByteChannel | undefined;
	const { error: print } = console;
	const wire = guardWire();
	hideLaunch();
	const peer = createPeer((listener) => {
		const { readable, sink } = wire;
		channel = openByteChannel({ readable, sink, codec: ndjson, limits: wireLimits, listener });
		return channel;
	}, wireLimits);
	process.exit = (code) => {
		if (channel !== undefined) leaveInFull(channel, wire.sink);
		return exit(code);
	};
	const host = remote<ChildCalls, ChildNotifications>(peer);
	const log = createLog(host.notify, () => peer.flush());
	const progress: Progress = { stage: "client.info" };
	const started: Started = { peer, host, progress, log };
	let ending = false;

	// Output that is still queued would be lost by an exit.
	async function end(code: number): Promise<void> {
		ending = true;
		await peer.flush();
		exit(code);
	}

	async function failed(error: unknown): Promise<void> {
		if (ending) return;
		started.validation?.failing(error);
		loadReport().reportFailure(host, progress, error, started.api);
		await end(exitNotLoaded);
	}

	watchForCrashes({
		crashed(error, origin) {
			if (started.validation !== undefined) return started.validation.uncaught(error, origin);
			if (progress.stage !== "ready") return void failed(error);
			if (ending) return;
			log("error", `${origin}: ${headOf(error)}`);
			print(`${origin}:\n${showError(error)}`);
			void end(exitCrashed);
		},
		unawaited(error, method) {
			log("warn", `amp call ${method} failed and nobody awaited it: ${messageOf(error)}${siteOf(error)}`);
		},
	});
	void peer.closed.then(() => exit(0));
	void start(started, wire.guard).catch(failed);
}

interface Started {
	peer: Peer;
	host: Remote<ChildCalls, ChildNotifications>;
	progress: Progress;
	log: Log;
	/** What the plugin is given. */
	api?: object;
	/** There while the plugin is only examined. */
	validation?: Validation;
}

async function start(started: Started, guard: GuardKind): Promise<void> {
	const { peer, host, progress, log } = started;
	const activeThread = hearActiveThread(peer, log);
	const info = await host.call("client.info", {
		protocol: protocolVersion,
		runtimeVersion: Bun.version,
		pid: process.pid,
		codecs: ["ndjson"],
		guard,
		ms: performance.now(),
	});
	Object.assign(wireLimits, info.limits);
	// The host has judged by semver; this catches one that does not judge.
	if (majorOf(info.protocol) !== majorOf(protocolVersion)) throw incompatible(info.protocol);
	const registry = createRegistry((kind, revision, notTold) => {
		host.notify(`${kind}s.changed`, { revision }, () => {
			notTold();
			void peer.flush().then(registry.announce);
		});
	});
	const validation = info.validate ? validationOf(started, registry) : undefined;
	const amp = createAmp({
		info,
		ask: createAsk(host),
		listen: (name, listener) => peer.listen(name, listener),
		activeThread,
		registry: validation?.registry ?? registry,
		log: validation?.log ?? log,
	});
	started.api = amp.api;
	validation?.watch(amp.api);
	serveHost(peer, { registry, amp });
	installVirtualModules();
	const load = loadPlugin({ info, host, peer, progress, amp: amp.api });
	const timings = await (validation?.outcomeOf(load, progress) ?? load);
	registry.announce();
	progress.stage = "ready";
	host.notify("runtime.ready", { timings: { ...timings, ready: performance.now() } });
}

function validationOf(started: Started, registry: Registry): Validation {
	const { createValidation } = require("./validation.ts") as typeof import("./validation.ts");
	started.validation = createValidation(started.host.notify, registry, started.log);
	return started.validation;
}

/** Loads when a load has failed. */
function loadReport() {
	return require("./load-report.ts") as typeof import("./load-report.ts");
}

function majorOf(version: string): string | undefined {
	return version.split(".")[0];
}

function incompatible(hostProtocol: string): BroodError {
	return failure("incompatible_protocol", {
		reason: `the host speaks ${hostProtocol}, the child ${protocolVersion}`,
		hint: "Use the child that belongs to this host.",
	});
}
