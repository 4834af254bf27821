import { describe, expect, test } from "bun:test";
import type { Capabilities } from "../../../host/contracts/backend.ts";
import { createRegistry, type Owner, type Registry, type RegistryChange } from "../../../host/registry.ts";
import { kinds, type ModeItem, type ToolItem } from "../../../runtime/records.ts";

const owner = (plugin: string, place = 0): Owner => ({ plugin, rank: [3, place, plugin] });
const tool = (name: string, description = ""): ToolItem => ({ name, description, inputSchema: { type: "object" } });
const tools = (...names: string[]): Partial<Capabilities> => ({ tool: names.map((name) => tool(name)) });
const mode = (key: string): ModeItem => ({ key, label: key, agent: {} });
const command = (id: string) => ({ id, title: id, availability: { type: "enabled" } }) as const;

/** What is visible, as `kind key plugin`. */
const visible = (registry: Registry) =>
	kinds.flatMap((kind) => registry.list(kind).map(({ key, plugin }) => `${kind} ${key} ${plugin}`));

function recorded(registry: Registry): RegistryChange[] {
	const changes: RegistryChange[] = [];
	registry.onChange((change) => changes.push(change));
	return changes;
}

describe("the ledger", () => {
	test("of a plugin is what it published, and withdraw removes exactly that", () => {
		const registry = createRegistry();
		registry.publish(owner("a"), { ...tools("one", "two"), command: [command("go")] });
		registry.publish(owner("b"), tools("three"));
		expect(registry.ledger("a").tool.map(({ name }) => name)).toEqual(["one", "two"]);
		registry.withdraw("a");
		expect(visible(registry)).toEqual(["tool three b"]);
		expect(registry.ledger("a")).toEqual({ command: [], tool: [], skill: [], event: [], mode: [], link: [] });
	});

	test("is replaced by kind: what a publish does not name stays", () => {
		const registry = createRegistry();
		registry.publish(owner("a"), { ...tools("one"), command: [command("go")] });
		registry.publish(owner("a"), tools("two"));
		expect(visible(registry)).toEqual(["command a:go a", "tool two a"]);
		registry.publish(owner("a"), { tool: [] });
		expect(visible(registry)).toEqual(["command a:go a"]);
	});

	test("keeps what was refused, so that its owner can be told", () => {
		const registry = createRegistry();
		registry.publish(owner("a"), tools("lookup"));
		registry.publish(owner("b"), tools("lookup", "own"));
		expect(registry.ledger("b").tool.map(({ name }) => name)).toEqual(["lookup", "own"]);
	});

	test("takes names that every object has", () => {
		const registry = createRegistry();
		const names = ["constructor", "__proto__", "toString", "hasOwnProperty"];
		registry.publish(owner("a"), tools(...names));
		expect(registry.list("tool").map(({ key }) => key)).toEqual(names);
		expect(registry.find("tool", "__proto__")?.plugin).toBe("a");
		expect(registry.find("tool", "valueOf")).toBeUndefined();
	});
});

describe("a key that several plugins want", () => {
	const wishes = [
		{ owner: owner("first", 0), items: { ...tools("x", "y"), mode: [mode("Review")] } },
		{ owner: owner("second", 1), items: { ...tools("y", "z"), mode: [mode("review"), mode("plan")] } },
		{ owner: owner("third", 2), items: tools("x", "z", "w") },
		{ owner: owner("a", 3), items: tools("w", "x") },
		{ owner: owner("b", 3), items: { ...tools("w", "v"), command: [command("go")], mode: [mode("PLAN")] } },
	];

	test("goes to the best rank, whatever the order of arrival: fifty orders give the same", () => {
		const expected = [
			"command b:go b",
			"tool x first",
			"tool y first",
			"tool z second",
			"tool w third",
			"tool v b",
			"mode Review first",
			"mode plan second",
		];
		for (let seed = 1; seed <= 50; seed++) {
			const registry = createRegistry();
			for (const wish of shuffled(wishes, seed)) registry.publish(wish.owner, wish.items);
			expect({ seed, visible: visible(registry) }).toEqual({ seed, visible: expected });
			expect(registry.why("tool", "x")).toEqual({
				kind: "tool",
				key: "x",
				plugin: "first",
				refused: expect.arrayContaining([
					{ plugin: "third", reason: expect.stringContaining("has a better rank") },
					{ plugin: "a", reason: expect.stringContaining("has a better rank") },
				]),
			});
		}
	});

	test("is not given to the loser by itself when the winner goes", () => {
		const registry = createRegistry();
		registry.publish(owner("a"), tools("x"));
		registry.publish(owner("b"), tools("x", "own"));
		registry.withdraw("a");
		expect(visible(registry)).toEqual(["tool own b"]);
		expect(registry.why("tool", "x")).toEqual({
			kind: "tool",
			key: "x",
			plugin: null,
			refused: [{ plugin: "b", reason: '"a" has a better rank' }],
		});
	});

	test("is not given back either to one that had it first and lost it later", () => {
		const registry = createRegistry();
		registry.publish(owner("b"), tools("x"));
		registry.publish(owner("a"), tools("x"));
		registry.withdraw("a");
		expect(visible(registry)).toEqual([]);
	});

	test("is the loser's once it registers again", () => {
		const registry = createRegistry();
		registry.publish(owner("a"), tools("x"));
		registry.publish(owner("b"), tools("x"));
		registry.withdraw("a");
		registry.publish(owner("b"), tools("x"));
		expect(visible(registry)).toEqual(["tool x b"]);
		expect(registry.why("tool", "x").refused).toEqual([]);
	});

	test("of a mode is the same however it is written", () => {
		const registry = createRegistry();
		registry.publish(owner("a"), { mode: [mode("Review")] });
		registry.publish(owner("b"), { mode: [mode("REVIEW")] });
		expect(visible(registry)).toEqual(["mode Review a"]);
		expect(registry.find("mode", "rEvIeW")?.key).toBe("Review");
		expect(registry.why("mode", "review")).toMatchObject({ plugin: "a", refused: [{ plugin: "b" }] });
	});

	test("of a tool is another one when only its case differs", () => {
		const registry = createRegistry();
		registry.publish(owner("a"), tools("Read"));
		registry.publish(owner("b"), tools("read"));
		expect(visible(registry)).toEqual(["tool Read a", "tool read b"]);
	});

	test("cannot be wanted by two where it carries the plugin's name: commands, events and links", () => {
		const registry = createRegistry();
		const items = {
			command: [command("go")],
			event: [{ name: "agent.end", handler: 1 } as const],
			link: [{ id: "issue", pattern: "X", href: "/{{match}}" }],
		};
		registry.publish(owner("b"), items);
		registry.publish(owner("a"), items);
		expect(visible(registry)).toEqual([
			"command a:go a",
			"command b:go b",
			"event a:1 a",
			"event b:1 b",
			"link a:issue a",
			"link b:issue b",
		]);
	});

	test("that nobody has is explained as such", () => {
		expect(createRegistry().why("tool", "x")).toEqual({ kind: "tool", key: "x", plugin: null, refused: [] });
	});
});

describe("a change", () => {
	test("is told once a publish, with all that it brought", () => {
		const registry = createRegistry();
		const changes = recorded(registry);
		registry.publish(owner("a"), { ...tools("one", "two"), command: [command("go")] });
		registry.publish(owner("a"), { tool: [tool("one", "now described"), tool("three")] });
		registry.withdraw("a");
		const keys = changes.map(({ added, removed, changed, generation }) => ({
			generation,
			added: added.map(({ key }) => key),
			removed: removed.map(({ key }) => key),
			changed: changed.map(({ key }) => key),
		}));
		expect(keys).toEqual([
			{ generation: 1, added: ["a:go", "one", "two"], removed: [], changed: [] },
			{ generation: 2, added: ["three"], removed: ["two"], changed: ["one"] },
			{ generation: 3, added: [], removed: ["a:go", "one", "three"], changed: [] },
		]);
	});

	test("of the owner is one of the key", () => {
		const registry = createRegistry();
		registry.publish(owner("b"), tools("x"));
		const changes = recorded(registry);
		registry.publish(owner("a"), tools("x"));
		expect(changes).toMatchObject([{ added: [], removed: [], changed: [{ key: "x", plugin: "a" }] }]);
	});

	test("that changes nothing is not told: the same again, only refused items, nothing to withdraw", () => {
		const registry = createRegistry();
		registry.publish(owner("a"), tools("x"));
		const changes = recorded(registry);
		registry.publish(owner("a"), tools("x"));
		registry.publish(owner("b"), tools("x"));
		registry.withdraw("b");
		registry.withdraw("nobody");
		expect(changes).toEqual([]);
	});

	test("is visible to who hears of it", () => {
		const registry = createRegistry();
		const seen: string[][] = [];
		registry.onChange(() => seen.push(visible(registry)));
		registry.publish(owner("a"), tools("x"));
		registry.withdraw("a");
		expect(seen).toEqual([["tool x a"], []]);
	});

	test("is not told to one that has unsubscribed", () => {
		const registry = createRegistry();
		const changes: RegistryChange[] = [];
		const subscription = registry.onChange((change) => changes.push(change));
		registry.publish(owner("a"), tools("x"));
		subscription.unsubscribe();
		registry.publish(owner("b"), tools("y"));
		expect(changes).toHaveLength(1);
	});
});

test("a list that somebody holds does not change under them", () => {
	const registry = createRegistry();
	registry.publish(owner("a"), tools("x", "y"));
	const held = registry.list("tool");
	const copy = structuredClone(held);
	registry.publish(owner("a"), { tool: [tool("x", "another")] });
	registry.withdraw("a");
	expect(held).toEqual(copy);
	expect(registry.list("tool")).toEqual([]);
});

/** An order that depends on the seed alone. */
function shuffled<Item>(items: Item[], seed: number): Item[] {
	let state = seed;
	const random = () => {
		state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
		return state;
	};
	return items
		.map((item) => ({ item, key: random() }))
		.sort((a, b) => a.key - b.key)
		.map(({ item }) => item);
}
