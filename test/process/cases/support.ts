import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CreateHostOptions } from "../../../host/host.ts";
import type { Bench, Running } from "../support/host.ts";

/** A host over a copy of one case, and the file in which the plugins of that case write. */
export interface Case extends Running {
	/** What its plugins wrote, oldest first; one JSON value each. */
	written(): unknown[];
	/** Empties that file. */
	forget(): void;
}

const cases = join(import.meta.dir, "../../fixtures/cases");
let opened = 0;

/** Starts a host over a copy of the files of a case; several may run at once. */
export async function openCase(bench: Bench, name: string, options: CreateHostOptions = {}): Promise<Case> {
	opened += 1;
	const folder = bench.path(`${name}-${opened}`);
	const log = `${folder}.log`;
	cpSync(join(cases, name), folder, { recursive: true });
	const environment = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
	const running = await bench.start(
		{},
		{ plugins: [folder], env: { ...Object.fromEntries(environment), CASE_LOG: log }, ...options },
	);
	return {
		...running,
		written: () => (existsSync(log) ? linesOf(readFileSync(log, "utf8")) : []),
		forget: () => writeFileSync(log, ""),
	};
}

/** The processes of a plugin, in the order in which they said hello. */
export function processesOf({ frames }: Running, plugin: string): number[] {
	return frames(plugin).flatMap(({ method, message }) => {
		const { params } = message as { params?: { pid?: number } };
		return method === "client.info" && params?.pid !== undefined ? [params.pid] : [];
	});
}

/** The states of a plugin, in order. */
export function statesOf({ events }: Running, plugin: string): string[] {
	return events.flatMap((event) => (event.type === "state" && event.plugin === plugin ? [event.state] : []));
}

function linesOf(text: string): unknown[] {
	return text
		.split("\n")
		.filter((line) => line !== "")
		.map((line) => JSON.parse(line));
}
