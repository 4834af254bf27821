import { describe, expect, test } from "bun:test";
import { resolveAgent } from "../../../../host/base/resolve-agent.ts";
import type { AgentDefinition, ToolSelection } from "../../../../host/contracts/agents.ts";

const tools = ["Bash", "Read", "Write", "mcp_git_log", "mcp_git_push", "mcp_web"];
const names = (...indices: number[]) => indices.map((index) => tools[index]);

describe("the tools of an agent", () => {
	test.each<[ToolSelection | undefined, (string | undefined)[], string[]]>([
		[undefined, tools, []],
		["all", tools, []],
		[[], [], []],
		[["Write", "Read"], names(1, 2), []],
		[["Read", "Nope"], names(1), ["Nope"]],
		[["mcp_*"], names(3, 4, 5), []],
		[["mcp_*_*"], names(3, 4), []],
		[["*"], tools, []],
		[["?ead", "*a*h"], names(0, 1), []],
		[["read"], [], ["read"]],
		[["Rea"], [], ["Rea"]],
		[["ead"], [], ["ead"]],
		[{}, tools, []],
		[{ exclude: ["mcp_git_*"] }, names(0, 1, 2, 5), []],
		[{ include: ["Read"] }, names(1), []],
		[{ include: ["Read"], add: ["Bash"] }, names(0, 1), []],
		[{ include: ["*"], exclude: ["*"] }, [], []],
		[{ include: "all", exclude: ["mcp_*"] }, names(0, 1, 2), []],
		[{ include: [], add: ["mcp_web"], exclude: ["mcp_*"] }, [], []],
		[{ include: ["No*"], exclude: ["None?"] }, [], ["No*", "None?"]],
	])("%j are %j", (selection, expected, unmatched) => {
		const definition: AgentDefinition = selection === undefined ? {} : { tools: selection };
		expect(resolveAgent(definition, { tools })).toEqual({ tools: expected as string[], unmatched });
	});

	test.each<[ToolSelection | undefined, ToolSelection | undefined, (string | undefined)[]]>([
		[["Read"], undefined, names(1)],
		[["Read"], { add: ["Bash"] }, names(0, 1)],
		[["Read", "Bash"], { exclude: ["Bash"] }, names(1)],
		[["Read"], { include: ["Write"] }, names(2)],
		[["Read"], "all", tools],
		[["Read"], { include: "all", exclude: ["Bash"] }, names(1, 2, 3, 4, 5)],
		[["Read"], ["Write"], names(2)],
		[undefined, { exclude: ["mcp_*"] }, names(0, 1, 2)],
	])("of one that extends %j by %j are %j", (base, own, expected) => {
		const definition: AgentDefinition = {
			extends: base === undefined ? {} : { tools: base },
			...(own === undefined ? {} : { tools: own }),
		};
		expect(resolveAgent(definition, { tools }).tools).toEqual(expected as string[]);
	});

	test("are found at once for patterns that would hold up a naive matcher", () => {
		const pattern = `${"*a".repeat(2_000)}b`;
		expect(resolveAgent({ tools: [pattern] }, { tools: ["a".repeat(4_000)] }).tools).toEqual([]);
	}, 5_000);
});

test("what an agent extends gives what it leaves out, also over several steps and a mode", () => {
	const builtins = {
		low: { model: "a/small", instructions: "Be quick.", reasoningEffort: "low", features: ["x"] },
		high: { extends: "low", model: "a/large", display: { label: "High", color: "#abc" } },
	};
	const middle: AgentDefinition = { extends: "high", name: "middle", tools: ["Read"], display: { label: "Middle" } };
	const definition: AgentDefinition = { extends: middle, instructions: "Be exact.", compactionThresholdTokens: 9 };
	const before = structuredClone(definition);
	expect(resolveAgent(definition, { tools, builtins })).toEqual({
		name: "middle",
		model: "a/large",
		instructions: "Be exact.",
		reasoningEffort: "low",
		features: ["x"],
		display: { label: "Middle", color: "#abc" },
		compactionThresholdTokens: 9,
		tools: ["Read"],
		unmatched: [],
	});
	expect(definition).toEqual(before);
});

test("an unknown mode and a circle are refused", () => {
	const builtins = { low: {}, odd: { extends: "even" }, even: { extends: "odd" } };
	const unknown = () => resolveAgent({ extends: "toString" }, { tools, builtins });
	expect(unknown).toThrow('There is no built-in mode "toString". There are low, odd, even.');
	expect(() => resolveAgent({ extends: "low" }, { tools })).toThrow("This host has none.");
	expect(() => resolveAgent({ extends: "odd" }, { tools, builtins })).toThrow("An agent extends itself");
});
