import { describe, expect, test } from "bun:test";
import { renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createBench } from "../support/host.ts";
import { act, acts, folders, heard, hears, put } from "./support.ts";

const bench = createBench();

describe("a plugin that subscribes to its settings", () => {
	test("hears them as they are, then each change of its own, of another plugin and of another host, once", async () => {
		put(folders().global, '{"g":1}');
		const [first, second] = await Promise.all([
			bench.start({ listener: hears, one: acts }),
			bench.start({ listener: hears, one: acts }),
		]);
		await Promise.all([first, second].map(({ logged }) => logged("listener", 'heard {"g":1}')));
		await act(first.host, { update: { a: 1 } });
		await Promise.all([first, second].map(({ logged }) => logged("listener", 'heard {"g":1,"a":1}')));
		await act(second.host, { update: { a: 1 } });
		await act(second.host, { update: { g: 2 }, target: "global" });
		await Promise.all([first, second].map(({ logged }) => logged("listener", 'heard {"g":2,"a":1}')));
		await act(first.host, { delete: "a" });
		await Promise.all([first, second].map(({ logged }) => logged("listener", 'heard {"g":2}')));
		const all = ['heard {"g":1}', 'heard {"g":1,"a":1}', 'heard {"g":2,"a":1}', 'heard {"g":2}'];
		expect(heard(first.host, "listener")).toEqual(all);
		expect(heard(second.host, "listener")).toEqual(all);
	});

	test("hears an editor's save in every style", async () => {
		const running = await bench.start({ listener: hears });
		const { workspace, root, amp } = folders();
		let n = 0;
		async function saved(save: (text: string) => void): Promise<void> {
			n += 1;
			save(`{"n":${n}}`);
			await running.logged("listener", `heard {"n":${n}}`);
		}
		await running.logged("listener", "heard {}");
		await saved((text) => put(workspace, text));
		await saved((text) => writeFileSync(workspace, text));
		const renamed = (text: string) => {
			writeFileSync(`${workspace}.swp`, text);
			renameSync(`${workspace}.swp`, workspace);
		};
		await saved(renamed);
		await saved(renamed);
		await saved((text) => {
			renameSync(workspace, `${workspace}~`);
			writeFileSync(workspace, text);
			rmSync(`${workspace}~`);
		});
		await saved((text) => {
			rmSync(workspace);
			writeFileSync(workspace, text);
		});
		await saved((text) => {
			rmSync(dirname(workspace), { recursive: true });
			put(amp, text);
		});
		rmSync(amp);
		// A link to a file elsewhere, which then changes there, in place and by being replaced.
		const real = join(root, "dotfiles/brood.json");
		await saved((text) => {
			put(workspace, text);
		});
		await saved((text) => {
			put(real, text);
			symlinkSync(real, `${workspace}.link`);
			renameSync(`${workspace}.link`, workspace);
		});
		await saved((text) => writeFileSync(real, text));
		for (let times = 0; times < 2; times += 1) {
			await saved((text) => {
				writeFileSync(`${real}.new`, text);
				renameSync(`${real}.new`, real);
			});
		}
		// Some editors empty a file first; what is broken for a moment only is no problem.
		writeFileSync(real, "");
		await Bun.sleep(100);
		await saved((text) => writeFileSync(real, text));
		const log = running.host.plugins.log("listener");
		expect(log.filter(({ message }) => message.includes("cannot be used"))).toEqual([]);
	});

	test("keeps the last good settings while a file is broken, which its log tells once", async () => {
		const { workspace } = folders();
		put(workspace, '{"a":1}');
		const running = await bench.start({ listener: hears, one: acts });
		await running.logged("listener", 'heard {"a":1}');
		writeFileSync(workspace, '{"a":');
		const { level, source } = await running.logged("listener", `${workspace} cannot be used: line 1, column 6`);
		expect({ level, source }).toEqual({ level: "warn", source: "host" });
		expect(await act(running.host, { get: true })).toContain("line 1, column 6");
		// Another file changes, and this one stays broken.
		put(folders().amp, '{"b":1}');
		await Bun.sleep(500);
		writeFileSync(workspace, '{"a":2}');
		await running.logged("listener", 'heard {"b":1,"a":2}');
		expect(heard(running.host, "listener")).toEqual(['heard {"a":1}', 'heard {"b":1,"a":2}']);
		const told = running.host.plugins.log("listener").filter(({ message }) => message.includes("cannot be used"));
		expect(told).toHaveLength(1);
	});

	test("hears the last of many changes in a row, and never an older one after a newer one", async () => {
		const writes = `export default (amp) => amp.registerTool({ name: "write", description: "", inputSchema: { type: "object" },
			async execute() { for (let n = 1; n <= 60; n += 1) await amp.configuration.update({ n }); } });`;
		const { host, logged } = await bench.start({ listener: hears, other: hears, one: writes });
		await Promise.all(["listener", "other"].map((plugin) => logged(plugin, "heard {}")));
		await host.tools.call("write", {}, { events: false });
		await Promise.all(["listener", "other"].map((plugin) => logged(plugin, 'heard {"n":60}')));
		for (const plugin of ["listener", "other"]) {
			const numbers = heard(host, plugin).map((line) => Number(/\d+/.exec(line)?.[0] ?? 0));
			expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
		}
	});

	test("hears of a file that is written without pause", async () => {
		const { logged } = await bench.start({ listener: hears });
		await logged("listener", "heard {}");
		const { workspace } = folders();
		let n = 0;
		put(workspace, "{}");
		const writing = setInterval(() => writeFileSync(workspace, `{"n":${++n}}`), 3);
		try {
			await logged("listener", 'heard {"n":');
		} finally {
			clearInterval(writing);
		}
		await logged("listener", `heard {"n":${n}}`);
	});

	test("may have many observers, each with copies of its own; one that throws keeps no other from hearing", async () => {
		const { workspace } = folders();
		put(workspace, '{"list":[]}');
		const { host, logged, wire } = await bench.start({
			one: `export default (amp) => {
				amp.configuration.subscribe(({ list }) => { list.push(1); throw new Error("on purpose"); });
				const piped = amp.configuration.pipe((source) => source[Symbol.observable ?? Symbol.for("observable")]());
				piped.subscribe({ next: (settings) => amp.logger.log("second " + JSON.stringify(settings)) });
				setTimeout(() => amp.configuration.subscribe((settings) => amp.logger.log("late " + JSON.stringify(settings))), 300);
			};`,
		});
		await logged("one", 'second {"list":[]}');
		await logged("one", "an observer of amp.configuration failed: on purpose");
		await logged("one", 'late {"list":[]}');
		expect(host.plugins.get("one").state).toBe("ready");
		expect(wire("one").filter((line) => line === "<- configuration.subscribe")).toHaveLength(1);
	});
});
