/**
 * Stands between a host and the real child of a plugin: passes every line on, and commits one fault at one moment.
 * Its arguments: the folder of the point, the path of the plugin. To the host it is the child: when it ends, stops or
 * says something, the child does.
 */
import { appendFileSync, closeSync, readFileSync, renameSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { socketWireFlag } from "../../../runtime/protocol.ts";
import { socketWire } from "../../../runtime/wire-socket.ts";
import { forgedID, injected, replaced } from "./forgeries.ts";
import { type Boundary, faults, files, type Moment, type Point } from "./points.ts";

/** What the relay reads when it starts. */
export interface Plan {
	/** The command of the real child, without the path of the plugin. */
	child: string[];
	/** Without one it writes down what passes. */
	point: Point | null;
}

/** What it leaves when it commits the fault. */
export interface Committed {
	/** Milliseconds since 1970, which host and relay share. */
	at: number;
}

const [folder = "", plugin = ""] = process.argv.slice(2);
const plan = JSON.parse(readFileSync(join(folder, files.plan), "utf8")) as Plan;
const launch = claimLaunch();
// The real child speaks over its socket; what it prints is the relay's to print.
const child = Bun.spawn([...plan.child, plugin, socketWireFlag], { stdio: ["ignore", 2, "inherit", "socket-fd"] });
const wire = socketWire(child.stdio[3] ?? -1);
let toChild = new Uint8Array();

const fault = plan.point?.fault;
/** Methods of requests that wait for their answer, by the direction of the request. */
const asked = { in: new Map<unknown, string>(), out: new Map<unknown, string>() };
const counts = new Map<string, number>();
/** A process that closes an end of its wire and lives on is what the host has to end. */
let isStubborn = false;
let isHostDeaf = false;

const said = new ReadableStream<Uint8Array>({
	start(controller) {
		wire.open({ data: (bytes) => controller.enqueue(bytes), drained: writeToChild, closed: () => controller.close() });
	},
});
const fromHost = pass(Bun.stdin.stream(), "out").then(() => isStubborn || wire.end());
const fromChild = pass(said, "in");

await Promise.all([fromChild, child.exited]);
if (isStubborn) setInterval(() => {}, 60_000);
else process.exit(child.exitCode ?? 1);
await fromHost;

/** The first relay of a folder is launch 1, and so on; two may start at once. */
function claimLaunch(): number {
	for (let number = 1; ; number += 1) {
		try {
			writeFileSync(join(folder, files.launch(number)), String(process.pid), { flag: "wx" });
			return number;
		} catch {
			// Another launch has this number.
		}
	}
}

async function pass(stream: ReadableStream<Uint8Array>, direction: "in" | "out"): Promise<void> {
	const decoder = new TextDecoder();
	let rest = "";
	try {
		for await (const chunk of stream) {
			const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
			rest = lines.pop() ?? "";
			for (const line of lines) passLine(line, direction);
		}
	} catch {
		// An end of the wire that was closed on purpose.
	}
}

function passLine(line: string, direction: "in" | "out"): void {
	const message = JSON.parse(line) as { id?: unknown; method?: string };
	if (direction === "out" && message.method === undefined && isForged(message.id)) {
		appendFileSync(join(folder, files.forged), `${line}\n`);
		return;
	}
	const boundary = count(message, direction);
	if (plan.point === null) appendFileSync(join(folder, files.traffic), `${JSON.stringify(boundary)}\n`);
	if (isMoment({ ...boundary, side: "before" })) {
		note();
		if (fault !== undefined && faults[fault] === "replace") return replace(line);
		commit();
	}
	const isDue = isMoment({ ...boundary, side: "after" });
	// The message may be the last one before the host ends this process.
	if (isDue) note();
	deliver(line, direction);
	if (isDue) commit();
}

/** A refused batch is answered without an id. */
function isForged(id: unknown): boolean {
	return id === null || (typeof id === "string" && id.startsWith(forgedID));
}

function count({ id, method }: { id?: unknown; method?: string }, direction: "in" | "out"): Boundary {
	if (method !== undefined && id !== undefined) asked[direction].set(id, method);
	const other = direction === "in" ? "out" : "in";
	const label = method ?? `answer to ${asked[other].get(id) ?? "nothing"}`;
	const key = `${direction} ${label}`;
	const occurrence = (counts.get(key) ?? 0) + 1;
	counts.set(key, occurrence);
	return { launch, direction, label, occurrence };
}

function isMoment(moment: Moment): boolean {
	return plan.point !== null && Bun.deepEquals(plan.point.moment, moment);
}

function deliver(line: string, direction: "in" | "out"): void {
	if (direction === "in") return tellHost(`${line}\n`);
	toChild = new Uint8Array(Buffer.concat([toChild, Buffer.from(`${line}\n`)]));
	writeToChild();
}

function writeToChild(): void {
	toChild = toChild.subarray(wire.write(toChild));
}

/** Writes at once, so that what is said before an end has left. */
function tellHost(text: string): void {
	const bytes = new TextEncoder().encode(text);
	for (let begin = 0; begin < bytes.byteLength && !isHostDeaf; ) {
		try {
			begin += writeSync(1, bytes, begin);
		} catch (error) {
			// A full pipe is tried again; one that the host has closed never takes anything.
			if ((error as { code?: string }).code !== "EAGAIN") isHostDeaf = true;
		}
	}
}

function note(): void {
	const committed: Committed = { at: Date.now() };
	const whole = join(folder, files.committed);
	// Whoever waits for the file must not find half of it.
	writeFileSync(`${whole}.part`, JSON.stringify(committed));
	renameSync(`${whole}.part`, whole);
}

function replace(line: string): void {
	if (fault === undefined) return;
	const lines = replaced(fault, line);
	if (fault !== "truncated") return tellHost(`${lines.join("\n")}\n`);
	tellHost(lines.join(""));
	process.exit(0);
}

function commit(): void {
	switch (fault) {
		case undefined:
			return;
		case "SIGKILL":
		case "SIGSEGV":
		case "SIGSTOP":
			process.kill(process.pid, fault);
			return;
		case "exit 0":
			return process.exit(0);
		case "exit 3":
			return process.exit(3);
		case "close stdout":
			isStubborn = true;
			isHostDeaf = true;
			return closeSync(1);
		case "close stdin":
			isStubborn = true;
			return closeSync(0);
		case "endless line":
			isStubborn = true;
			tellHost("x".repeat(1024 * 1024));
			isHostDeaf = true;
			return;
		case "flood of stderr":
			writeSync(2, "a line on stderr\n".repeat(20_000));
			return;
		default:
			tellHost(`${injected(fault).join("\n")}\n`);
	}
}
