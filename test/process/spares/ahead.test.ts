import { afterEach, expect, test } from "bun:test";
import { dropAhead, startAhead, takeAhead } from "../../../host/backends/ahead.ts";
import { createHost } from "../../../host/index.ts";
import { createBench } from "../support/host.ts";
import { survivorsOf } from "../support/processes.ts";
import { sparePids, tells } from "./support.ts";

const bench = createBench();
afterEach(dropAhead);

/** Starts a process for the next plugin, which stands still before it can say anything. */
async function startStill(): Promise<number> {
	await startAhead();
	const [pid = 0] = sparePids();
	process.kill(pid, "SIGSTOP");
	return pid;
}

test.skipIf(process.platform !== "linux")(
	"a head start that is killed before it says hello is no failure of its plugin, which starts in another process",
	async () => {
		const pid = await startStill();
		const plugins = [bench.write("one", tells("one"))];
		let killed = 0;
		const host = await createHost({
			plugins,
			places: false,
			observe(event) {
				// It is told once the process was taken.
				if (event.type !== "fact" || event.fact !== "spawned" || killed !== 0) return;
				killed = pid;
				process.kill(pid, "SIGKILL");
			},
		});
		const { state, process: how, pid: other } = host.plugins.get("one");
		await host.stop();
		expect({ state, spare: how?.spare, killed }).toEqual({ state: "ready", spare: undefined, killed: pid });
		expect(other).not.toBe(pid);
	},
);

test("a head start is taken by one host alone, and the next one makes its own surroundings", async () => {
	await startAhead();
	expect(takeAhead()).toBeDefined();
	expect(takeAhead()).toBeUndefined();
});

test.skipIf(process.platform !== "linux")("a head start whose host came to nothing is ended all the same", async () => {
	await startAhead();
	const pids = sparePids();
	expect(pids).toHaveLength(1);
	takeAhead();
	await dropAhead();
	expect(await survivorsOf(pids)).toEqual([]);
});
