import { EventEmitter } from "node:events";
import type { Writable } from "node:stream";

export interface GraphProcessParts {
	argv: string[];
	cwd: string;
	env: Record<string, string>;
	print(text: string): void;
	/** Ends the graph. */
	exit(code: number): void;
	/** Signals the graph. */
	kill(signal: NodeJS.Signals): void;
}

/**
 * Makes the `process` of a graph: that of a child, with arguments, folder and environment of its own, and with listeners
 * that hear the graph alone. Whatever else it has is that of this program.
 */
export function graphProcess({ argv, cwd, env, print, exit, kill }: GraphProcessParts): NodeJS.Process {
	const own: NodeJS.Process = Object.create(process);
	let folder = cwd;
	define(own, {
		...listenersOf(own),
		argv,
		env,
		exitCode: undefined,
		cwd: () => folder,
		chdir: (path: string) => {
			folder = path;
		},
		exit(code: number | string | null | undefined = own.exitCode): never {
			const number = Number(code ?? 0);
			own.emit("exit", number);
			exit(number);
			throw halted;
		},
		abort: () => kill("SIGABRT"),
		kill(pid: number, signal: NodeJS.Signals | number = "SIGTERM") {
			if (pid !== process.pid) return process.kill(pid, signal);
			if (signal !== 0) kill(typeof signal === "number" ? "SIGTERM" : signal);
			return true;
		},
	});
	for (const name of ["stdout", "stderr"] as const) defineOnce(own, name, () => writerOf(print));
	defineOnce(own, "stdin", () => new (streams().PassThrough)().end());
	return own;
}

/** Thrown where a process would have ended, since nothing else ends the code that runs; what ends a graph hears of no error. */
const halted = Object.assign(new Error("this plugin has called process.exit, and its graph has ended"), {
	name: "Halted",
});

/** The methods of an emitter for an object that inherits from another one, whose listeners it must not touch. */
function listenersOf(self: object): Record<string, unknown> {
	const emitter = new EventEmitter();
	const methods: Record<string, unknown> = {};
	for (const [name, method] of Object.entries(EventEmitter.prototype)) {
		if (typeof method !== "function" || name === "constructor") continue;
		methods[name] = (...given: unknown[]) => {
			const answer: unknown = Reflect.apply(method, emitter, given);
			return answer === emitter ? self : answer;
		};
	}
	return methods;
}

/** Few plugins need them, and they take long to load. */
const streams = () => process.getBuiltinModule("node:stream");

function writerOf(print: (text: string) => void): Writable {
	const { Writable } = streams();
	return new Writable({
		decodeStrings: false,
		write(chunk: Uint8Array | string, _encoding, done) {
			print(typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk));
			done();
		},
	});
}

/** Members like those that were assigned, also where what is inherited cannot be assigned. */
export function define(target: object, members: Record<string, unknown>): void {
	for (const [name, value] of Object.entries(members)) {
		Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
	}
}

function defineOnce(target: object, name: string, make: () => unknown): void {
	let made: { value: unknown } | undefined;
	Object.defineProperty(target, name, {
		get() {
			made ??= { value: make() };
			return made.value;
		},
		enumerable: true,
		configurable: true,
	});
}
