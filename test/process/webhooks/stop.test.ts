import { expect, test } from "bun:test";
import { createBench } from "../support/host.ts";
import { holds, hookPlugin, notesIn, post, seenIn, seesEvents, soon, startHook, urlOf } from "./support.ts";

const bench = createBench();
const limits = { webhooks: soon, stop: { disposeMs: 200 } };

test("a delivery that is under way as the host stops comes to its end, and is not made again; no other begins", async () => {
	const handle = 'note("begin " + payload); await Bun.sleep(400); note("end " + payload);';
	const source = hookPlugin(bench, { handle }).replace(
		"export default async (amp) => {",
		`export default async (amp) => {
			const quick = await amp.createWebhook({ key: "quick", handler: () => note("quick") });
			writeFileSync(${JSON.stringify(bench.path("quick.url"))}, quick.url);`,
	);
	const first = await startHook(bench, source);
	for (const body of ["1", "2"]) expect((await post(urlOf(bench), body)).status).toBe(202);
	await holds(() => notesIn(bench).length === 1);
	const stopped = first.host.stop();
	expect((await post(urlOf(bench, "quick"))).status).toBe(202);
	await stopped;
	expect(notesIn(bench)).toEqual(["begin 1", "end 1"]);
	await startHook(bench, source);
	await holds(() => notesIn(bench).includes("end 2") && notesIn(bench).includes("quick"));
	expect(notesIn(bench).filter((note) => note !== "quick")).toEqual(["begin 1", "end 1", "begin 2", "end 2"]);
});

test("one that takes longer than the host waits is given back, and that is no failure of it", async () => {
	const handle =
		'context.signal.addEventListener("abort", () => note("aborted")); if (count === 1) await new Promise(() => {});';
	const first = await startHook(bench, hookPlugin(bench, { handle }), { limits });
	await post(urlOf(bench));
	await seesEvents(bench, 1);
	await first.host.stop();
	await startHook(bench, hookPlugin(bench), { limits });
	expect((await seesEvents(bench, 2)).map(({ metadata }) => metadata.attempt)).toEqual([1, 1]);
});

test("a plugin with nothing under delivery is stopped at once, whatever others handle", async () => {
	const other = hookPlugin(bench, { key: "other" }).replace(
		"export default async (amp) => {",
		'export default async (amp) => { amp.onDispose(() => note("disposed"));',
	);
	const handle = 'await Bun.sleep(600); note("end");';
	const { host } = await bench.start({ other, hook: hookPlugin(bench, { handle }) }, { limits: { webhooks: soon } });
	await post(urlOf(bench));
	await holds(() => seenIn(bench).length === 1);
	await host.stop();
	expect(notesIn(bench)).toEqual(["disposed", "end"]);
});
