import { resolve } from "node:path";
import { placeAt } from "../../child/call-site.ts";
import { type BroodError, isBroodError } from "../../runtime/errors.ts";

/** Where a test has called the kit. */
export interface CallSite {
	/**
	 * Lets an error of brood begin there, and shows of it what it has to say: Bun prints the line that an error began at,
	 * and each member of it, and where brood made it tells nobody more.
	 */
	place<Thrown>(error: Thrown): Thrown;
	/** Waits for a promise, and places what it rejects with. */
	settle<Result>(promise: Promise<Result>): Promise<Result>;
}

/** Must be called while the call of the test is on the stack. */
export function callSite(): CallSite {
	const asked = new Error();
	const place = <Thrown>(error: Thrown): Thrown => {
		if (!isBroodError(error)) return error;
		placeAt(error, readable(asked.stack), ownFiles);
		placeCause(error);
		for (const key of Reflect.ownKeys(error)) if (isSaid(error, key)) hide(error, key);
		return error;
	};
	return {
		place,
		async settle(promise) {
			try {
				return await promise;
			} catch (error) {
				throw place(error);
			}
		},
	};
}

/** The same function, whose errors begin where it is called. */
export function fromCaller<Given extends unknown[], Result>(
	task: (...given: Given) => Promise<Result>,
): (...given: Given) => Promise<Result> {
	return (...given) => callSite().settle(task(...given));
}

/** Lets what a plugin has thrown as it was loaded begin there, also where it has come without its stack. */
function placeCause(error: BroodError): void {
	const { cause, code, positions: [place] = [] } = error;
	// It says the same.
	if (isBroodError(cause, code)) Reflect.deleteProperty(error, "cause");
	if (!(cause instanceof Error) || place === undefined) return;
	const { stack = "" } = cause;
	const own = stack.includes(`${place.file}:`) ? stack : `    at ${place.file}:${place.line}:${place.column}`;
	placeAt(cause, readable(own), childFiles);
}

/** A stack that Bun understands where it is set: it takes no notice of a frame that is a place alone. */
function readable(stack = ""): Error {
	return { name: "", message: "", stack: stack.replace(/^( +at )(\/[^()]*:\d+:\d+)$/gm, "$1<anonymous> ($2)") };
}

const ownFiles = [`${import.meta.dir}/`];
/** Parts of the paths of a child's files, as sources and as a bundle. */
const childFiles = [resolve(import.meta.dir, "../../child/"), `/brood/child-${Bun.version}-`];

/** Whether the message says it as well, or there is nothing to say. */
function isSaid(error: object, key: string | symbol): boolean {
	const value: unknown = Reflect.get(error, key);
	return value === undefined || value === "" || typeof key === "symbol" || saidMembers.includes(key);
}

// The place of a frame stands in the message, and Bun shows the lines of it with the cause.
const saidMembers = ["hint", "positions", "frame"];

function hide(error: object, key: string | symbol): void {
	Reflect.defineProperty(error, key, { enumerable: false });
}
