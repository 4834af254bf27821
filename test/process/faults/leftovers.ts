import { existsSync, readdirSync, readlinkSync } from "node:fs";
import { comesTrue } from "../support/processes.ts";

/** What a program holds that a host could have left behind. */
export interface Leftovers {
	/** Timers that have neither fired nor been cleared, held or not, by their delay. */
	timers: number[];
	/** Promises that rejected and that nobody handled. */
	rejections: string[];
	/** Open descriptors, counted by kind; nothing where the system does not tell. */
	descriptors: Record<string, number>;
}

/** Begins to count; must be called before anything sets a timer. */
export function watchLeftovers(): () => Leftovers {
	const timers = new Map<unknown, number>();
	const rejections: string[] = [];
	process.on("unhandledRejection", (reason) => rejections.push(String(reason)));
	const { setTimeout: set, clearTimeout: clear } = globalThis;
	const counted = (action: () => void, ms = 0) => {
		const timer = set(() => {
			timers.delete(timer);
			action();
		}, ms);
		timers.set(timer, ms);
		return timer;
	};
	const cleared = (timer?: NodeJS.Timeout) => {
		timers.delete(timer);
		clear(timer);
	};
	Object.assign(globalThis, { setTimeout: counted, clearTimeout: cleared });
	Object.assign(Bun, { sleep: (ms: number) => new Promise<void>((resolve) => counted(resolve, ms)) });
	// The platform's own holds its timer until it fires, whatever it was for.
	AbortSignal.timeout = (ms) => {
		const controller = new AbortController();
		counted(() => controller.abort(new DOMException("The operation timed out.", "TimeoutError")), ms);
		return controller.signal;
	};
	return () => ({ timers: [...timers.values()], rejections, descriptors: openDescriptors() });
}

/** What is open once a host has ended and nothing changes any more. */
export async function settledLeftovers(look: () => Leftovers): Promise<Leftovers> {
	let last = look();
	let since = performance.now();
	await comesTrue(() => {
		const now = look();
		if (!Bun.deepEquals(now, last)) since = performance.now();
		last = now;
		return performance.now() - since > 100;
	}, 2_000);
	return last;
}

/** Looks until nothing is left beyond what there was, a second at most; gives what is. */
export async function leftBeyond(before: Leftovers, look: () => Leftovers): Promise<Leftovers> {
	const left = (): Leftovers => {
		const { timers, rejections, descriptors } = look();
		const more = Object.entries(descriptors).map(
			([kind, count]) => [kind, count - (before.descriptors[kind] ?? 0)] as const,
		);
		return { timers, rejections, descriptors: Object.fromEntries(more.filter(([, count]) => count > 0)) };
	};
	await comesTrue(() => Bun.deepEquals(left(), nothingLeft), 1_000);
	return left();
}

/** What a program that has tidied up holds. */
export const nothingLeft: Leftovers = { timers: [], rejections: [], descriptors: {} };

function openDescriptors(): Record<string, number> {
	const folder = "/proc/self/fd";
	const counts: Record<string, number> = {};
	if (!existsSync(folder)) return counts;
	for (const descriptor of readdirSync(folder)) {
		const kind = kindOf(`${folder}/${descriptor}`);
		if (!isOfRuntime.test(kind)) counts[kind] = (counts[kind] ?? 0) + 1;
	}
	return counts;
}

// Each thread of the runtime has its own, and it starts some of them when they are first needed.
const isOfRuntime = /^anon_inode:\[event(?:poll|fd)\]$/;

function kindOf(path: string): string {
	try {
		return readlinkSync(path).replace(/:\[\d+\]$/, "");
	} catch {
		// The descriptor of the listing itself.
		return "gone";
	}
}
