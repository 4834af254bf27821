import { expect, test } from "bun:test";
import type { AgentsProvider } from "../../../host/contracts/agents.ts";
import { createThreads } from "../../../host/providers/threads.ts";
import { createBench } from "../support/host.ts";
import { act, actor, refusal } from "./support.ts";

const bench = createBench();

test("a mode of the host runs with the effort that the plugin asks for, and a wrong effort is refused at once", async () => {
	const asked: unknown[] = [];
	const agents: AgentsProvider = {
		async run({ definition }) {
			asked.push(definition);
			return { threadID: "T-run", text: "" };
		},
		createThread: async () => ({ id: "T-made" }),
	};
	const running = await bench.start({ one: actor }, { providers: { agents } });
	await act(running, `await amp.getBuiltinAgent("deep", { reasoningEffort: "xhigh" }).run("x")`);
	await act(running, `await amp.experimental.getBuiltinAgent("low", {}).run("x")`);
	expect(asked).toEqual([
		{ extends: "medium", name: "medium", reasoningEffort: "xhigh" },
		{ extends: "low", name: "low" },
	]);
	const wrong = refusal(`(async () => amp.getBuiltinAgent("low", { reasoningEffort: 3 }))()`);
	expect(await act(running, wrong)).toMatch(/^invalid_registration: .*getBuiltinAgent.*reasoningEffort is a text/);
});

test("the agent of a thread is one that runs and is extended like any other, be it a mode or a definition", async () => {
	const threads = createThreads();
	const definition = { model: "acme/large", instructions: "Be brief.", name: "brief" };
	for (const [id, agent] of Object.entries({ mode: "deep", own: "house-mode", defined: definition })) {
		threads.create({ id, agent });
	}
	threads.create({ id: "none" });
	const asked: unknown[] = [];
	const agents: AgentsProvider = {
		async run(request) {
			asked.push(request.definition);
			return { threadID: "T-run", text: "" };
		},
		createThread: async () => ({ id: "mode" }),
	};
	const running = await bench.start({ one: actor }, { providers: { agents, threads } });
	for (const id of ["mode", "own", "none"]) {
		await act(running, `await (await amp.threads.get("${id}").agent()).run("x")`);
	}
	const extended = `const agent = await amp.threads.get("defined").agent();
		await amp.createAgent({ extends: agent, name: "briefer" }).run("x");
		return (await agent.createThread()).id;`;
	expect(await act(running, extended)).toBe("mode");
	expect(asked).toEqual([
		{ extends: "medium", name: "medium" },
		{ extends: "house-mode", name: "house-mode" },
		{ extends: "medium", name: "medium" },
		{ extends: definition, name: "briefer" },
	]);
});

test("an agent of a thread that is none is the host's mistake, told by name", async () => {
	const threads = createThreads();
	threads.create({ id: "T-1" });
	const wrong = { ...threads, agent: async () => ({ model: 7 }) as never };
	const running = await bench.start({ one: actor }, { providers: { threads: wrong } });
	expect(await act(running, refusal(`amp.threads.get("T-1").agent()`))).toMatch(
		/^invalid_answer: .*threads\.get\(…\)\.agent.*expected an agent definition or the key of a mode/,
	);
});
