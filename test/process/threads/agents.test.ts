import { expect, test } from "bun:test";
import type { AgentRunRequest, AgentsProvider } from "../../../host/contracts/agents.ts";
import { createThreads } from "../../../host/providers/threads.ts";
import { createBench } from "../support/host.ts";
import { act, actor, refusal } from "./support.ts";

const bench = createBench();
const minimal = `model: "a/b", instructions: "i"`;

test("an agent runs and makes threads through the provider, which gets all that the plugin passed", async () => {
	const threads = createThreads();
	const asked: (Omit<AgentRunRequest, "message"> & { message?: string; plugin: string })[] = [];
	const agents: AgentsProvider = {
		async run(request, { plugin }) {
			asked.push({ ...request, plugin });
			return { threadID: "T-run", text: `to ${request.message}` };
		},
		async createThread(request, { plugin }) {
			asked.push({ ...request, plugin });
			return { id: threads.create({ id: "T-made", title: "made", agent: "fixer" }).id };
		},
	};
	const running = await bench.start({ one: actor }, { providers: { agents, threads } });
	const code = `
		const base = amp.createAgent({ ${minimal}, tools: { include: ["*"], exclude: ["Bash"] }, oracle: false });
		const agent = amp.experimental.createAgent({ extends: base, name: "n", display: { label: "L", color: "#3af" } });
		const thread = await agent.createThread({ title: "x" });
		const ran = await agent.run("hello", { cwd: "/" });
		const plain = await amp.getBuiltinAgent("smart").run("hi");
		await amp.createAgent({ extends: "rush" }).run("hi");
		return { ran, plain, title: await thread.title.get(), id: thread.id, same: agent.definition.extends === base };`;
	expect(await act(running, code)).toEqual({
		ran: { threadID: "T-run", text: "to hello" },
		plain: { threadID: "T-run", text: "to hi" },
		title: "made",
		id: "T-made",
		same: true,
	});
	const base = { model: "a/b", instructions: "i", tools: { include: ["*"], exclude: ["Bash"] }, oracle: false };
	const definition = { extends: base, name: "n", display: { label: "L", color: "#3af" } };
	expect(asked).toEqual([
		{ plugin: "one", definition, options: { title: "x" } },
		{ plugin: "one", definition, message: "hello", options: { cwd: "/" } },
		{ plugin: "one", definition: { extends: "medium", name: "medium" }, message: "hi", options: {} },
		{ plugin: "one", definition: { extends: "low" }, message: "hi", options: {} },
	]);
});

test("without a provider, and with one that fails or answers something else, the call has a named error", async () => {
	const run = refusal(`amp.createAgent({ ${minimal} }).run("x")`);
	const create = refusal(`amp.createAgent({ ${minimal} }).createThread()`);
	const none = await bench.start({ one: actor });
	expect(await act(none, run)).toMatch(/^provider_missing: .*agent\.run.*providers\.agents/);
	expect(await act(none, create)).toMatch(/^provider_missing: .*agent\.createThread/);
	expect(await act(none, refusal(`amp.createAgent({ ${minimal} }).run(7)`))).toMatch(/^invalid_params: .*message/);
	const wrong = { run: async () => ({ text: "no thread" }) as never, createThread: async () => ({ id: "" }) };
	const bad = await bench.start({ one: actor }, { providers: { agents: wrong } });
	expect(await act(bad, run)).toMatch(/^invalid_answer: .*\{ threadID, text \}/);
	expect(await act(bad, create)).toMatch(/^invalid_answer: .*id of a thread/);
	await bad.logged("one", "{ threadID, text }");
	const failing: AgentsProvider = {
		run: async () => Promise.reject(new TypeError("out of order")),
		createThread: async () => ({ id: "T" }),
	};
	const broken = await bench.start({ one: actor }, { providers: { agents: failing } });
	expect(await act(broken, run)).toMatch(/^provider_failed: .*out of order/);
	await broken.logged("one", "out of order");
});

test("an agent that nobody waits for any more hears so", async () => {
	const ended = Promise.withResolvers<unknown>();
	const begun = Promise.withResolvers<void>();
	const agents: AgentsProvider = {
		run: (_, { signal }) =>
			new Promise((_resolve, reject) => {
				begun.resolve();
				signal.addEventListener("abort", () => {
					ended.resolve(signal.reason);
					reject(signal.reason);
				});
			}),
		createThread: async () => ({ id: "T" }),
	};
	const running = await bench.start({ one: actor }, { providers: { agents } });
	const call = act(running, `return amp.createAgent({ ${minimal} }).run("x");`).catch(() => {});
	await begun.promise;
	await running.host.disable("one");
	expect(await ended.promise).toBeInstanceOf(Error);
	await call;
});

test("what createAgent is given is checked, and a refusal says what is allowed", async () => {
	const running = await bench.start({ one: actor });
	const refused: [definition: string, reason: string][] = [
		["undefined", "it takes an object"],
		[`{ instructions: "i" }`, "model is required unless extends is given"],
		[`{ model: "a/b" }`, "instructions are required unless extends is given"],
		[`{ ${minimal}, model: "gpt" }`, 'model is "provider/model", not "gpt"'],
		[`{ extends: "low", model: 7 }`, 'model is "provider/model", not "7"'],
		[`{ extends: "low", instructions: 7 }`, "instructions are a text"],
		[`{ extends: "giant" }`, 'one of the modes low, medium, high, ultra, smart, deep, rush, not "giant"'],
		[`{ extends: 7 }`, "not 7"],
		[`{ extends: null }`, "not null"],
		[`{ extends: { model: "a/b" } }`, "in what it extends: instructions are required"],
		[`{ extends: { definition: { model: "a/b" } } }`, "in what it extends: instructions are required"],
		[`{ ${minimal}, name: 7 }`, "name is a text"],
		[`{ ${minimal}, reasoningEffort: 7 }`, 'reasoningEffort is a text such as "high", not 7'],
		[`{ ${minimal}, compactionThresholdTokens: -1 }`, "compactionThresholdTokens is a positive integer"],
		[`{ ${minimal}, compactionThresholdTokens: 2 ** 53 }`, "compactionThresholdTokens is a positive integer"],
		[`{ ${minimal}, tools: "some" }`, 'tools is "all", a list of names, or { include, add, exclude }'],
		[`{ ${minimal}, tools: [7] }`, 'tools is "all"'],
		[`{ ${minimal}, tools: [""] }`, 'tools is "all"'],
		[`{ ${minimal}, tools: new Set(["a"]) }`, 'tools is "all"'],
		[`{ ${minimal}, tools: { exlude: ["a"] } }`, 'there is no "exlude"'],
		[`{ ${minimal}, tools: { add: "a" } }`, "add is no list of names"],
		[`{ ${minimal}, tools: { add: "all" } }`, "add is no list of names"],
		[`{ ${minimal}, display: "x" }`, "display is an object of label and color"],
		[`{ ${minimal}, display: { label: "l".repeat(25) } }`, "display.label is a text of at most 24 characters"],
		[`{ ${minimal}, display: { color: "red" } }`, 'display.color is a hexadecimal colour such as "#3af", not "red"'],
		[`{ ${minimal}, features: { n: 1n } }`, "features cannot be carried as JSON"],
	];
	const told = await Promise.all(
		refused.map(([definition]) => act(running, refusal(`(async () => amp.createAgent(${definition}))()`))),
	);
	refused.forEach(([, reason], index) => {
		expect(told[index]).toStartWith("invalid_registration: createAgent was refused");
		expect(told[index]).toContain(reason);
	});
	const kept = [
		`{ ${minimal}, tools: [], newerMember: { any: 1 } }`,
		`{ ${minimal}, tools: { include: "all", exclude: ["Bash"] } }`,
		`{ ${minimal}, tools: { include: undefined, add: [] }, display: {}, oracle: { a: 1 }, subagents: ["x"], features: true }`,
		`{ extends: "ultra", tools: "all", compactionThresholdTokens: Number.MAX_SAFE_INTEGER, reasoningEffort: "max" }`,
	];
	const made = await Promise.all(kept.map((definition) => act(running, `return !!amp.createAgent(${definition}).run`)));
	expect(made).toEqual(kept.map(() => true));
});

test("a mode brings what its agent extends as a definition, and one that JSON cannot carry is refused by name", async () => {
	const running = await bench.start({ one: actor });
	const mode = `
		const base = amp.createAgent({ ${minimal} });
		amp.registerAgentMode({ key: "k", label: "K", agent: amp.createAgent({ extends: base, name: "n" }) });
		amp.registerAgentMode({ key: "s", label: "S", agent: { extends: "smart" } });`;
	await act(running, mode);
	expect(running.host.modes.list().map(({ item }) => item.agent)).toEqual([
		{ extends: { model: "a/b", instructions: "i" }, name: "n" },
		{ extends: "medium" },
	]);
	const odd = refusal(
		`(async () => amp.registerAgentMode({ key: "o", label: "O", agent: { ...{ extends: "low" }, n: 1n } }))()`,
	);
	expect(await act(running, odd)).toStartWith('invalid_registration: registerAgentMode("o") was refused');
});
