import { expect, test } from "bun:test";
import { rejection } from "../../unit/runtime/support.ts";
import { createBench, type Running } from "../support/host.ts";

const bench = createBench();

// Nobody waits for the answer about a status item; the host takes them in order, so a later ask tells that it has it.
const told = "const told = (amp) => amp.ui.notify('').catch(() => {});\n";

/** A plugin that shows one item, and waits for the host to have it. */
const shows = (text: string) => `${told}export default async (amp) => {
	const item = amp.createStatusItem({ text: "${text}" });
	amp.registerCommand("change", { title: "Change" }, async () => {
		item.update({ text: "${text} changed", url: "command:change" });
		await told(amp);
	});
	amp.registerCommand("hide", { title: "Hide" }, async () => {
		item.unsubscribe();
		item.update({ text: "${text} again" });
		await told(amp);
	});
	amp.registerCommand("die", { title: "Die" }, () => process.exit(1));
	amp.onDispose(() => { item.unsubscribe(); console.error("disposed ${text}"); });
	await told(amp);
};`;

const shown = ({ host }: Running) => host.statusItems.list().map(({ plugin, text }) => `${plugin}: ${text}`);

test("status items are shown, changed and taken away; a change after that brings nothing back", async () => {
	const running = await bench.start({ one: shows("one"), two: shows("two") });
	expect(shown(running).sort()).toEqual(["one: one", "two: two"]);
	await running.host.commands.run("one:change");
	expect(shown(running).sort()).toEqual(["one: one changed", "two: two"]);
	expect(running.host.plugins.get("one").statusItems).toMatchObject([{ url: "command:change" }]);
	await running.host.commands.run("one:hide");
	expect(shown(running)).toEqual(["two: two"]);
});

test("they go with a stop and with a crash, and come again with the next launch", async () => {
	const running = await bench.start({ one: shows("one") }, { limits: { restart: { delaysMs: [1] } } });
	const restarting = running.next("state", ({ state }) => state === "restarting");
	const ready = running.next("state", ({ state }) => state === "ready");
	await rejection(running.host.commands.run("die"));
	await restarting;
	expect(shown(running)).toEqual([]);
	await ready;
	expect(shown(running)).toEqual(["one: one"]);
	await running.host.disable("one");
	expect(shown(running)).toEqual([]);
});

test("a plugin that does not load shows none", async () => {
	const running = await bench.start({ one: `${shows("one")}\nawait Promise.reject(new Error("no"));` });
	const late = await bench.start({
		two: `${told}export default async (amp) => {
		amp.createStatusItem({ text: "two" });
		await told(amp);
		throw new Error("no");
	};`,
	});
	expect(shown(running)).toEqual([]);
	expect(shown(late)).toEqual([]);
});

test("those of a new instance stay when the old one takes its own away", async () => {
	const running = await bench.start({ one: shows("old") });
	bench.write("one", shows("new"));
	const ended = running.next("log", ({ entry }) => entry.message === "disposed old");
	await running.host.reload("one");
	expect(shown(running)).toEqual(["one: new"]);
	await ended;
	await running.host.disable("one");
	await running.host.enable("one");
	expect(shown(running)).toEqual(["one: new"]);
});
