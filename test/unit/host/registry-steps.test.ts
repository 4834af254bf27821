import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Capabilities } from "../../../host/contracts/backend.ts";
import { createRegistry, keyOf, type Owner, type RegistryChange } from "../../../host/registry.ts";
import { compareRank } from "../../../host/spec.ts";
import { type Items, type Kind, kinds } from "../../../runtime/records.ts";
import { propertyMs, propertyRuns } from "../../support/effort.ts";

type Step = { plugin: string; items?: Partial<Capabilities> };
type Registered = { key: string; item: Items[Kind]; refusedFor?: string };
type Shown = { kind: Kind; key: string; plugin: string; item: Items[Kind] };

const ownerOf = (plugin: string): Owner => ({ plugin, rank: [3, plugin === "a" ? 1 : 0, plugin] });
const fold = (kind: Kind, key: string) => (kind === "mode" ? key.toLowerCase() : key);

/** The same rules, with everything judged anew at each step. */
function createModel() {
	const ledgers = new Map<string, Map<Kind, Registered[]>>();
	let visible = new Map<string, Shown>();

	function judgeAll(): Map<string, Shown> {
		const seen = new Map<string, Shown>();
		const plugins = [...ledgers.keys()].sort((a, b) => compareRank(ownerOf(a).rank, ownerOf(b).rank));
		for (const kind of kinds) {
			for (const plugin of plugins) {
				for (const registered of ledgers.get(plugin)?.get(kind) ?? []) {
					const name = `${kind} ${fold(kind, registered.key)}`;
					const holder = seen.get(name)?.plugin ?? plugin;
					if (holder !== plugin) registered.refusedFor = holder;
					if (registered.refusedFor !== undefined) continue;
					seen.set(name, { kind, key: registered.key, plugin, item: registered.item });
				}
			}
		}
		return seen;
	}

	function revive(plugin: string, kind: Kind): void {
		const claimed = new Set(
			ledgers
				.get(plugin)
				?.get(kind)
				?.map(({ key }) => fold(kind, key)),
		);
		for (const registered of [...ledgers.values()].flatMap((own) => own.get(kind) ?? [])) {
			if (registered.refusedFor === plugin && !claimed.has(fold(kind, registered.key))) delete registered.refusedFor;
		}
	}

	return {
		take({ plugin, items }: Step): Omit<RegistryChange, "generation"> {
			const before = visible;
			if (items === undefined) ledgers.delete(plugin);
			else {
				const own = ledgers.get(plugin) ?? new Map<Kind, Registered[]>();
				ledgers.set(plugin, own);
				for (const kind of kinds) {
					const given: Items[Kind][] | undefined = items[kind];
					if (given === undefined) continue;
					const registered = given.map((item): Registered => ({ key: keyOf(kind, plugin, item), item }));
					own.set(kind, registered);
					revive(plugin, kind);
				}
			}
			visible = judgeAll();
			const after = [...visible];
			const isOther = (old: Shown | undefined, shown: Shown) =>
				old !== undefined && (old.plugin !== shown.plugin || !Bun.deepEquals(old.item, shown.item));
			const pick = (entries: [string, Shown][]) => entries.map(([, shown]) => shown);
			return {
				added: pick(after.filter(([name]) => !before.has(name))),
				removed: pick([...before].filter(([name]) => !visible.has(name))),
				changed: pick(after.filter(([name, shown]) => isOther(before.get(name), shown))),
			};
		},
		list: (kind: Kind) => [...visible.values()].filter((shown) => shown.kind === kind),
	};
}

const names = fc.array(fc.constantFrom("x", "y", "X", "Y", "z"), { maxLength: 3 });
const optional = { requiredKeys: [] };
const items: fc.Arbitrary<Partial<Capabilities>> = fc.record(
	{
		tool: fc
			.tuple(names, fc.constantFrom("", "other"))
			.map(([all, description]) => all.map((name) => ({ name, description, inputSchema: { type: "object" } }))),
		mode: names.map((all) => all.map((key) => ({ key, label: key, agent: {} }))),
		event: names.map((all) => all.map((_, handler) => ({ name: "tool.call" as const, handler }))),
	},
	optional,
);
const step: fc.Arbitrary<Step> = fc.record(
	{ plugin: fc.constantFrom("a", "b", "c", "d"), items },
	{ requiredKeys: ["plugin"] },
);

const tools = (...all: string[]) => ({ tool: all.map((name) => ({ name, description: "", inputSchema: {} })) });
/** One that is refused stands before the one that has the key. */
const refusedFirst: Step[] = [
	{ plugin: "b", items: tools("x") },
	{ plugin: "c", items: tools("x") },
	{ plugin: "b" },
	{ plugin: "d", items: tools("y", "x") },
];
/** Two who were refused are judged anew, the worse one known for longer. */
const revived: Step[] = [
	{ plugin: "a", items: tools("x") },
	{ plugin: "d", items: tools("z", "x") },
	{ plugin: "b", items: tools("x", "z") },
	{ plugin: "b", items: tools() },
];

test(
	"whatever plugins publish and withdraw, what is visible, and what is told of each step, is as if all was judged anew",
	() => {
		fc.assert(
			fc.property(fc.array(step, { maxLength: 14 }), (steps) => {
				const registry = createRegistry();
				const model = createModel();
				const told: RegistryChange[] = [];
				registry.onChange((change) => told.push(change));
				let generation = 0;
				for (const { plugin, items: given } of steps) {
					const change = model.take(given === undefined ? { plugin } : { plugin, items: given });
					if (given === undefined) registry.withdraw(plugin);
					else registry.publish(ownerOf(plugin), given);
					const isTold = change.added.length + change.removed.length + change.changed.length > 0;
					if (isTold) generation += 1;
					expect(told.splice(0)).toEqual(isTold ? ([{ generation, ...change }] as RegistryChange[]) : []);
					for (const kind of kinds) expect<unknown>(registry.list(kind)).toEqual(model.list(kind));
					expect(registry.handlers("tool.call")).toEqual(registry.list("event"));
				}
			}),
			{ ...propertyRuns, examples: [[refusedFirst], [revived]] },
		);
	},
	propertyMs,
);

test("what one publishes or withdraws is judged without a look at those who share no key with it", () => {
	const registry = createRegistry();
	let looks = 0;
	const watched = (plugin: string): Owner => ({
		plugin,
		get rank() {
			looks += 1;
			return ownerOf(plugin).rank;
		},
	});
	const tool = (name: string) => ({ tool: [{ name, description: "", inputSchema: { type: "object" } }] });
	for (const plugin of ["a", "b", "c", "d"]) registry.publish(watched(plugin), tool(`of-${plugin}`));
	looks = 0;
	registry.publish(ownerOf("e"), tool("of-e"));
	registry.withdraw("e");
	expect(looks).toBe(0);
	registry.publish(ownerOf("e"), tool("of-d"));
	expect(looks).toBeGreaterThan(0);
});
