import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { createBench } from "../support/host.ts";

const bench = createBench();

/** Tells in which places of a plugin the variables of a prefix can be seen, and with which values. */
const looks = (prefix: string) => `
	import { execSync, spawnSync } from "node:child_process";
	import { Worker as NodeWorker } from "node:worker_threads";
	const seen = (lines) => lines.filter((line) => line.startsWith("${prefix}")).sort();
	const own = () => Object.entries(process.env).map(([name, value]) => name + "=" + value);
	const lines = (text) => String(text).split("\\n");
	const heard = (worker, hear) => new Promise((resolve) => worker[hear]("message", (given) => resolve(given.data ?? given)));
	const tell = "Object.entries(process.env).map(([name, value]) => name + '=' + value)";
	const worker = new Blob(["postMessage(" + tell + ")"], { type: "text/javascript" });
	export default (amp) => amp.registerTool({ name: "look", description: "", inputSchema: { type: "object" }, async execute() {
		return JSON.stringify({
			"process.env": seen(own()),
			"Bun.env": seen(Object.entries(Bun.env).map((entry) => entry.join("="))),
			"Bun.spawn": seen(lines(await Bun.spawn(["env"], { stdout: "pipe" }).stdout.text())),
			"Bun.spawnSync": seen(lines(Bun.spawnSync(["env"]).stdout)),
			"Bun.spawnSync with env": seen(lines(Bun.spawnSync({ cmd: ["env"], env: process.env }).stdout)),
			"Bun.$": seen(lines(await Bun.$\`env\`.text())),
			"amp.$": seen(lines((await amp.$\`env\`).stdout)),
			execSync: seen(lines(execSync("env"))),
			spawnSync: seen(lines(spawnSync("env").stdout)),
			Worker: seen(await heard(new Worker(URL.createObjectURL(worker)), "addEventListener")),
			"node:worker_threads": seen(await heard(new NodeWorker("require('worker_threads').parentPort.postMessage(" + tell + ")", { eval: true }), "once")),
		});
	} });`;

async function look(env?: Record<string, string>): Promise<[place: string, seen: string[]][]> {
	const { host } = await bench.start({ looks: looks("BUN_GC") }, env === undefined ? {} : { env });
	return Object.entries(JSON.parse((await host.tools.call("look", {}, { events: false })).text));
}

describe("what keeps an idle child quiet", () => {
	test("is seen neither by its plugin nor by what that starts", async () => {
		const places = await look();
		expect(places.length).toBeGreaterThan(10);
		expect(places.filter(([, seen]) => seen.length > 0)).toEqual([]);
	});

	test("gives way to what somebody has set on purpose, which is seen everywhere", async () => {
		const own = { BUN_GC_TIMER_INTERVAL: "30000" };
		const places = await look({ PATH: process.env.PATH ?? "", ...own });
		expect(places.filter(([, seen]) => seen.join() !== "BUN_GC_TIMER_INTERVAL=30000")).toEqual([]);
	});

	test.skipIf(process.platform !== "linux")(
		"lets it wake up about once a second at most, where it would many times",
		async () => {
			const { host } = await bench.start({ idle: "export default () => {};" });
			const { pid } = host.plugins.get("idle");
			const rates: number[] = [];
			// Only what three looks agree on counts: whoever else uses the machine wakes it as well.
			do {
				const before = wakeUps(pid);
				await Bun.sleep(lookMs);
				const woken = [...wakeUps(pid)].map(([thread, count]) => count - (before.get(thread) ?? 0));
				rates.push(woken.reduce((all, count) => all + count, 0) / (lookMs / 1_000));
			} while (rates.length < 3 && rates.every((rate) => rate > rateMax));
			expect(Math.min(...rates)).toBeLessThanOrEqual(rateMax);
		},
	);
});

const lookMs = 1_500;
/** A socket of the event loop wakes a Bun about three times a second; one that looks for garbage every second has eight and more. */
const rateMax = 1.5;

/** How often each thread of a process has waited for something to happen. */
function wakeUps(pid: number | null): Map<string, number> {
	const threads = readdirSync(`/proc/${pid}/task`);
	return new Map(
		threads.map((thread) => {
			const status = readFileSync(`/proc/${pid}/task/${thread}/status`, "utf8");
			return [thread, Number(/^voluntary_ctxt_switches:\s*(\d+)/m.exec(status)?.[1])];
		}),
	);
}
