import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { rejection } from "../../unit/runtime/support.ts";
import { createBench } from "../support/host.ts";
import { line, play } from "./script.ts";
import { act, roundTrip, startHostile } from "./support.ts";

const bench = createBench();
setDefaultTimeout(60_000);

const changed = line({ method: "tools.changed", params: { revision: 2 } });
const withTools = (tool: unknown[]) => ({ tool, command: [], skill: [], event: [], mode: [], link: [] });
const create = (id: number, text: string, url?: string) =>
	line({ id: `s${id}`, method: "status.create", params: { id, text, ...(url === undefined ? {} : { url }) } });

describe("status items", () => {
	test("past their number are refused by name, while those there are may still change", async () => {
		const options = { limits: { text: { statusItemsMax: 3 } } };
		const running = await startHostile(bench, { bad: {} }, options);
		const pieces = Array.from({ length: 500 }, (_, id) => create(id, `item ${id}`));
		await act(running, { pieces: [...pieces, create(1, "again")], answer: "" });
		expect(running.host.statusItems.list().map(({ text }) => text)).toEqual(["item 0", "again", "item 2"]);
		const told = running
			.frames("bad")
			.flatMap(({ kind, message }) => (kind === "error" ? [JSON.stringify(message)] : []));
		expect(told).toHaveLength(497);
		expect(told[0]).toContain("at most 3");
	});

	test("have a text that is cut and a URL that is refused when it is larger", async () => {
		const options = { limits: { text: { uiTextCharsMax: 10 } } };
		const { host, ...running } = await startHostile(bench, { bad: {} }, options);
		await act(
			{ host, ...running },
			{ pieces: [create(1, "x".repeat(50)), create(2, "y", "z".repeat(50))], answer: "" },
		);
		expect(host.statusItems.list()).toEqual([{ plugin: "bad", id: 1, text: "x".repeat(10) }]);
	});
});

describe("what a plugin registers", () => {
	test("is cut at the number that one kind may have, and the log says so", async () => {
		const tool = [play, ...Array.from({ length: 500 }, (_, index) => ({ ...play, name: `t${index}` }))];
		const running = await startHostile(
			bench,
			{ bad: { lists: withTools(tool) } },
			{ limits: { wire: { itemsMax: 20 } } },
		);
		expect(running.host.plugins.get("bad").tools).toHaveLength(20);
		await running.logged("bad", "501 items of 20 allowed");
	});

	test("and is wrong a thousand times is explained a few times and counted", async () => {
		const tool = [play, ...Array.from({ length: 1_000 }, () => ({ name: 5 }))];
		const { host, logged } = await startHostile(bench, { bad: { lists: withTools(tool) } });
		await logged("bad", "980 more items");
		expect(host.plugins.log("bad").filter(({ message }) => message.includes("tool.list"))).toHaveLength(21);
		expect(host.plugins.get("bad").tools).toHaveLength(1);
	});

	test("and changes without pause is listed now and then, and its calls are answered all the same", async () => {
		const tool = [play, ...Array.from({ length: 2_000 }, (_, index) => ({ ...play, name: `t${index}` }))];
		const scripts = { bad: { lists: withTools(tool), restless: true } };
		const running = await startHostile(bench, scripts, { limits: { wire: { listingMsPerSecondMax: 5 } } });
		const lists = () => running.wire("bad").filter((said) => said === "-> tool.list").length;
		const begin = performance.now();
		for (const answer of ["one", "two"]) expect(await act(running, { answer })).toMatchObject({ text: answer });
		expect(lists() / (performance.now() - begin)).toBeLessThan(20 / 1_000);
	});

	test("and is never told of holds up a call with a time limit no longer than that", async () => {
		const lists = withTools([play]);
		const running = await startHostile(
			bench,
			{ bad: { lists, listless: true } },
			{ limits: { load: { readyMs: 600_000 } } },
		);
		const input = { pieces: [Buffer.from(changed).toString("base64")], bare: "answered" };
		const options = { events: false, timeoutMs: 300 };
		expect(await running.host.tools.call("play", input, options)).toMatchObject({ text: "answered" });
	});

	test("and could not be listed once is listed when it changes meanwhile", async () => {
		const running = await startHostile(bench, { bad: {} });
		const wrong = line({ id: "@id+1", result: "no list" });
		await act(running, { pieces: [changed, changed, wrong], answer: "" });
		await running.logged("bad", "could not be fetched");
		expect(running.host.plugins.get("bad").tools).toHaveLength(1);
		expect(await act(running, { answer: "lists again" })).toMatchObject({ text: "lists again" });
	});
});

test("a child that asks without end and reads no answer is ended, with the reason in its log, before it fills the memory", async () => {
	const limits = { wire: { urgentMessagesMax: 500, writeQueueBytesMax: 64 * 1024 }, restart: { retriesMax: 0 } };
	const running = await startHostile(bench, { bad: {} }, { limits });
	const error = await rejection(act(running, { flood: line({ id: 7, method: "nonsense" }) }));
	expect(error).toMatchObject({ plugin: "bad" });
	const { message } = await running.logged("bad", "wait to be read");
	expect(Number(/(\d+) bytes/.exec(message)?.[1])).toBeLessThan(2 * 1024 * 1024);
	await running.reaches("bad", "failed");
	await roundTrip(running);
});
