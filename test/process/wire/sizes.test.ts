import { expect, test } from "bun:test";
import { rejection } from "../../unit/runtime/support.ts";
import { createBench, type Running } from "../support/host.ts";

const bench = createBench();
const alone = { events: false };

const tool = (name: string, execute: string) =>
	`amp.registerTool({ name: "${name}", description: "", inputSchema: { type: "object" }, execute: ${execute} });`;
const plugin = `export default (amp) => {
	${tool("take", "({ text }) => String(text.length)")}
	${tool("give", '({ length }) => "x".repeat(length)')}
	${tool("both", "({ text }) => text")}
	${tool("ask", `({ length }) => amp.system.open("https://example.com/" + "x".repeat(length)).then(() => "opened", (error) => error.code + ": " + error.message)`)}
};`;

/** The bytes of the last message that went in a direction with a method. */
function bytesOf({ frames }: Running, direction: "in" | "out", kind: "call" | "result", method: string): number {
	const frame = frames("one").findLast(
		(one) => one.direction === direction && one.kind === kind && one.method === method,
	);
	return frame?.bytes ?? Number.NaN;
}

test("both directions have one limit, to the byte; over it the call fails with both numbers and the wire goes on", async () => {
	const lineBytesMax = 100_000;
	const running = await bench.start(
		{ one: plugin },
		{ limits: { wire: { lineBytesMax } }, providers: { system: { open: async () => {} } } },
	);
	const { host } = running;
	const call = (name: string, input: object) => host.tools.call(name, input as never, alone);
	const take = (length: number) => call("take", { text: "x".repeat(length) });
	const give = (length: number) => call("give", { length });
	const ask = (length: number) => call("ask", { length });
	const both = /\b100001 bytes of 100000 allowed/;

	// Ids of one length: from the tenth call on they have two digits for the rest of this test.
	for (let n = 0; n < 10; n += 1) await take(1);
	const taken = lineBytesMax - (bytesOf(running, "out", "call", "tool.execute") - 1);
	for (const length of [taken - 1, taken]) expect((await take(length)).text).toBe(String(length));
	expect(bytesOf(running, "out", "call", "tool.execute")).toBe(lineBytesMax);
	const error = await rejection(take(taken + 1));
	expect(String(error)).toMatch(both);
	expect(String(error)).toContain('what is sent for tool "take" of plugin "one"');
	expect(error).toMatchObject({ code: "message_too_large", plugin: "one" });

	await give(1);
	const given = lineBytesMax - (bytesOf(running, "in", "result", "tool.execute") - 1);
	for (const length of [given - 1, given]) expect((await give(length)).text).toHaveLength(length);
	expect(bytesOf(running, "in", "result", "tool.execute")).toBe(lineBytesMax);
	const answer = await rejection(give(given + 1));
	expect(String(answer)).toMatch(both);
	expect(String(answer)).toContain('the answer for tool "give" of plugin "one"');
	expect(answer).toMatchObject({ code: "message_too_large", plugin: "one" });

	for (let n = 0; n < 10; n += 1) await ask(1);
	const asked = lineBytesMax - (bytesOf(running, "in", "call", "system.open") - 1);
	for (const length of [asked - 1, asked]) expect((await ask(length)).text).toBe("opened");
	expect((await ask(asked + 1)).text).toMatch(/^message_too_large: .*100001 bytes of 100000 allowed/);

	expect((await take(1)).text).toBe("1");
	expect(host.plugins.get("one")).toMatchObject({ state: "ready", launches: 1 });
});

test("messages of 16 MiB go both ways while small calls of another plugin flow", async () => {
	const { host } = await bench.start({
		one: plugin,
		two: `export default (amp) => { ${tool("small", '() => "small"')} };`,
	});
	const text = "x".repeat(16 * 1024 * 1024);
	const small = async () => {
		const begin = performance.now();
		await host.tools.call("small", {}, alone);
		return performance.now() - begin;
	};
	async function median(goesOn: () => boolean): Promise<number> {
		const times: number[] = [];
		while (goesOn() || times.length < 20) times.push(await small());
		return times.sort((a, b) => a - b)[times.length >> 1] ?? 0;
	}
	const rounds: { quiet: number; loaded: number; ratio: number }[] = [];
	await median(() => false);
	for (let round = 0; round < 3; round += 1) {
		let left = 200;
		const quiet = await median(() => left-- > 0);
		let isOver = false;
		const large = host.tools.call("both", { text }, alone).finally(() => {
			isOver = true;
		});
		const loaded = await median(() => !isOver);
		expect((await large).text).toHaveLength(text.length);
		rounds.push({ quiet, loaded, ratio: loaded / quiet });
	}
	// A busy machine disturbs one round; a plugin that is held up is so in each.
	expect(Math.min(...rounds.map(({ ratio }) => ratio))).toBeLessThan(20);
});
