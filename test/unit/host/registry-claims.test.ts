import { expect, test } from "bun:test";
import type { Capabilities } from "../../../host/contracts/backend.ts";
import { createRegistry, type Owner } from "../../../host/registry.ts";

const owner = (plugin: string): Owner => ({ plugin, rank: [3, 0, plugin] });
const tools = (...names: string[]): Partial<Capabilities> => ({
	tool: names.map((name) => ({ name, description: "", inputSchema: { type: "object" } })),
});
const commands = (...ids: string[]): Partial<Capabilities> => ({
	command: ids.map((id) => ({ id, title: id, availability: { type: "enabled" } })),
});

test("a name that its holder gives up while it runs is the next one's again, by rank", () => {
	const registry = createRegistry();
	registry.publish(owner("c"), tools("x"));
	registry.publish(owner("b"), tools("x"));
	registry.publish(owner("a"), tools("x", "y"));
	expect(registry.find("tool", "x")?.plugin).toBe("a");
	registry.publish(owner("a"), tools("y"));
	expect(registry.why("tool", "x")).toEqual({
		kind: "tool",
		key: "x",
		plugin: "b",
		refused: [{ plugin: "c", reason: '"b" has a better rank' }],
	});
	registry.publish(owner("b"), tools());
	expect(registry.find("tool", "x")?.plugin).toBe("c");
});

test("a name that its holder had at a crash is nobody else's until it comes back without it", () => {
	const registry = createRegistry();
	registry.publish(owner("b"), tools("x"));
	registry.publish(owner("a"), tools("x"));
	registry.withdraw("a");
	expect(registry.find("tool", "x")).toBeUndefined();
	registry.publish(owner("a"), tools());
	expect(registry.find("tool", "x")?.plugin).toBe("b");
});

test("giving up a name of another kind, or another name, revives nothing", () => {
	const registry = createRegistry();
	registry.publish(owner("b"), tools("x"));
	registry.publish(owner("a"), { ...tools("x", "y"), ...commands("x") });
	registry.publish(owner("a"), commands());
	registry.publish(owner("a"), tools("x"));
	expect(registry.find("tool", "x")?.plugin).toBe("a");
	expect(registry.why("tool", "x").refused).toHaveLength(1);
});

test("no names of plugins and ids make one key for two commands, links or handlers", () => {
	const registry = createRegistry();
	const link = (id: string) => ({ link: [{ id, pattern: "X", href: "/{{match}}" }] });
	const wishes = [
		["a", "b:c"],
		["a:b", "c"],
		["a%3Ab", "c"],
		["a%", "c"],
	] as const;
	for (const [plugin, id] of wishes) registry.publish(owner(plugin), { ...commands(id), ...link(id) });
	expect(registry.list("command").map(({ key, plugin }) => [plugin, key])).toEqual([
		["a", "a:b:c"],
		["a%", "a%25:c"],
		["a%3Ab", "a%253Ab:c"],
		["a:b", "a%3Ab:c"],
	]);
	expect(registry.list("link")).toHaveLength(wishes.length);
});

test("the last owners of a key are those that went with it, unless a better rank has it now", () => {
	const registry = createRegistry();
	for (const plugin of ["a", "b", "c"])
		registry.publish(owner(plugin), { ...tools(`of-${plugin}`), ...commands("go") });
	registry.withdraw("b");
	expect(registry.lastOwners("tool", "of-b")).toEqual(["b"]);
	expect(registry.lastOwners("command", "b:go")).toEqual(["b"]);
	expect(registry.lastOwners("command", "go")).toEqual(["b"]);
	registry.publish(owner("c"), tools("of-b"));
	expect(registry.lastOwners("tool", "of-b")).toEqual(["b"]);
	registry.publish(owner("a"), tools("of-b"));
	expect(registry.lastOwners("tool", "of-b")).toEqual([]);
	registry.publish(owner("b"), {});
	expect(registry.lastOwners("command", "b:go")).toEqual([]);
});
