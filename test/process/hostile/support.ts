import { join } from "node:path";
import type { UIProvider } from "../../../host/contracts/providers.ts";
import type { CreateHostOptions } from "../../../host/host.ts";
import type { Bench, Running } from "../support/host.ts";
import { base64, hostilePlugin, type Script } from "./script.ts";

const command = [process.execPath, join(import.meta.dir, "../../fixtures/hostile/child.ts")];

/** A plugin of the real child that behaves: it gives back what it is given. */
const neighbour = `export default (amp) => {
	amp.registerTool({ name: "echo", description: "", inputSchema: { type: "object" }, execute: ({ say }) => say });
};`;

/** A host with hostile plugins by name and, beside them, one that behaves. */
export async function startHostile(
	bench: Bench,
	scripts: Record<string, Partial<Script>>,
	options: CreateHostOptions = {},
): Promise<Running> {
	const hostile = Object.entries(scripts).map(([name, script]) => [name, hostilePlugin(script)] as const);
	return bench.start(
		{ ...Object.fromEntries(hostile), neighbour },
		{ launch: { form: "custom", command }, ...options },
	);
}

/** What the hostile child is told to do in the middle of a call. */
export interface Act {
	pieces?: (string | Uint8Array)[];
	/** What it says at last; without one it never answers. */
	answer?: string;
	/** Written again and again before the answer. */
	flood?: string | Uint8Array;
	/** How often; without end when absent. */
	times?: number;
}

/** Calls the hostile tool; what it plays stands between the call and its answer. */
export function act({ host }: Running, { pieces = [], flood, ...rest }: Act, signal?: AbortSignal) {
	const input = { pieces: pieces.map(base64), ...rest, ...(flood === undefined ? {} : { flood: base64(flood) }) };
	return host.tools.call("play", input, { events: false, ...(signal === undefined ? {} : { signal }) });
}

let said = 0;

/** One round trip of the plugin that behaves. @throws when it gets an answer that is not its own */
export async function roundTrip({ host }: Running): Promise<void> {
	said += 1;
	const say = `mine ${said}`;
	const { text } = await host.tools.call("echo", { say }, { events: false });
	if (text !== say) throw new Error(`the neighbour said ${say} and was answered ${text}`);
}

/** What the program did not handle while a test ran; must stay empty. */
export function watchForUnhandled(): { seen: string[]; end(): void } {
	const seen: string[] = [];
	const note = (error: unknown) => seen.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
	process.on("unhandledRejection", note);
	process.on("uncaughtException", note);
	const end = () => {
		process.off("unhandledRejection", note);
		process.off("uncaughtException", note);
	};
	return { seen, end };
}

/** A person who answers everything soon, and how many dialogs waited at once at most. */
export function politeUI(): { provider: UIProvider; most(): number } {
	let open = 0;
	let most = 0;
	const answered = async <Answer>(answer: Answer): Promise<Answer> => {
		open += 1;
		most = Math.max(most, open);
		await new Promise((resolve) => setImmediate(resolve));
		open -= 1;
		return answer;
	};
	const provider: UIProvider = {
		available: true,
		notify: () => answered(undefined),
		input: () => answered("text"),
		confirm: () => answered(true),
		form: () => answered(undefined),
		select: () => answered(undefined),
	};
	return { provider, most: () => most };
}
