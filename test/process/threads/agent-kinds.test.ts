import { expect, test } from "bun:test";
import type { AgentsProvider } from "../../../host/contracts/agents.ts";
import { createThreads } from "../../../host/providers/threads.ts";
import { createBench } from "../support/host.ts";
import { act, actor } from "./support.ts";

const bench = createBench();

test("a definition says whether it is a plugin's own or a mode's, also the one of a thread's agent", async () => {
	const threads = createThreads();
	const own = { model: "acme/large", instructions: "Be brief.", name: "brief" };
	const agents = { own, mode: "deep", house: "house-mode", pinned: { extends: "high", name: "high" } };
	for (const [id, agent] of Object.entries(agents)) threads.create({ id, agent });
	const running = await bench.start({ one: actor }, { providers: { threads } });
	const code = `
		const of = async (id) => (await amp.threads.get(id).agent()).definition;
		return {
			created: amp.createAgent(${JSON.stringify(own)}).definition,
			builtin: amp.getBuiltinAgent("smart", { reasoningEffort: "high" }).definition,
			plain: amp.getBuiltinAgent("high", null).definition,
			named: amp.createAgent({ extends: "low", name: "low", instructions: "x" }).definition.kind,
			changed: amp.createAgent({ ...amp.getBuiltinAgent("low").definition, model: "a/b" }).definition,
			threads: [await of("own"), await of("mode"), await of("house"), await of("pinned")],
		};`;
	const builtin = (mode: string) => ({ kind: "builtin-agent", mode, extends: mode, name: mode });
	expect(await act(running, code)).toEqual({
		created: { kind: "agent-definition", ...own },
		builtin: { ...builtin("medium"), reasoningEffort: "high" },
		plain: builtin("high"),
		named: "agent-definition",
		changed: { kind: "agent-definition", extends: "low", name: "low", model: "a/b" },
		threads: [
			{ kind: "agent-definition", ...own },
			builtin("medium"),
			{ kind: "agent-definition", extends: "house-mode", name: "house-mode" },
			builtin("high"),
		],
	});
});

test("a gate that lets only its own agent pass works, be the agent created here or read from the thread", async () => {
	const threads = createThreads();
	threads.create({ id: "T-own", agent: { model: "a/b", instructions: "i", name: "lead" } });
	threads.create({ id: "T-mode", agent: "medium" });
	const gate = `export default (amp) => void amp.on("tool.call", async (event, ctx) => {
		const { definition } = await ctx.thread.agent();
		if (definition.kind === "agent-definition" && definition.name === "lead") return { action: "allow" };
		return { action: "reject-and-continue", message: definition.kind + " " + definition.mode };
	});`;
	const { host } = await bench.start({ gate }, { providers: { threads } });
	const call = (id: string) => host.emit("tool.call", { tool: "delegate", input: {}, toolUseID: "1", thread: { id } });
	expect((await call("T-own")).handlers).toMatchObject([{ result: { action: "allow" } }]);
	expect((await call("T-mode")).result).toEqual({ action: "reject-and-continue", message: "builtin-agent medium" });
});

test("what tells a definition's kind stays in the child, and a mode that is written out is taken as that mode", async () => {
	const asked: unknown[] = [];
	const agents: AgentsProvider = {
		async run({ definition }) {
			asked.push(definition);
			return { threadID: "T-run", text: "" };
		},
		createThread: async () => ({ id: "T-made" }),
	};
	const running = await bench.start({ one: actor }, { providers: { agents } });
	await act(
		running,
		`const written = { kind: "builtin-agent", mode: "deep" };
		await amp.createAgent(written).run("x");
		await amp.createAgent({ extends: written, name: "n" }).run("x");
		await amp.createAgent({ extends: amp.getBuiltinAgent("high").definition, name: "n" }).run("x");
		await amp.createAgent({ model: "a/b", instructions: "i", tools: { include: "all", exclude: ["Bash"] } }).run("x");
		amp.registerAgentMode({ key: "k", label: "K", agent: amp.getBuiltinAgent("low").definition });
		amp.registerAgentMode({ key: "w", label: "W", agent: written });`,
	);
	const medium = { extends: "medium", name: "medium" };
	expect(asked).toEqual([
		medium,
		{ extends: medium, name: "n" },
		{ extends: { extends: "high", name: "high" }, name: "n" },
		{ model: "a/b", instructions: "i", tools: { include: "all", exclude: ["Bash"] } },
	]);
	await running.until("registry", () => running.host.modes.list().length === 2);
	expect(running.host.modes.list().map(({ item }) => item.agent)).toEqual([{ extends: "low", name: "low" }, medium]);
});
