import { expect, test } from "bun:test";
import type { LogEntry } from "../../../../host/base/log.ts";
import { createPluginLog } from "../../../../host/base/log.ts";
import { guardedSink, jsonLog, type LogSink } from "../../../../host/base/log-sink.ts";
import { limits } from "../../../../runtime/limits.ts";

const entry = (message: string): LogEntry => ({ time: 0, plugin: "one", source: "plugin", level: "info", message });

test("a line of JSON has time, level, plugin, source and message, in this order, and its end", () => {
	const lines: string[] = [];
	const log = jsonLog((line) => lines.push(line));
	log(entry('said "hello"'));
	expect(lines).toEqual([
		'{"time":"1970-01-01T00:00:00.000Z","level":"info","plugin":"one","source":"plugin","message":"said \\"hello\\""}\n',
	]);
});

test("a sink gets what passes, and nothing else", () => {
	const got: string[] = [];
	const sink = guardedSink(
		({ message }) => got.push(message),
		({ level }) => level === "warn",
		() => {},
	);
	sink(entry("info"));
	sink({ ...entry("warn"), level: "warn" });
	expect(got).toEqual(["warn"]);
});

test.each<[string, LogSink]>([
	[
		"throws",
		() => {
			throw new Error("no room");
		},
	],
	["rejects", () => Promise.reject(new Error("no room")) as never],
	["writes JSON to what rejects", jsonLog(() => Promise.reject(new Error("no room")) as never)],
])("a sink that %s is told of once, and still gets what comes later", async (_, failing) => {
	const told: string[][] = [];
	let calls = 0;
	const sink: LogSink = guardedSink(
		(given) => {
			calls += 1;
			return failing(given);
		},
		() => true,
		(plugin, message) => {
			told.push([plugin, message]);
			// What the host tells goes to its sink as well.
			sink(entry(message));
		},
	);
	for (const message of ["a", "b", "c"]) sink(entry(message));
	await Bun.sleep(0);
	expect(told).toEqual([["one", expect.stringContaining("no room")]]);
	expect(calls).toBe(4);
});

test("an entry holds no more bytes than a line may, whatever it is made of", () => {
	const bounds = { ...limits.text, logLineBytesMax: 99 };
	const log = createPluginLog("one", bounds);
	for (const piece of ["\u0000", "é", "漢", "😀", "\ud800", "\u001b[2J"]) {
		const { message } = log.add(entry(piece.repeat(200)));
		expect(Buffer.byteLength(message)).toBeLessThanOrEqual(99 + Buffer.byteLength("…"));
		expect(message).toEndWith("…");
		expect(log.add(entry(piece)).message).not.toEndWith("…");
	}
});
