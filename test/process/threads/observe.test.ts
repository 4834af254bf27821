import { expect, test } from "bun:test";
import { createThreads } from "../../../host/providers/threads.ts";
import { createBench, type Running } from "../support/host.ts";
import { act, actor, heard } from "./support.ts";

const bench = createBench();

const told = (running: Running, plugin: string) =>
	running
		.frames(plugin)
		.flatMap(({ method }) => (/^(?:thread|activeThread)\..*change$/.test(method ?? "") ? [method] : []));

test("a subscriber hears the current value first and then each change; only who subscribed is told", async () => {
	const running = await bench.start({ one: actor, two: "export default () => {};" });
	const { threads } = running.host;
	const thread = threads?.create({ id: "T-1", title: "a" });
	threads?.create({ id: "T-2", title: "other" });
	await act(
		running,
		`const { title, state } = amp.threads.get("T-1");
		kept.title = title.subscribe((value) => kept.heard.push(value));
		kept.state = title.pipe(() => state)[Symbol.observable]().subscribe({ next: (value) => kept.heard.push(value) });`,
	);
	expect(await heard(running, 2)).toEqual(["a", "idle"]);
	thread?.setTitle("b");
	thread?.setState("running");
	threads?.get("T-2")?.setTitle("unheard");
	expect(await heard(running, 4)).toEqual(["a", "idle", "b", "running"]);
	// A second subscriber shares what is known, and asks nothing.
	const asked = running.wire("one").length;
	const late = `const late = []; const s = amp.threads.get("T-1").title.subscribe((value) => late.push(value)); s.unsubscribe(); return late;`;
	expect(await act(running, late)).toEqual(["b"]);
	expect(running.wire("one").slice(asked).join()).not.toContain("thread.");
	await act(running, "kept.title.unsubscribe(); kept.title.unsubscribe(); await amp.threads.get('T-1').title.get();");
	thread?.setTitle("c");
	thread?.setState("error");
	expect(await heard(running, 5)).toEqual(["a", "idle", "b", "running", "error"]);
	expect(told(running, "one").sort()).toEqual(["thread.state.change", "thread.state.change", "thread.title.change"]);
	expect(told(running, "two")).toEqual([]);
});

test("activeThread starts from the hello and follows each change, also before a plugin first looks", async () => {
	const threads = createThreads();
	for (const id of ["T-1", "T-2"]) threads.create({ id });
	threads.setActive("T-1");
	const atStart = `${actor.trimEnd().slice(0, -1)} kept.first = amp.activeThread.current; }`;
	const running = await bench.start({ one: atStart }, { providers: { threads } });
	expect(running.host.threads).toBeUndefined();
	expect(await act(running, "return kept.first")).toEqual({ id: "T-1" });
	await act(running, "kept.active = amp.activeThread.subscribe((thread) => kept.heard.push(thread?.id ?? null));");
	threads.setActive("T-2");
	threads.setActive(null);
	expect(await heard(running, 3)).toEqual(["T-1", "T-2", null]);
	await act(running, "kept.active.unsubscribe();");
	threads.setActive("T-1");
	expect(await act(running, "return [kept.heard.length, amp.activeThread.current]")).toEqual([3, { id: "T-1" }]);

	const late = await bench.start({ one: actor }, { providers: { threads } });
	threads.setActive("T-2");
	expect(await act(late, "return amp.activeThread.current")).toEqual({ id: "T-2" });
});

test("an answer that comes late undoes no newer value, neither for subscribers nor for get", async () => {
	const threads = createThreads();
	const thread = threads.create({ id: "T-1", title: "old" });
	const holds: (() => void)[] = [];
	// What is read is what was there when it was asked.
	const slow = {
		...threads,
		activeThread: threads.activeThread,
		async title() {
			const { title } = thread;
			await new Promise<void>((resolve) => holds.push(resolve));
			return title;
		},
	};
	const running = await bench.start({ one: actor }, { providers: { threads: slow } });
	await act(running, `amp.threads.get("T-1").title.subscribe((value) => kept.heard.push(value));`);
	while (holds.length < 1) await Bun.sleep(1);
	thread.setTitle("new");
	expect(await heard(running, 1)).toEqual(["new"]);
	holds.shift()?.();
	await act(running, `kept.got = amp.threads.get("T-1").title.get();`);
	while (holds.length < 1) await Bun.sleep(1);
	thread.setTitle("newest");
	expect(await heard(running, 2)).toEqual(["new", "newest"]);
	holds.shift()?.();
	expect(await act(running, "return [await kept.got, kept.heard]")).toEqual(["newest", ["new", "newest"]]);
});

test("subscriptions end with unsubscribe, reload, crash and stop; none is left on either side", async () => {
	const threads = createThreads();
	for (let index = 0; index < 20; index++) threads.create({ id: `T-${index}` });
	const open = new Set<object>();
	const counting = {
		...threads,
		activeThread: threads.activeThread,
		subscribe(...given: Parameters<typeof threads.subscribe>) {
			const token = {};
			const subscription = threads.subscribe(...given);
			open.add(token);
			const unsubscribe = () => {
				open.delete(token);
				subscription.unsubscribe();
			};
			return { unsubscribe, [Symbol.dispose]: unsubscribe };
		},
	};
	const running = await bench.start({ one: actor }, { providers: { threads: counting } });
	const { host } = running;
	const subscribe = `kept.all = Array.from({ length: 20 }, (_, index) => amp.threads.get("T-" + index))
		.flatMap(({ title, state }) => [title.subscribe(() => {}), title.subscribe(() => {}), state.subscribe(() => {})]);`;
	const settled = `await amp.threads.get("T-0").title.get();`;
	for (let round = 0; round < 3; round++) {
		await act(running, subscribe + settled);
		expect(open.size).toBe(40);
		await act(running, `for (const one of kept.all) one.unsubscribe(); ${settled}`);
		expect(open.size).toBe(0);
	}
	await act(running, subscribe + settled);
	await host.reload("one");
	while (open.size > 0) await Bun.sleep(1);
	await act(running, subscribe + settled);
	const again = running.next("state", ({ state }) => state === "ready");
	await host.tools.call("do", { code: "process.exit(3)" }).catch(() => {});
	await again;
	expect(open.size).toBe(0);
	await act(running, subscribe + settled);
	await host.stop();
	expect(open.size).toBe(0);
});

test("a subscription to an unknown thread fails its subscriber, and one too many is refused", async () => {
	const running = await bench.start({ one: actor }, { limits: { wire: { threadSubscriptionsMax: 2 } } });
	running.host.threads?.create({ id: "T-1" });
	const told = `return new Promise((error) => amp.threads.get("T-9").title.subscribe({ error: (e) => error(e.message) }));`;
	expect(await act(running, told)).toBe('There is no thread "T-9".');
	await act(running, `amp.threads.get("T-9").state.subscribe(() => {});`);
	await running.logged("one", "amp call thread.subscribe failed and nobody awaited it");
	const full = `const thread = amp.threads.get("T-1"); thread.title.subscribe(() => {}); thread.state.subscribe(() => {});
		return new Promise((error) => amp.threads.get("T-2").title.subscribe({ error: (e) => error(e.code + e.message) }));`;
	expect(await act(running, full)).toMatch(/^busy.*at most 2 titles and states/);
});

test("a provider that throws or answers a wrong shape fails that call with a name, and is logged", async () => {
	const threads = createThreads();
	const bad = {
		...threads,
		activeThread: threads.activeThread,
		title: async () => 1 as unknown as string,
		agent: async () => {
			throw new TypeError("no agent today");
		},
		messages: async () => [{ role: "robot" }] as never,
	};
	const running = await bench.start({ one: actor }, { providers: { threads: bad } });
	const codes = ["title.get()", "agent()", "messages()"].map((call) =>
		act(
			running,
			`try { await amp.threads.get("T").${call}; } catch (e) { return e.name + " " + e.code + " " + e.message; }`,
		),
	);
	const [title, agent, messages] = await Promise.all(codes);
	expect(title).toContain("BroodError invalid_answer");
	expect(agent).toContain("BroodError provider_failed");
	expect(agent).toContain("no agent today");
	expect(messages).toContain("BroodError invalid_answer");
	await running.logged("one", "no agent today");
	await running.logged(
		"one",
		'The threads provider of the host answered threads.get(…).messages of plugin "one" wrongly: ',
	);
	expect(running.host.plugins.get("one").state).toBe("ready");
});
