import { heapStats } from "bun:jsc";
import { expect, setDefaultTimeout, test } from "bun:test";
import { deep, tally } from "../../support/effort.ts";
import { createBench, type Running } from "../support/host.ts";
import { line, play } from "./script.ts";
import { act, politeUI, roundTrip, startHostile } from "./support.ts";

/** Another plugin's round trip while a child floods stays within this many of its quiet ones. */
const factorMax = 20;

const bench = createBench();
setDefaultTimeout(60_000);

/** Nothing is kept of what happens, so that what the host keeps is seen alone. */
const options = { providers: { ui: politeUI().provider }, observe: () => {}, wire: () => {} };

const manyTools = [play, ...Array.from({ length: 5_000 }, (_, index) => ({ ...play, name: `tool-${index}` }))];
const wrongTools = [play, ...Array.from({ length: 5_000 }, (_, index) => ({ ...play, name: index }))];

const floods: Record<string, string | Uint8Array> = {
	"lines of one byte": "x\n",
	"lines that are not UTF-8": new Uint8Array([0xff, 0x0a]),
	"lines of a kilobyte": `${"y".repeat(1_024)}\n`,
	"empty lines": "\n",
	batches: "[1]\n",
	"deep JSON": `${"[".repeat(3_000)}${"]".repeat(3_000)}\n`,
	"log lines": line({ method: "log", params: { level: "info", message: "again" } }),
	"unknown notifications": line({ method: "nonsense" }),
	"changes of tools": line({ method: "tools.changed", params: { revision: 1 } }),
	"requests nobody serves": line({ id: 7, method: "nonsense" }),
	"dialogs with one id": line({ id: "d", method: "ui.confirm", params: { title: "Sure?" } }),
	"status items": line({ id: 8, method: "status.create", params: { id: 1, text: "x" } }),
	"requests that are refused": line({ id: 9, method: "ui.notify", params: { message: 5 } }),
	"answers to nothing": line({ id: 99_999, result: {} }),
	cancellations: line({ method: "$/cancel", params: { id: 3 } }),
};

test.each(Object.entries(floods))("a flood of %s starves nobody", async (name, flood) => {
	const running = await startHostile(bench, { bad: {} }, options);
	await expectFair(running, name, () => act(running, { flood }));
});

test.each([
	["thousands of tools", manyTools],
	["thousands of tools that are all wrong", wrongTools],
])("a child that lists %s, and changes them without pause, starves nobody", async (name, tool) => {
	const lists = { tool, command: [], skill: [], event: [], mode: [], link: [] };
	const running = await startHostile(bench, { bad: { lists, restless: true } }, options);
	await expectFair(running, name, () => act(running, { pieces: [line({ method: "tools.changed", params: {} })] }));
});

test("a line without end ends its child at the limit and starves nobody", async () => {
	const limits = { wire: { lineBytesMax: 8 * 1024 * 1024 } };
	const running = await startHostile(bench, { bad: {} }, { ...options, limits });
	const quiet = await medianTrip(running);
	const call = act(running, { flood: "y".repeat(65_536) }).then(
		() => undefined,
		(error: unknown) => error,
	);
	const busy = await medianTrip(running);
	expect(await call).toMatchObject({ code: "plugin_exited" });
	expect(busy / quiet).toBeLessThan(factorMax);
});

test("junk by the megabyte leaves log and memory as they were, and the call is answered at last", async () => {
	const running = await startHostile(bench, { bad: {} }, options);
	const { host } = running;
	await act(running, { flood: "junk!\n", times: 100_000, answer: "warm" });
	const before = heldMB();
	const call = act(running, { flood: `${"junk ".repeat(200)}\n`, times: junkLines, answer: "still here" });
	while (!(await Promise.race([call.then(() => true), roundTrip(running).then(() => false)])));
	expect(await call).toMatchObject({ ok: true, text: "still here" });
	expect(heldMB() - before).toBeLessThan(16);
	const noise = host.plugins.log("bad").filter(({ message }) => message.includes("no message"));
	expect(noise.length).toBeGreaterThan(0);
	expect(noise.length).toBeLessThan(20);
});

/** What this program still holds, buffers included; what the system has not been given back yet varies by much more. */
function heldMB(): number {
	Bun.gc(true);
	const { heapSize, extraMemorySize } = heapStats();
	return (heapSize + extraMemorySize) / 2 ** 20;
}

/** Round trips in quiet and under the flood by turns; only when three such pairs agree is it unfair. */
async function expectFair(running: Running, name: string, begin: () => Promise<unknown>): Promise<void> {
	const quiet = await medianTrip(running);
	const { host } = running;
	const factors: number[] = [];
	for (let pair = 0; pair < 3; pair += 1) {
		const ended = begin().catch(() => {});
		await roundTrip(running);
		const busy = await medianTrip(running);
		const { state, error } = host.plugins.get("bad");
		const log = host.plugins.log("bad").map(({ message }) => message);
		// One that reads none of its answers is ended at last; that may be now where the machine is busy.
		const isEnded = log.some((message) => message.includes("the connection was ended"));
		if (!isEnded) expect({ state, error, log: log.slice(-3) }).toMatchObject({ state: "ready" });
		factors.push(busy / quiet);
		if (busy / quiet < factorMax) {
			tally(`round trip under a flood of ${name}`, Math.round((10 * busy) / quiet) / 10, "times its quiet median");
			kill(host.plugins.get("bad").pid);
			return void (await ended);
		}
		kill(host.plugins.get("bad").pid);
		await ended;
		await host.reload("bad");
	}
	expect(Math.min(...factors)).toBeLessThan(factorMax);
}

/** There is none where the host has ended it. */
function kill(pid: number | null): void {
	if (pid !== null) process.kill(pid, "SIGKILL");
}

// 200 MB in the full run, 30 MB in the quick one.
const junkLines = deep ? 200_000 : 30_000;

const tripsMin = 60;

/** The median round trip of the plugin that behaves, in milliseconds. */
async function medianTrip(running: Running): Promise<number> {
	const times: number[] = [];
	for (let trip = 0; trip < tripsMin; trip += 1) {
		const begin = performance.now();
		await roundTrip(running);
		times.push(performance.now() - begin);
	}
	return times.sort((a, b) => a - b)[tripsMin / 2] ?? Number.POSITIVE_INFINITY;
}
