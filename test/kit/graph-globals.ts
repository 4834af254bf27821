import { childEntry } from "../../host/backends/child-origin.ts";
import { define } from "./graph-process.ts";

/** Makes the `Bun` of a graph: what runs is a child, and what it starts gets the folder and the environment of the graph. */
export function graphBun(own: NodeJS.Process): typeof Bun {
	const bun: typeof Bun = Object.create(Bun);
	const started = (options: object | undefined) => ({ cwd: own.cwd(), env: own.env, ...options });
	const spawning = (spawn: (...given: never[]) => unknown) => (first: object, options?: object) =>
		Reflect.apply(spawn, Bun, Array.isArray(first) ? [first, started(options)] : [started(first)]);
	define(bun, {
		main: childEntry,
		env: own.env,
		argv: own.argv,
		spawn: spawning(Bun.spawn),
		spawnSync: spawning(Bun.spawnSync),
	});
	return bun;
}

/** Makes the console of a graph, whose lines are the plugin's output. */
export function graphConsole(print: (text: string) => void): Console {
	const own: Console = Object.create(console);
	const line = (...values: unknown[]) => print(`${shown(values)}\n`);
	const plain = ["log", "info", "debug", "warn", "error", "trace", "group"].map((name) => [name, line] as const);
	define(own, {
		...Object.fromEntries(plain),
		dir: (value: unknown) => line(value),
		table: (value: unknown) => line(typeof value === "object" && value !== null ? Bun.inspect.table(value) : value),
	});
	return own;
}

/** As the console of Bun shows values. */
function shown(values: unknown[]): string {
	const [first] = values;
	// Few need it, and it takes long to load.
	if (typeof first === "string" && first.includes("%")) return process.getBuiltinModule("node:util").format(...values);
	return values.map((value) => (typeof value === "string" ? value : Bun.inspect(value))).join(" ");
}
