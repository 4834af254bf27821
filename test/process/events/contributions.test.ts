import { describe, expect, test } from "bun:test";
import type { RegistryChange } from "../../../host/registry.ts";
import type { Kind } from "../../../runtime/records.ts";
import { rejection } from "../../unit/runtime/support.ts";
import { createBench } from "../support/host.ts";

const bench = createBench();

const palette = `export default (amp) => {
	const save = amp.registerCommand("save", { title: "Save", category: "Files", description: "Keeps it" }, () => {});
	amp.registerCommand("state", { title: "State", availability: { type: "hidden" } }, () => {});
	let step = 0;
	const states = [{ type: "disabled", reason: "nothing to save" }, { type: "hidden" }, { type: "enabled" }];
	amp.registerCommand("next", { title: "Next" }, () => save.setAvailability(states[step++]));
};`;

describe("the palette", () => {
	test("shows each command with its availability, and tells of each change of one", async () => {
		const { host, next } = await bench.start({ palette });
		const shown = () => host.commands.list().map(({ key, item: { availability } }) => [key, availability.type]);
		expect(host.commands.list()[0]).toEqual({
			kind: "command",
			key: "palette:save",
			plugin: "palette",
			item: {
				id: "save",
				title: "Save",
				category: "Files",
				description: "Keeps it",
				availability: { type: "enabled" },
			},
		});
		expect(shown()).toEqual([
			["palette:save", "enabled"],
			["palette:state", "hidden"],
			["palette:next", "enabled"],
		]);
		const states: unknown[] = [];
		for (const type of ["disabled", "hidden", "enabled"]) {
			const told = next("registry", ({ change }) => change.changed.length > 0);
			await host.commands.run("next");
			const { change } = await told;
			expect(change).toMatchObject({ added: [], removed: [], changed: [{ key: "palette:save" }] });
			states.push(host.commands.list()[0]?.item.availability);
			if (type !== "disabled") expect((await host.commands.run("save")).ok).toBe(true);
			else expect(await rejection(host.commands.run("save"))).toMatchObject({ code: "command_disabled" });
		}
		expect(states).toEqual([{ type: "disabled", reason: "nothing to save" }, { type: "hidden" }, { type: "enabled" }]);
	});
});

describe("a change", () => {
	test("of every kind is told as it comes and as it goes", async () => {
		const { host, next } = await bench.start({
			"all/index.ts": `export default (amp) => {
				let made = [];
				const agent = amp.createAgent({ model: "a/b", instructions: "help", display: { label: "Own", color: "#abc" } });
				amp.registerCommand("make", { title: "" }, async () => {
					made = [
						amp.registerCommand("c", { title: "" }, () => {}),
						amp.registerTool({ name: "t", description: "", inputSchema: { type: "object" }, execute: () => "" }),
						await amp.registerSkill({ path: "skills/s" }),
						amp.on("session.start", () => {}),
						amp.registerAgentMode({ key: "m", description: "Mine", agent }),
						amp.registerAgentMode({ key: "n", label: "Other", color: "#123456", agent }),
						amp.registerLinkPattern({ id: "l", pattern: "x", href: "/{{match}}" }),
					];
				});
				amp.registerCommand("drop", { title: "" }, () => { for (const one of made) one.unsubscribe(); });
			};`,
			"all/skills/s/SKILL.md": "---\nname: s\ndescription: Helps\n---\nBody",
		});
		const heard: RegistryChange[] = [];
		const subscription = host.onChange((change) => heard.push(change));
		const kindsOf = (list: "added" | "removed") =>
			[...new Set(heard.flatMap((change) => change[list]).map(({ kind }) => kind))].sort() as Kind[];
		const all: Kind[] = ["command", "event", "link", "mode", "skill", "tool"];
		const untilAll = async (list: "added" | "removed") => {
			while (kindsOf(list).length < all.length) await next("registry", () => true);
		};
		await Promise.all([untilAll("added"), host.commands.run("make")]);
		expect(kindsOf("added")).toEqual(all);
		expect(host.modes.list()).toMatchObject([
			{
				key: "m",
				plugin: "all",
				item: {
					key: "m",
					label: "Own",
					description: "Mine",
					color: "#abc",
					agent: { model: "a/b", instructions: "help" },
				},
			},
			{ key: "n", plugin: "all", item: { key: "n", label: "Other", color: "#123456" } },
		]);
		await Promise.all([untilAll("removed"), host.commands.run("drop")]);
		expect(kindsOf("removed")).toEqual(all);
		expect(heard.map(({ generation }) => generation)).toEqual(
			heard.map((_, index) => (heard[0]?.generation ?? 0) + index),
		);
		const count = heard.length;
		subscription.unsubscribe();
		await Promise.all([next("registry", () => true), host.commands.run("make")]);
		expect(heard).toHaveLength(count);
	});

	test("of a status item is told with all items", async () => {
		const { host, next } = await bench.start({
			status: `export default (amp) => {
				let item;
				amp.registerCommand("show", { title: "" }, () => { item = amp.createStatusItem({ text: "one" }); });
				amp.registerCommand("change", { title: "" }, () => item.update({ text: "two", url: "command:show" }));
				amp.registerCommand("hide", { title: "" }, () => item.unsubscribe());
			};`,
		});
		const heard: string[][] = [];
		host.statusItems.onChange((items) => heard.push(items.map(({ text }) => text)));
		for (const id of ["show", "change", "hide"]) {
			const told = next("statusItems", () => true);
			await host.commands.run(id);
			const { items } = await told;
			expect(items).toEqual(host.statusItems.list());
		}
		expect(heard).toEqual([["one"], ["two"], []]);
	});
});

describe("a status item that is chosen", () => {
	const chosen = (url: string) => `export default async (amp) => {
		amp.createStatusItem({ text: "mine"${url} });
		amp.registerCommand("go", { title: "" }, () => { console.log("went"); });
		amp.registerCommand("a:b", { title: "" }, () => { throw new RangeError("no way"); });
		amp.registerCommand("off", { title: "", availability: { type: "disabled", reason: "later" } }, () => {});
		await amp.ui.notify("").catch(() => {});
	};`;

	test("runs the command of its own plugin, or hands back its address", async () => {
		const { host } = await bench.start({
			one: chosen(`, url: "command:go"`),
			two: chosen(`, url: "command:a:b"`),
			three: chosen(`, url: "https://x.test/"`),
			four: chosen(""),
			five: chosen(`, url: "command:off"`),
			six: chosen(`, url: "command:one:go"`),
		});
		const activate = (plugin: string) =>
			host.statusItems.activate(plugin, host.statusItems.list().find((item) => item.plugin === plugin)?.id ?? 0);
		expect(await activate("one")).toMatchObject({ type: "command", id: "go", result: { ok: true, plugin: "one" } });
		const failed = await activate("two");
		expect(failed).toMatchObject({ type: "command", id: "a:b", result: { ok: false, plugin: "two" } });
		expect(await activate("three")).toEqual({ type: "url", url: "https://x.test/" });
		expect(await activate("four")).toEqual({ type: "none" });
		expect(await rejection(activate("five"))).toMatchObject({ code: "command_disabled" });
		expect(await rejection(activate("six"))).toMatchObject({ code: "command_not_found" });
		expect(await rejection(host.statusItems.activate("one", 99))).toMatchObject({ code: "usage" });
		expect(await rejection(host.statusItems.activate("none", 1))).toMatchObject({ code: "usage" });
	});
});
