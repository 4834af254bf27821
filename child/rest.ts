import { type ByteChannel, openByteChannel } from "../runtime/channel.ts";
import { codecOf, ndjson } from "../runtime/codec/ndjson.ts";
import { failure } from "../runtime/errors.ts";
import { limits } from "../runtime/limits.ts";
import { createPeer, type Peer } from "../runtime/peer.ts";
import { type ChildCalls, type ChildNotifications, type ClientInfo, protocolVersion } from "../runtime/protocol.ts";
import { remote } from "../runtime/typed.ts";
import { socketWire } from "../runtime/wire-socket.ts";
import { streamWire } from "../runtime/wire-stream.ts";
import { switchingWire } from "../runtime/wire-switch.ts";
import { hearActiveThread } from "./active-thread.ts";
import { createJudged } from "./api/register-judged.ts";
import { availabilityOf } from "./api/validate.ts";
import { createAsk } from "./ask.ts";
import { createEnding } from "./ending.ts";
import { leaveInFull } from "./leave.ts";
import { helloId } from "./line.ts";
import { createLog } from "./log.ts";
import { createMembers } from "./members.ts";
import { serveHost } from "./serve.ts";
import type { LoadProblems, Rest, Session } from "./session.ts";
import { showError, showInLine } from "./show-error.ts";

export { standardEnds } from "./guard-descriptors.ts";

/** Gives the wire to a peer, serves the host from now on, and makes what few plugins need before they are ready. */
export function createRest(session: Session): Rest {
	const { peer, leave } = openPeer(session);
	const host = remote<ChildCalls, ChildNotifications>(peer);
	session.notify = host.notify;
	session.log = createLog(host.notify, () => peer.flush());
	const members = createMembers({
		session,
		ask: createAsk(host),
		listen: (name, listener) => peer.listen(name, listener),
		activeThread: hearActiveThread(peer, session),
	});
	serveHost(peer, session, members);
	void peer.closed.then(({ cause }) => {
		const isOwn = cause instanceof Error && !hostGone.includes(Reflect.get(cause, "code"));
		// The host is still there, and shows what this process prints.
		if (isOwn) session.original.printError(showError(cause));
		session.original.exit(isOwn ? 1 : 0);
	});
	return {
		members: members.lazy,
		judged: createJudged(session),
		problems,
		availabilityOf: (given, id) => availabilityOf(given, `setAvailability of "${id}"`, session.log),
		show: (values) => values.map(showPart).join(" ").slice(0, limits.text.logLineBytesMax),
		flush: () => peer.flush(),
		leave,
		...createEnding(session, host, () => peer.flush()),
	};
}

/** Codes of errors of a wire whose other side has ended. */
const hostGone: unknown[] = ["EPIPE", "ECONNRESET"];

function openPeer({ line, hello, info }: Session): { peer: Peer; leave(): void } {
	/** The bounds of the wire, until the host has told its own. */
	const wireLimits = { ...limits.wire };
	const { isAsking, received, reader, sink, flushing, descriptor } = line.handOver();
	const stream = streamWire(reader, sink, flushing);
	// A socket of the event loop answers faster, and wakes an idle process up.
	const wire = descriptor === undefined ? stream : switchingWire(stream, () => socketWire(descriptor));
	let channel: ByteChannel | undefined;
	const peer = createPeer((listener) => {
		channel = openByteChannel({ wire, received, codec: ndjson, limits: wireLimits, listener });
		return channel;
	}, wireLimits);
	const agree = ({ limits: told, codec }: ClientInfo) => {
		Object.assign(wireLimits, told);
		channel?.speak(codecOf(codec));
	};
	if (info === undefined) void hello.promise.then(agree);
	else agree(info);
	if (isAsking) peer.resume(helloId, "client.info").then((info) => hello.resolve(info as ClientInfo), hello.reject);
	return { peer, leave: () => channel && leaveInFull(channel) };
}

/** One value of a log line; cut at its end and nowhere else, so that whoever looks for secrets knows where half of one may stand. */
function showPart(value: unknown): string {
	const text = typeof value === "string" ? value : showInLine(value);
	return text.slice(0, limits.text.logLineBytesMax);
}

const problems: LoadProblems = {
	incompatible: (hostProtocol) =>
		failure("incompatible_protocol", {
			reason: `the host speaks ${hostProtocol}, the child ${protocolVersion}`,
			hint: "Use the child that belongs to this host.",
		}),
	unimportable: () =>
		failure("load_failed", {
			reason: "Bun cannot import a path that contains a question mark or a backslash",
			hint: "Rename the file or its folder.",
		}),
	noDefault: (module) =>
		failure("no_default_export", {
			reason: `${describeExports(module)} instead`,
			hint: 'Write "export default function (amp) { … }".',
		}),
};

function describeExports(module: unknown): string {
	const found = (module as { default?: unknown }).default;
	if (typeof found === "function") return "it exports a class";
	if (found !== undefined) return `its default export is ${found === null ? "null" : `of type ${typeof found}`}`;
	const names = Object.keys(module as object);
	return names.length === 0 ? "it exports nothing" : `it exports only ${names.join(", ")}`;
}
