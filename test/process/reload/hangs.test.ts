import { describe, expect, test } from "bun:test";
import { createBench, type Running } from "../support/host.ts";
import { comesTrue, processLives } from "../support/processes.ts";
import { report, says, version } from "./support.ts";

const bench = createBench();
/** A load that hangs is ended by nothing else within a test. */
const limits = { load: { readyMs: 60_000 } };

const hangs: [name: string, source: string][] = [
	["at an await of its module that never ends", "await new Promise(() => {});\nexport default () => {};\n"],
	["in a loop without end at its import", "while (true);\nexport default () => {};\n"],
	["in an activation that never resolves", "export default () => new Promise(() => {});\n"],
];

/** Says in its log that a load has begun, and in which process. */
const hanging = (source: string) => `console.error("hangs in " + process.pid);\n${source}`;

async function watched(plugins: Record<string, string>): Promise<Running> {
	const running = await bench.start(plugins, { limits });
	await running.host.watch();
	return running;
}

async function hangsIn(running: Running): Promise<number> {
	const { message } = await running.logged("one", "hangs in ");
	return Number(message.split(" ").at(-1));
}

const reports = ({ events }: Running) => events.flatMap((event) => (event.type === "reload" ? [event.report] : []));

async function ends(pid: number): Promise<void> {
	// Half of it is for what obeys no signal but the last one.
	expect(await comesTrue(() => !processLives(pid), 6_000)).toBe(true);
}

describe.each(hangs)("a load that hangs %s", (_, source) => {
	test("is given up for the save that mends it, which is the one thing told, and its process ends", async () => {
		const running = await watched({ one: version("one", 1) });
		bench.write("one", hanging(source));
		const pid = await hangsIn(running);
		expect(await says(running, "one")).toBe("1");
		const told = report(running, "one");
		const file = bench.write("one", version("one", 2));
		expect(await told).toMatchObject({ outcome: "reload", files: [file], changed: [] });
		expect(await says(running, "one")).toBe("2");
		await ends(pid);
		expect(reports(running)).toHaveLength(1);
		expect(await running.logged("one", "given up")).toMatchObject({ level: "info", source: "host" });
		const errors = running.host.plugins.log("one").filter(({ level }) => level === "error");
		expect(errors.map(({ message }) => message).filter((message) => !message.startsWith("hangs in"))).toEqual([]);
	});

	test("of a plugin that does not serve is given up too", async () => {
		const running = await watched({ one: "export default (amp) => {" });
		bench.write("one", hanging(source));
		const pid = await hangsIn(running);
		const told = report(running, "one");
		bench.write("one", version("one", 2));
		expect(await told).toMatchObject({ outcome: "ready", added: ["tool one"] });
		await ends(pid);
		expect(reports(running)).toHaveLength(1);
	});

	test("of a plugin that has just come is given up too", async () => {
		const running = await watched({ other: version("other", 1) });
		bench.write("one", hanging(source));
		const pid = await hangsIn(running);
		const told = report(running, "one");
		bench.write("one", version("one", 2));
		expect(await told).toMatchObject({ outcome: "ready", added: ["tool one"] });
		expect(await says(running, "one")).toBe("2");
		await ends(pid);
		expect(reports(running)).toHaveLength(1);
	});

	test("is given up for a reload by hand, with whose outcome both reloads end", async () => {
		const running = await bench.start({ one: version("one", 1) }, { limits });
		bench.write("one", hanging(source));
		const first = running.host.reload("one");
		const pid = await hangsIn(running);
		bench.write("one", version("one", 2));
		const second = running.host.reload("one");
		await Promise.all([first, second]);
		expect(await says(running, "one")).toBe("2");
		await ends(pid);
	});

	test("ends with a stop, at once", async () => {
		const running = await watched({ one: version("one", 1) });
		bench.write("one", hanging(source));
		const pid = await hangsIn(running);
		await running.host.disable("one");
		expect(processLives(pid)).toBe(false);
		expect(reports(running)).toEqual([]);
	});
});

test("a load of usual length is never given up, however often its plugin is saved meanwhile", async () => {
	const slow = (number: number) => `await Bun.sleep(700);\n${version("one", number)}`;
	const running = await watched({ one: slow(0) });
	let number = 0;
	const saving = setInterval(() => {
		number += 1;
		bench.write("one", slow(number));
	}, 100);
	try {
		for (let loads = 0; loads < 3; loads += 1) expect((await report(running, "one")).outcome).toBe("reload");
	} finally {
		clearInterval(saving);
	}
	expect(running.host.plugins.log("one").filter(({ message }) => message.includes("given up"))).toEqual([]);
});

test("a plugin that has become slow is loaded all the same while it is saved without pause", async () => {
	const running = await watched({ one: version("one", 0) });
	let number = 0;
	const saving = setInterval(() => {
		number += 1;
		bench.write("one", `await Bun.sleep(1_500);\n${version("one", number)}`);
	}, 200);
	try {
		expect((await report(running, "one")).outcome).toBe("reload");
	} finally {
		clearInterval(saving);
	}
	expect(Number(await says(running, "one"))).toBeGreaterThan(0);
});

test("a save while a plugin is started again after a crash is what is loaded, not what was read before it", async () => {
	const once = bench.path("once");
	const slowAgain = `import { existsSync, writeFileSync } from "node:fs";
if (existsSync("${once}")) {
	console.error("is read");
	await Bun.sleep(300);
}
writeFileSync("${once}", "");
${version("one", 1)}`;
	const running = await watched({ one: slowAgain });
	process.kill(running.host.plugins.get("one").pid ?? 0, "SIGKILL");
	await running.logged("one", "is read");
	const told = report(running, "one");
	bench.write("one", version("one", 2));
	expect((await told).outcome).toBe("ready");
	expect(await says(running, "one")).toBe("2");
});
