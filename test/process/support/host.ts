import { afterEach, beforeEach, expect, setDefaultTimeout } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type CreateHostOptions, createHost, type Host, type HostEvent } from "../../../host/host.ts";
import type { Frame } from "../../../runtime/peer.ts";
import { createTap, type TapFrame } from "../../../runtime/tap.ts";
import { groupEnds } from "./processes.ts";

/** A host with the plugins of one test, and all that happened in it. */
export interface Running {
	host: Host;
	events: HostEvent[];
	/** Resolves with the first event that fits, be it past or to come. */
	until<Type extends HostEvent["type"]>(type: Type, match: Match<Type>): Promise<EventOf<Type>>;
	/** Resolves with the next event that fits. */
	next<Type extends HostEvent["type"]>(type: Type, match: Match<Type>): Promise<EventOf<Type>>;
	/** Waits until a plugin is in a state; at once when it is. */
	reaches(plugin: string, state: string): Promise<void>;
	/** Waits until a line with this text stands in the log of a plugin. */
	logged(plugin: string, text: string): Promise<EventOf<"log">["entry"]>;
	/** What went over the wire of a plugin, oldest first; all launches of it. */
	frames(plugin: string): TapFrame[];
	/** The same as one short line each: `<-` from the child, `->` to it. */
	wire(plugin: string): string[];
}

export type EventOf<Type extends HostEvent["type"]> = Extract<HostEvent, { type: Type }>;
type Match<Type extends HostEvent["type"]> = (event: EventOf<Type>) => boolean;

/** Where the hosts of a test file run: a folder of its own for each test, and a look at what is left after it. */
export interface Bench {
	/** Starts a host with these plugins, by file name without `.ts`; resolves when each is ready or has failed. */
	start(plugins: Record<string, string>, options?: CreateHostOptions): Promise<Running>;
	/** Writes, or writes over, a plugin. */
	write(plugin: string, source: string): string;
	/** A path for files that plugins and tests share. */
	path(name: string): string;
	/** A process group that must have ended after the test. */
	watch(group: number): void;
}

/** Must be called at the top of a test file. After each test all hosts are stopped and nothing of them may be left. */
export function createBench(): Bench {
	setDefaultTimeout(20_000);
	const running = new Set<Host>();
	const groups = new Set<number>();
	const { TMPDIR, XDG_CONFIG_HOME, XDG_STATE_HOME } = process.env;
	const kept = { TMPDIR, XDG_CONFIG_HOME, XDG_STATE_HOME };
	let root = "";

	beforeEach(() => {
		root = realpathSync(mkdtempSync(join(tmpdir(), "brood-host-")));
		for (const folder of ["plugins", "shared", "config", "temporary"]) mkdirSync(join(root, folder));
		const own = { TMPDIR: "temporary", XDG_CONFIG_HOME: "config", XDG_STATE_HOME: "state" };
		for (const [name, folder] of Object.entries(own)) process.env[name] = join(root, folder);
	});
	afterEach(async () => {
		await Promise.all([...running].map((host) => host.stop()));
		running.clear();
		const left = readdirSync(join(root, "temporary"));
		for (const [name, value] of Object.entries(kept)) {
			if (value === undefined) delete process.env[name];
			else process.env[name] = value;
		}
		const survivors = await Promise.all([...groups].map(async (group) => ((await groupEnds(group)) ? [] : [group])));
		groups.clear();
		rmSync(root, { recursive: true, force: true });
		expect({ processGroups: survivors.flat(), temporaryFiles: left }).toEqual({
			processGroups: [],
			temporaryFiles: [],
		});
	});

	function write(plugin: string, source: string): string {
		const file = join(root, "plugins", /\.\w+$/.test(plugin) ? plugin : `${plugin}.ts`);
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, source);
		return file;
	}

	return {
		write,
		path: (name) => join(root, "shared", name),
		watch: (group) => groups.add(group),
		async start(plugins, options = {}) {
			for (const [plugin, source] of Object.entries(plugins)) write(plugin, source);
			const record = createRecord(groups);
			const host = await createHost({
				plugins: [join(root, "plugins")],
				places: false,
				cwd: root,
				observe: record.observe,
				wire: record.wire,
				...options,
			});
			running.add(host);
			return { host, ...record.readers(host) };
		},
	};
}

function createRecord(groups: Set<number>) {
	const events: HostEvent[] = [];
	const waiting = new Set<(event: HostEvent) => void>();
	const taps = new Map<string, ReturnType<typeof createTap>>();

	function observe(event: HostEvent): void {
		events.push(event);
		for (const hear of [...waiting]) hear(event);
	}

	function next<Type extends HostEvent["type"]>(type: Type, match: Match<Type>): Promise<EventOf<Type>> {
		return new Promise((resolve) => {
			const hear = (event: HostEvent) => {
				if (!fits(event, type, match)) return;
				waiting.delete(hear);
				resolve(event);
			};
			waiting.add(hear);
		});
	}

	const until: Running["until"] = async (type, match) => {
		const past = events.find((event) => fits(event, type, match));
		return past !== undefined && fits(past, type, match) ? past : next(type, match);
	};
	const frames = (plugin: string) => taps.get(plugin)?.frames() ?? [];

	return {
		observe,
		wire(plugin: string, frame: Frame) {
			const tap = taps.get(plugin) ?? createTap();
			taps.set(plugin, tap);
			tap.observe(frame);
			const { method, params } = (frame.message ?? {}) as { method?: string; params?: { pid?: unknown } };
			if (method === "client.info" && typeof params?.pid === "number") groups.add(params.pid);
		},
		readers: (host: Host): Omit<Running, "host"> => ({
			events,
			until,
			next,
			async reaches(plugin, state) {
				if (host.plugins.get(plugin).state === state) return;
				await next("state", (event) => event.plugin === plugin && event.state === state);
			},
			async logged(plugin, text) {
				const { entry } = await until(
					"log",
					(event) => event.entry.plugin === plugin && event.entry.message.includes(text),
				);
				return entry;
			},
			frames,
			wire: (plugin) => frames(plugin).map(describeFrame),
		}),
	};
}

function fits<Type extends HostEvent["type"]>(
	event: HostEvent,
	type: Type,
	match: Match<Type>,
): event is EventOf<Type> {
	return event.type === type && match(event as EventOf<Type>);
}

function describeFrame({ direction, kind, method, message }: TapFrame): string {
	const way = direction === "in" ? "<-" : "->";
	const { params } = message as { params?: { stage?: string } };
	const stage = params?.stage === undefined ? "" : ` ${params.stage}`;
	const end = kind === "result" ? " ok" : kind === "error" ? " failed" : "";
	return `${way} ${method}${stage}${end}`;
}
