import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createWatcher } from "../../../host/reload/watcher.ts";
import { limits } from "../../../runtime/limits.ts";
import { pluginWith } from "../plugin.ts";
import type { Prepared, Suite, Variant } from "../suite.ts";
import type { Workbench } from "../workbench.ts";

const { settleMs } = limits.reload;
const less = `less ${settleMs} ms of settling`;
// As a reload: the host has run for a while, and the plugin has been loaded in it before.
const coldLoad = "spawn → published in a running host";

/** From the moment a plugin's file is written until the tool that it has from then on can be called. */
export const reload: Suite = {
	title: "reload: a plugin's file is written → its new tool can be called",
	rounds: 100,
	quickRounds: 8,
	warmUp: 3,
	figures: [
		{
			id: "reload.cold",
			title: `save → live, ${less} ÷ ${coldLoad}`,
			of: "cold settled",
			against: "spawn",
			goal: { atMost: 1.6 },
		},
		{
			id: "reload.warm",
			title: `save → live with a warm spare, ${less} ÷ ${coldLoad}`,
			of: "warm settled",
			against: "spawn",
			goal: { atMost: 0.8 },
		},
		beside("restart", "the whole host killed and started anew"),
		beside("bun --watch", "bun --watch on a program that imports the plugin"),
		beside("watcher", "the file is written → the watcher tells of it"),
	],
	variants: ["spawn", "cold", "warm", "watcher", "restart", "bun --watch"],
	prepare,
};

function beside(name: string, title: string) {
	return { id: `reload.${name}/cold`, title: `${title} ÷ save → live`, of: name, against: "cold" };
}

/** Changes sooner after each load are taken for the plugin's own; a spare that was taken is replaced meanwhile. */
const calmMs = 2_050;
const children = join(import.meta.dir, "../children/reloaded");

async function prepare(bench: Workbench, wanted: (name: string) => boolean): Promise<Prepared> {
	const variants: Variant[] = [];
	const fileOf = async (name: string) => {
		const file = join(bench.folder, name, "plugin.ts");
		await Bun.write(file, pluginWith("tool-0"));
		return file;
	};
	if (wanted("spawn")) variants.push(await spawning(bench, await fileOf("spawn")));
	if (wanted("cold")) variants.push(await reloading("cold", bench, await fileOf("cold")));
	if (wanted("warm")) variants.push(await reloading("warm", bench, await fileOf("warm")));
	if (wanted("watcher")) variants.push(hearing(bench, await fileOf("watcher")));
	if (wanted("restart")) variants.push(await restarting(bench, await fileOf("restart")));
	if (wanted("bun --watch")) variants.push(await restartingItself(bench, await fileOf("itself")));
	return { variants };
}

async function spawning(bench: Workbench, plugin: string): Promise<Variant> {
	const driver = await bench.ours("package");
	await driver.ask({ do: "open", plugin });
	return {
		name: "spawn",
		units: { spawn: "ms" },
		async run() {
			const { start = Number.NaN } = await driver.measure({ do: "again" });
			return { spawn: start };
		},
	};
}

async function reloading(name: "cold" | "warm", bench: Workbench, plugin: string): Promise<Variant> {
	const driver = await bench.ours("package", { host: name === "warm" ? { warm: 1 } : {} });
	await driver.ask({ do: "open", plugin });
	const save = inCalm(bench, async (tool) => {
		const { live = Number.NaN } = await driver.measure({ do: "save", plugin, text: pluginWith(tool), tool });
		return live;
	});
	return {
		name,
		units: { [name]: "ms", [`${name} settled`]: "ms" },
		async run() {
			const ms = await save();
			return { [name]: ms, [`${name} settled`]: ms - settleMs };
		},
	};
}

/** What hears of a save, and nothing that comes after it. */
function hearing(bench: Workbench, file: string): Variant {
	const slowed = (reason: string) => {
		throw new Error(reason);
	};
	return saving("watcher", bench, async (tool) => {
		const heard = Promise.withResolvers<number>();
		const changed = () => heard.resolve(performance.now());
		const watcher = createWatcher({ places: [], named: [], changed, moved: () => {}, slowed });
		watcher.watch("bench", [file]);
		await watcher.ready();
		const begun = performance.now();
		writeFileSync(file, pluginWith(tool));
		const ms = (await heard.promise) - begun;
		await watcher.close();
		return ms;
	});
}

/** As it is done by hand, or by a tool that knows nothing of plugins. */
async function restarting(bench: Workbench, plugin: string): Promise<Variant> {
	const command = [process.execPath, join(children, "host.ts"), plugin];
	let program = bench.program(command);
	await program.says("tool-0");
	return saving("restart", bench, async (tool) => {
		const begun = performance.now();
		writeFileSync(plugin, pluginWith(tool));
		await program.end();
		program = bench.program(command);
		await program.says(tool);
		return performance.now() - begun;
	});
}

async function restartingItself(bench: Workbench, plugin: string): Promise<Variant> {
	const command = [process.execPath, "--watch", "--no-clear-screen", join(children, "importer.ts"), plugin];
	const program = bench.program(command);
	await program.says("tool-0");
	return saving("bun --watch", bench, async (tool) => {
		const begun = performance.now();
		writeFileSync(plugin, pluginWith(tool));
		await program.says(tool);
		return performance.now() - begun;
	});
}

function saving(name: string, bench: Workbench, save: (tool: string) => Promise<number>): Variant {
	const saveInCalm = inCalm(bench, save);
	return { name, units: { [name]: "ms" }, run: async () => ({ [name]: await saveInCalm() }) };
}

/** Another tool each time, and some time after the last one. */
function inCalm(bench: Workbench, save: (tool: string) => Promise<number>): () => Promise<number> {
	let count = 0;
	let last = performance.now();
	return async () => {
		await bench.sleep(Math.max(0, last + calmMs - performance.now()));
		count += 1;
		const ms = await save(`tool-${count}`);
		last = performance.now();
		return ms;
	};
}
