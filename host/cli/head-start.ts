import { startAhead } from "../backends/ahead.ts";

/** Starts a child at once where the arguments say that a plugin is going to run: to read them takes as long as it does. */
export async function giveHeadStart(parameters: readonly string[]): Promise<void> {
	const runsPlugin = isUsual(parameters) && parameters.some((text) => pluginOption.test(text));
	if (runsPlugin && !parameters.some((text) => others.test(text))) await startAhead();
}

/** Whether it is one of the commands that people run again and again; the others keep nothing, or change what is kept. */
export function isUsual(parameters: readonly string[]): boolean {
	return parameters.some((text) => usual.has(text));
}

const usual: ReadonlySet<string> = new Set(["list", "info", "call", "run", "emit", "webhook", "links", "dev"]);
const pluginOption = /^(?:-p|--plugin)/;
// A child for which packages may be fetched, or that is debugged, is started in another way.
const others = /^(?:--install|--inspect|--help$|-h$)/;
