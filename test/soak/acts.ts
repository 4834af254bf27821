import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type CreateHostOptions, createHost, type Host } from "../../host/host.ts";
import { isBroodError } from "../../runtime/errors.ts";
import type { Frame } from "../../runtime/peer.ts";

/** What went wrong with the calls of an act. */
export interface Outcome {
	/** Calls whose answer never came or is that of another. */
	lost: number;
	/** Answers that nobody waits for. */
	doubled: number;
}

/** Does something so many times, with plugins in this folder, and leaves nothing. */
export type Act = (count: number, folder: string) => Promise<Outcome>;

/** A host is made, asked and stopped. */
export const cycles: Act = async (count, folder) => {
	const plugins = [await writePlugin(folder, "one")];
	const outcome = { lost: 0, doubled: 0 };
	for (let cycle = 0; cycle < count; cycle += 1) {
		await using asked = await openHost({ plugins });
		await asked.call("one", cycle);
		add(outcome, asked.outcome());
	}
	return outcome;
};

/** A plugin ends in every way there is, with a call under way, and comes back; another one goes on. */
export const crashes: Act = async (count, folder) => {
	const plugins = [await writePlugin(folder, "one"), await writePlugin(folder, "two")];
	const limits = { restart: { retriesMax: Number.MAX_SAFE_INTEGER, delaysMs: [1] } };
	const ways = ["exit", "throw", "reject", "SIGKILL", "SIGSEGV"] as const;
	const back = waitingFor("one");
	await using asked = await openHost({ plugins, limits, observe: back.observe });
	let unexplained = 0;
	for (let crash = 0; crash < count; crash += 1) {
		const ready = back.next();
		const end = await asked.host.tools
			.call("die-one", { way: ways[crash % ways.length] ?? "exit" })
			.catch((error) => error);
		if (!isBroodError(end, "plugin_exited")) unexplained += 1;
		await asked.call("two", crash);
		await ready;
		await asked.call("one", crash);
	}
	const { lost, doubled } = asked.outcome();
	return { lost: lost + unexplained, doubled };
};

/** One plugin is replaced again and again while it is called. */
export const reloads: Act = async (count, folder) => {
	const plugins = [await writePlugin(folder, "one")];
	await using asked = await openHost({ plugins });
	let over = false;
	let n = 0;
	async function ask(): Promise<void> {
		while (!over) {
			n += 1;
			await asked.call("one", n);
		}
	}
	const callers = Array.from({ length: 4 }, ask);
	for (let reload = 0; reload < count; reload += 1) await asked.host.reload("one");
	over = true;
	await Promise.all(callers);
	return asked.outcome();
};

/** Calls without pause. */
export const calls: Act = async (count, folder) => {
	const names = Array.from({ length: 8 }, (_, index) => `plugin-${index}`);
	const plugins = await Promise.all(names.map((name) => writePlugin(folder, name)));
	await using asked = await openHost({ plugins });
	let n = 0;
	async function ask(): Promise<void> {
		while (n < count) {
			n += 1;
			await asked.call(names[n % names.length] ?? "", n);
		}
	}
	await Promise.all(Array.from({ length: 64 }, ask));
	return asked.outcome();
};

interface Asked extends AsyncDisposable {
	host: Host;
	call(plugin: string, n: number): Promise<void>;
	outcome(): Outcome;
}

/** A host whose calls and answers are counted on the wire and where they arrive. */
async function openHost(options: CreateHostOptions): Promise<Asked> {
	const waiting = new Map<string, number>();
	let doubled = 0;
	let lost = 0;
	function wire(plugin: string, { direction, message }: Frame): void {
		const { method, id } = message as { method?: string; id?: unknown };
		const key = `${plugin} ${id}`;
		const others = waiting.get(key) ?? 0;
		// Two instances of a plugin, before and after a reload, may wait with the same id.
		if (direction === "out" && method !== undefined && id !== undefined) waiting.set(key, others + 1);
		if (direction !== "in" || method !== undefined) return;
		if (others === 0) doubled += 1;
		else if (others === 1) waiting.delete(key);
		else waiting.set(key, others - 1);
	}
	const host = await createHost({ places: false, wire, ...options });
	return {
		host,
		async call(plugin, n) {
			const result = await host.tools.call(`echo-${plugin}`, { n }).catch(() => undefined);
			if (result?.text !== `${plugin} ${n}`) lost += 1;
		},
		outcome: () => ({ lost, doubled }),
		[Symbol.asyncDispose]: () => host.stop(),
	};
}

/** Hears when a plugin is ready again. */
function waitingFor(plugin: string) {
	let ready = Promise.withResolvers<void>();
	const observe: NonNullable<CreateHostOptions["observe"]> = (event) => {
		if (event.type === "state" && event.plugin === plugin && event.state === "ready") ready.resolve();
	};
	return {
		observe,
		next() {
			ready = Promise.withResolvers<void>();
			return ready.promise;
		},
	};
}

function add(sum: Outcome, { lost, doubled }: Outcome): void {
	sum.lost += lost;
	sum.doubled += doubled;
}

async function writePlugin(folder: string, name: string): Promise<string> {
	const file = join(folder, "plugins", `${name}.ts`);
	await mkdir(join(folder, "plugins"), { recursive: true });
	await Bun.write(file, source(name));
	return file;
}

const source = (name: string) => `
	const schema = { type: "object" };
	const ends = {
		exit: () => process.exit(3),
		throw: () => setTimeout(() => { throw new Error("in a timer"); }),
		reject: () => void Promise.reject(new Error("not awaited")),
		SIGKILL: () => process.kill(process.pid, "SIGKILL"),
		SIGSEGV: () => process.kill(process.pid, "SIGSEGV"),
	};
	export default (amp) => {
		const inputSchema = schema;
		amp.registerTool({ name: "echo-${name}", description: "", inputSchema, execute: ({ n }) => "${name} " + n });
		amp.registerTool({ name: "die-${name}", description: "", inputSchema,
			execute: ({ way }) => { ends[way](); return new Promise(() => {}); } });
		amp.on("session.start", () => {});
	};
`;
