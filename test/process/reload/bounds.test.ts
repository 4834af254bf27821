import { afterEach, describe, expect, mock, test } from "bun:test";
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { createWatcher } from "../../../host/reload/watcher.ts";
import { createBench } from "../support/host.ts";
import { report, says, version } from "./support.ts";

const bench = createBench();
const real = { ...fs };
afterEach(() => {
	mock.module("node:fs", () => real);
});

/** From now on the system lets this program watch so many files and folders, and no more. */
function letWatch(count: number): void {
	let left = count;
	mock.module("node:fs", () => ({
		...real,
		watch(...given: Parameters<typeof fs.watch>) {
			left -= 1;
			if (left >= 0) return real.watch(...given);
			throw Object.assign(new Error("ENOSPC: no space left on device, watch"), { code: "ENOSPC" });
		},
	}));
}

/** How many files and folders this program watches. */
function watchesOfProgram(): number {
	const folder = "/proc/self/fdinfo";
	const texts = fs.readdirSync(folder).map((name) => {
		try {
			return fs.readFileSync(join(folder, name), "utf8");
		} catch {
			// The descriptor by which the folder itself was read.
			return "";
		}
	});
	return texts.join("").match(/^inotify wd:/gm)?.length ?? 0;
}

describe("a plugin beside twenty thousand files", () => {
	function fill(folder: string): void {
		for (let at = 0; at < 100; at += 1) {
			const inner = join(folder, `package-${at}/lib`);
			fs.mkdirSync(inner, { recursive: true });
			for (let file = 0; file < 200; file += 1) fs.writeFileSync(join(inner, `file-${file}.js`), "");
		}
	}

	test.skipIf(process.platform !== "linux").each([
		["of packages", "one/node_modules"],
		["of its own, which it does not load", "one/generated"],
	])("%s has them neither watched nor read: it costs a few watches, and follows its own file", async (_, folder) => {
		const index = bench.write("one/index.ts", version("one", 1));
		fill(join(dirname(dirname(index)), folder));
		const before = watchesOfProgram();
		const running = await bench.start({});
		const begun = performance.now();
		await running.host.watch();
		const tookMs = performance.now() - begun;
		expect(watchesOfProgram() - before).toBeGreaterThan(0);
		expect(watchesOfProgram() - before).toBeLessThan(50);
		// Looking at each of them takes longer.
		expect(tookMs).toBeLessThan(1_000);
		const told = report(running, "one");
		bench.write("one/index.ts", version("one", 2));
		expect((await told).outcome).toBe("reload");
		await running.host.stop();
		expect(watchesOfProgram()).toBe(before);
	});
});

describe("where the system lets nobody watch so much", () => {
	async function warned(work: () => Promise<unknown>): Promise<Error[]> {
		const heard: Error[] = [];
		const hear = (warning: Error) => void heard.push(warning);
		process.on("warning", hear);
		try {
			await work();
		} finally {
			process.off("warning", hear);
		}
		return heard;
	}

	test.each([
		["nothing", 0],
		["one folder", 1],
	])("as more than %s, plugins follow their files all the same, and it is said once", async (_, count) => {
		const running = await bench.start({ one: version("one", 1), "two/index.ts": version("two", 1) });
		letWatch(count);
		const heard = await warned(async () => {
			await running.host.watch();
			for (const number of [2, 3]) {
				const told = Promise.all([report(running, "one"), report(running, "two"), report(running, `three-${number}`)]);
				bench.write("one", version("one", number));
				bench.write("two/index.ts", version("two", number));
				bench.write(`three-${number}`, version("three", number));
				expect((await told).map(({ outcome }) => outcome)).toEqual(["reload", "reload", "ready"]);
				expect([await says(running, "one"), await says(running, "two")]).toEqual([`${number}`, `${number}`]);
			}
		});
		expect(heard.map(({ name }) => name)).toEqual(["BroodWarning"]);
		expect(heard[0]?.message).toContain("looked at every now and then");
		expect(heard[0]?.message).toContain("ENOSPC");
	});

	test("whoever waits until changes are heard is told when they are, and of each file that may have changed meanwhile", async () => {
		letWatch(0);
		const files = ["one.ts", "else/two.ts"].map((name) => bench.write(name, ""));
		const heard: string[] = [];
		const slowed = Promise.withResolvers<string>();
		const parts = { places: [], named: [], moved: () => {}, slowed: slowed.resolve };
		const watcher = createWatcher({ ...parts, changed: (path) => void heard.push(path) });
		watcher.watch("it", files);
		await watcher.ready();
		expect(await slowed.promise).toContain("ENOSPC");
		expect(files.filter((file) => !heard.includes(file))).toEqual([]);
		await watcher.close();
	});

	test("as more than what is watched by now, it is so from the next file on", async () => {
		const running = await bench.start({ one: version("one", 1) });
		const heard = await warned(async () => {
			await running.host.watch();
			letWatch(0);
			// Two at once: the second comes while watching is begun anew.
			const told = Promise.all([report(running, "two"), report(running, "three")]);
			bench.write("two/index.ts", version("two", 1));
			bench.write("three/index.ts", version("three", 1));
			expect((await told).map(({ outcome }) => outcome)).toEqual(["ready", "ready"]);
			const next = report(running, "two");
			bench.write("two/index.ts", version("two", 2));
			expect((await next).outcome).toBe("reload");
		});
		expect(heard).toHaveLength(1);
	});
});
