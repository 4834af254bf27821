import { expect, test } from "bun:test";
import { createBench } from "../support/host.ts";
import { act, actor, refusal } from "./support.ts";

const bench = createBench();

test("a plugin reads and acts on a thread through every member of its handle", async () => {
	const running = await bench.start({ one: actor });
	const { threads } = running.host;
	const thread = threads?.create({
		id: "T-1",
		title: "Repairs",
		state: "awaiting-approval",
		parentThreadID: "T-0",
		agent: { name: "fixer" },
		messages: [
			{ role: "user", id: "1", content: "hello" },
			{ role: "assistant", id: "2", content: [{ type: "thinking", thinking: "z".repeat(3_000) }] },
			{ role: "info", id: "3", content: "a remark" },
		],
	});
	const code = `
		const thread = amp.threads.get("T-1");
		const { title, state, agent, parentThreadID, messages } = thread;
		return {
			id: thread.id,
			same: [amp.experimental.threads === amp.threads, amp.experimental.activeThread === amp.activeThread],
			title: await title.get(),
			state: await state.get(),
			agent: await agent(),
			parent: await parentThreadID(),
			page: (await messages({ roles: ["user", "info"], limit: 1 })).map(({ id }) => id),
			short: (await messages({ from: "start", offset: 1, limit: 1 }))[0].content[0].thinking.length,
			full: (await messages({ full: true, from: "start", offset: 1, limit: 1 }))[0].content[0].thinking.length,
		};`;
	expect(await act(running, code)).toEqual({
		id: "T-1",
		same: [true, true],
		title: "Repairs",
		state: "awaiting-approval",
		agent: { definition: { kind: "agent-definition", name: "fixer" } },
		parent: "T-0",
		page: ["3"],
		short: 2_000 + "… [1000 more characters]".length,
		full: 3_000,
	});
	await act(
		running,
		`const thread = amp.threads.get("T-1");
		await thread.append([{ type: "user-message", content: "one" }, { type: "user-message", content: [{ type: "text", text: "two" }] }]);
		await thread.appendUserMessage("three", { steer: true });
		await thread.appendUserMessage({ type: "user-message", content: "four" });
		await thread.setVisibility("workspace");
		await thread.setMultiplayer({ ttlSeconds: 60 });
		await thread.setMultiplayer({ ttlSeconds: null });
		await thread.setMultiplayer(null);
		await thread.cancel();`,
	);
	const by = { plugin: "one", threadID: "T-1" };
	const said = { ...by, type: "user-message" as const };
	expect(threads?.actions).toEqual([
		{ ...said, content: "one", steer: false },
		{ ...said, content: "two", steer: false },
		{ ...said, content: "three", steer: true },
		{ ...said, content: "four", steer: false },
		{ ...by, type: "visibility", visibility: "workspace" },
		{ ...by, type: "multiplayer", ttlSeconds: 60 },
		{ ...by, type: "multiplayer", ttlSeconds: null },
		{ ...by, type: "multiplayer", ttlSeconds: null },
		{ ...by, type: "cancel" },
	]);
	expect(thread?.messages.map(({ content }) => content[0])).toContainEqual({ type: "text", text: "three" });
	expect([thread?.visibility, thread?.multiplayer, thread?.state]).toEqual(["workspace", null, "idle"]);
});

test("waitForResponse gives the message that answers what the plugin appended", async () => {
	const running = await bench.start({ one: actor });
	const { threads } = running.host;
	const thread = threads?.create({ id: "T-1" });
	// An agent that answers each message of a plugin, not at once.
	threads?.onAction(async ({ type }) => {
		if (type !== "user-message") return;
		thread?.setState("running");
		await Promise.resolve();
		thread?.addMessage({ role: "assistant", id: "answer", content: "42" });
		thread?.setState("idle");
	});
	const code = `const thread = amp.threads.get("T-1"); await thread.appendUserMessage("?"); return thread.waitForResponse();`;
	expect(await act(running, code)).toEqual({
		role: "assistant",
		id: "answer",
		content: [{ type: "text", text: "42" }],
	});
	const late = refusal(`(amp.threads.get("T-2").waitForResponse({ timeoutMs: 1 }))`);
	threads?.create({ id: "T-2", state: "running" });
	expect(await act(running, late)).toContain("timeout: ");
});

test("what a plugin passes wrongly is refused with what is allowed, and an unknown thread is named", async () => {
	const running = await bench.start({ one: actor });
	running.host.threads?.create({ id: "T-1" });
	const wrong: [string, RegExp][] = [
		[`messages({ limit: 0 })`, /^invalid_params.*limit/],
		[`messages({ offset: -1 })`, /^invalid_params.*offset/],
		[`messages({ from: "middle" })`, /^invalid_params.*from.*"start"\|"end"/],
		[`messages({ roles: ["robot"] })`, /^invalid_params.*roles.*"user"\|"assistant"\|"info"/],
		[`setVisibility("public")`, /^invalid_params.*"private"\|"workspace"/],
		[`setVisibility()`, /^invalid_params/],
		[`setMultiplayer({ ttlSeconds: -1 })`, /^invalid_params.*ttlSeconds/],
		[`append("text")`, /^invalid_params.*append/],
		[`append([{ type: "tool-message", content: "x" }])`, /^invalid_params.*user-message/],
		[`appendUserMessage(1)`, /^invalid_params.*appendUserMessage/],
		[`waitForResponse({ timeoutMs: "soon" })`, /^invalid_params.*timeoutMs/],
	];
	const calls = wrong.map(([call]) => act(running, refusal(`amp.threads.get("T-1").${call}`)));
	const told = await Promise.all(calls);
	wrong.forEach(([, pattern], index) => {
		expect(told[index]).toMatch(pattern);
	});
	const unknown = [
		`title.get()`,
		`state.get()`,
		`cancel()`,
		`messages()`,
		`appendUserMessage("x")`,
		`waitForResponse()`,
	];
	const answers = await Promise.all(unknown.map((call) => act(running, refusal(`amp.threads.get("T-9").${call}`))));
	expect(new Set(answers)).toEqual(new Set([`thread_not_found: There is no thread "T-9".`]));
	expect(running.host.threads?.actions).toEqual([]);
});

test("commands, tools and events of no other thread belong to the active one", async () => {
	const source = `${actor.trimEnd().slice(0, -1)}
		amp.registerCommand("which", { title: "Which" }, ({ thread }) => { kept.thread = thread ?? "none"; });
		amp.on("session.start", (event, { thread }) => { kept.event = [event.thread, thread]; });
	}`;
	const running = await bench.start({ one: source });
	const { host } = running;
	await host.commands.run("which");
	expect(await act(running, "return kept.thread")).toBe("none");
	host.threads?.create({ id: "T-1" });
	host.threads?.setActive("T-1");
	await host.commands.run("which");
	await host.emit("session.start");
	const active = { id: "T-1" };
	expect(await act(running, "return [kept.thread, kept.event, context.thread, amp.activeThread.current]")).toEqual([
		active,
		[active, active],
		active,
		active,
	]);
	await host.commands.run("which", { threadID: "T-2" });
	await host.emit("session.start", { thread: { id: "T-3" } });
	expect(await act(running, "return [kept.thread.id, kept.event[0].id]")).toEqual(["T-2", "T-3"]);
});
