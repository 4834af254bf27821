import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { noCapabilities } from "../../../../host/contracts/backend.ts";
import { PluginWatch, type WatchedPlugin } from "../../../../host/reload/plugin-watch.ts";
import type { ReloadReport } from "../../../../host/reload/report.ts";
import { limits } from "../../../../runtime/limits.ts";
import { fakeClock } from "../lifecycle/support.ts";

let root = "";
beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), "brood-plugin-watch-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const loadsAtOnce: WatchedPlugin["beginReload"] = () => ({
	ended: Promise.resolve(undefined),
	overlong: new Promise(() => {}),
});

async function watched(beginReload: WatchedPlugin["beginReload"] = loadsAtOnce) {
	const file = join(root, "one.ts");
	writeFileSync(file, "1");
	const clock = fakeClock();
	const plugin: WatchedPlugin = {
		spec: { name: "one", system: "amp", scope: "explicit", path: file, root, rank: [0], description: "" } as never,
		state: "ready",
		error: undefined,
		launchedAt: undefined,
		ledger: noCapabilities,
		modules: async () => [file],
		stop: async () => {},
		beginReload,
		warn: () => {},
	};
	let told = Promise.withResolvers<ReloadReport>();
	const report = (one: ReloadReport) => told.resolve(one);
	const watch = new PluginWatch({ plugin, watcher: { watch() {} }, clock, limits: limits.reload, report });
	await watch.refresh();
	// What has just begun to be watched is looked at once more in any case.
	clock.advance(limits.reload.checkMs);
	await Bun.sleep(10);
	return {
		...{ file, clock, watch },
		/** What is told next. */
		next() {
			told = Promise.withResolvers();
			return told.promise;
		},
	};
}

test("what was written right after a change, and nobody heard of, is loaded with a look some time later", async () => {
	const { file, clock, watch, next } = await watched();
	const first = next();
	writeFileSync(file, "2");
	watch.heard(file);
	clock.advance(limits.reload.settleMs);
	expect(await first).toMatchObject({ outcome: "reload", files: [file] });
	const second = next();
	writeFileSync(file, "3");
	clock.advance(limits.reload.checkMs);
	expect(await second).toMatchObject({ outcome: "reload", files: [file] });
	watch.close();
});

test("saves that mend loads which hang are never taken for the plugin's own, however many there are", async () => {
	let begun = 0;
	const { file, clock, watch } = await watched(() => {
		begun += 1;
		return { ended: new Promise(() => {}), overlong: Promise.resolve() };
	});
	for (let round = 1; round <= 12; round += 1) {
		writeFileSync(file, `round ${round}`);
		watch.heard(file);
		clock.advance(limits.reload.settleMs);
		for (let turns = 0; begun < round && turns < 200; turns += 1) await Bun.sleep(1);
		expect(begun).toBe(round);
	}
	watch.close();
});
