import { expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createBench } from "../support/host.ts";
import { report, says, version } from "./support.ts";

const bench = createBench();

test("two who watch share it: it ends with the second one, however often each says so", async () => {
	const running = await bench.start({ one: version("one", 1) });
	const [first, second] = await Promise.all([running.host.watch(), running.host.watch()]);
	await Promise.all([first.stop(), first.stop()]);
	const told = report(running, "one");
	bench.write("one", version("one", 2));
	await told;
	await second.stop();
	bench.write("one", version("one", 3));
	await Bun.sleep(300);
	expect(await says(running, "one")).toBe("2");
});

test("whoever watches while another one stops hears all the same", async () => {
	const running = await bench.start({ one: version("one", 1) });
	const first = await running.host.watch();
	const stopped = first.stop();
	const second = await running.host.watch();
	await stopped;
	const told = report(running, "one");
	bench.write("one", version("one", 2));
	await told;
	expect(await says(running, "one")).toBe("2");
	await second.stop();
});

test("a stop while plugins are looked for leaves nothing half done: who watches next finds what came and went", async () => {
	let isSlow = false;
	const looked = Promise.withResolvers<void>();
	const enablement = {
		async read() {
			if (!isSlow) return [];
			looked.resolve();
			await Bun.sleep(100);
			return [];
		},
		async write() {},
	};
	const cwd = join(dirname(dirname(bench.path("x"))), "workspace");
	const place = join(cwd, ".brood/plugins");
	mkdirSync(join(cwd, ".git"), { recursive: true });
	mkdirSync(place, { recursive: true });
	for (const name of ["a", "b"]) writeFileSync(join(place, `${name}.ts`), version(name, 1));
	const running = await bench.start({}, { plugins: [], places: true, cwd, enablement });
	const watch = await running.host.watch();
	isSlow = true;
	rmSync(join(place, "b.ts"));
	writeFileSync(join(place, "c.ts"), version("c", 1));
	await looked.promise;
	await watch.stop();
	isSlow = false;
	const [came, went] = [report(running, "c"), report(running, "b")];
	await running.host.watch();
	expect([(await came).outcome, (await went).outcome]).toEqual(["ready", "removed"]);
	expect(running.host.plugins.list().map(({ name, state }) => `${name} ${state}`)).toEqual(["a ready", "c ready"]);
});

test("no plugin starts once its host is being stopped, also when it is found in that moment", async () => {
	const running = await bench.start({ a: version("a", 1) });
	for (const name of ["b", "c", "d"]) bench.write(name, version(name, 1));
	const watching = running.host.watch().catch(() => {});
	await Bun.sleep(2);
	await running.host.stop();
	await watching;
	const states = running.host.plugins.list().map(({ state }) => state);
	expect(states.every((state) => state === "stopped" || state === "discovered")).toBe(true);
});
