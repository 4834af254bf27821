import { expect, test } from "bun:test";
import { createBench } from "../support/host.ts";

const bench = createBench();

test.skipIf(process.platform !== "linux")("plugins that wait while they load hold up nobody", async () => {
	const waits = "await new Promise(() => {}); export default () => {};";
	const places = Math.max(2, navigator.hardwareConcurrency);
	const plugins = Object.fromEntries(Array.from({ length: 2 * places }, (_, index) => [`a${index}`, waits]));
	const limits = { load: { readyMs: 800, startPlaceMs: 60_000 } };
	const { events } = await bench.start({ ...plugins, z: "export default () => {};" }, { limits });
	const states = events.flatMap((event) => (event.type === "state" ? [`${event.plugin} ${event.state}`] : []));
	expect(states).toContain("a0 failed");
	expect(states.indexOf("z ready")).toBeWithin(0, states.indexOf("a0 failed"));
});
