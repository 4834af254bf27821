import { expect, test } from "bun:test";
import { dirname, join } from "node:path";
import { createBench } from "../support/host.ts";
import { hookPlugin, post, seesEvents, soon, urlOf } from "./support.ts";

const bench = createBench();
const program = join(import.meta.dir, "../../fixtures/webhooks/host-program.ts");

test("after a host was killed the next one says, once and without alarm, that events wait and how long at most", async () => {
	const source = hookPlugin(bench, { handle: 'if (payload === "hold") await new Promise(() => {});' });
	const folder = dirname(bench.write("hook", source));
	const killed = Bun.spawn([process.execPath, program, folder, JSON.stringify(soon)], {
		stdout: "pipe",
		env: process.env,
	});
	// It has written that it is ready.
	await killed.stdout.getReader().read();
	await post(urlOf(bench), '"hold"');
	await seesEvents(bench, 1);
	await post(urlOf(bench), "2");
	killed.kill("SIGKILL");
	await killed.exited;
	const next = await bench.start({ hook: hookPlugin(bench) }, { cwd: folder, limits: { webhooks: soon } });
	const entry = await next.logged("hook", "events wait");
	expect(entry).toMatchObject({
		level: "info",
		source: "host",
		message:
			'webhook "hook": events wait (2), since another process holds one; if that process has ended, they are delivered in at most 1 s',
	});
	await seesEvents(bench, 3);
	const { log } = next.host.plugins;
	expect(log("hook").filter(({ message }) => message.includes("events wait"))).toHaveLength(1);
});
