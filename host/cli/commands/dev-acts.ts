import { isBroodError } from "../../../runtime/errors.ts";
import type { LogEntry } from "../../base/log.ts";
import { differenceOf, type ReloadReport } from "../../reload/report.ts";
import { describeForPeople } from "../failure.ts";
import { describeLog } from "../log-line.ts";
import { pick } from "./dev-ask.ts";
import { createCaller, type Workbench } from "./dev-call.ts";
import { createEmitter } from "./dev-emit.ts";
import { capabilitiesOf, clockTime } from "./dev-text.ts";
import { isSwitchedOff } from "./record.ts";

export interface ActsParts extends Workbench {
	/** Hears what came of a reload. */
	report(report: ReloadReport): void;
	/** Ends the command. */
	quit(): void;
}

/** What the keys do, for a line on the screen. */
export const keysLine = "keys: r reload, c call, e emit, l logs, h help, q quit";

/** Makes what does as a key says; others do nothing. */
export function createActs(parts: ActsParts): (key: string) => void {
	const { stage, signal, quit } = parts;
	const call = createCaller(parts);
	const emit = createEmitter(parts);
	const acts: Record<string, () => Promise<void> | void> = {
		r: () => reload(parts),
		c: call,
		e: emit,
		l: () => showLog(parts),
		h: () => stage.output.note(help),
		q: quit,
	};

	async function perform(act: () => Promise<void> | void): Promise<void> {
		try {
			await act();
		} catch (error) {
			// Whoever ends the command, or a dialog, knows that.
			if (signal.aborted || isBroodError(error, "host_stopped")) return;
			stage.output.note(describeForPeople(error, stage.output));
		}
	}

	return (key) => {
		const act = Object.hasOwn(acts, key) ? acts[key] : undefined;
		if (act !== undefined) void perform(act);
	};
}

const help = `
  r  reload a plugin, or all of them
  c  call a tool or run a command; what was typed last stands there the next time
  e  emit an event
  l  show the last lines of a plugin's log
  q  quit, as Ctrl-C does, which leaves a question or the dialog of a plugin first
Plugins are reloaded by themselves when their files change. Escape leaves a question or a dialog and nothing else. Webhooks
are received; brood info PLUGIN --urls shows their URLs.
`;

async function reload({ host, asker, stage, report }: ActsParts): Promise<void> {
	const plugins = host.plugins.list().filter((plugin) => plugin.state !== "shadowed" && !isSwitchedOff(plugin));
	const names = plugins.map(({ name }) => name);
	const one = (name: string) => ({ label: name, item: [name] });
	const all = { label: "all plugins", item: names };
	const chosen =
		names.length < 2 ? all : await stage.during(() => pick(asker, "Reload which?", [all, ...names.map(one)]));
	await Promise.all((chosen?.item ?? []).map(async (name) => report(await reloadOne(host, name))));
}

async function reloadOne(host: Workbench["host"], plugin: string): Promise<ReloadReport> {
	const before = host.plugins.get(plugin);
	const begin = performance.now();
	const facts = () => {
		const after = host.plugins.get(plugin);
		const difference = differenceOf(capabilitiesOf(before), capabilitiesOf(after));
		return { after, report: { plugin, ms: performance.now() - begin, files: [], ...difference } };
	};
	try {
		await host.reload(plugin);
		return { ...facts().report, outcome: serves(before.state) ? "reload" : "ready" };
	} catch (error) {
		if (!isBroodError(error)) throw error;
		const { after, report } = facts();
		return { ...report, outcome: serves(after.state) ? "kept" : "failed", error };
	}
}

function serves(state: string): boolean {
	return state === "ready" || state === "unresponsive";
}

async function showLog({ host, asker, stage }: ActsParts): Promise<void> {
	const plugins = host.plugins.list().filter(({ state }) => state !== "shadowed");
	const items = plugins.map(({ name }) => ({ label: name, item: name }));
	const [only, other] = items;
	const chosen = other === undefined ? only : await stage.during(() => pick(asker, "Show the log of which?", items));
	if (chosen === undefined) return;
	const entries = host.plugins.log(chosen.item).slice(-logLinesMax);
	const lines = entries.map((entry: LogEntry) => `${clockTime(entry.time)} ${describeLog(entry, stage.output)}`);
	stage.output.note(lines.length === 0 ? `The log of ${chosen.label} is empty.` : lines.join("\n"));
}

// About a screen of them.
const logLinesMax = 40;
