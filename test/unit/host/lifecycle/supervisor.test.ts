import { describe, expect, test } from "bun:test";
import { createGate } from "../../../../host/base/gate.ts";
import { Supervisor } from "../../../../host/lifecycle/supervisor.ts";
import { failure } from "../../../../runtime/errors.ts";
import { limits } from "../../../../runtime/limits.ts";
import { rejection, turn } from "../../runtime/support.ts";
import { type FakeBackend, fakeBackend, fakeClock } from "./support.ts";

/** A supervisor whose backends the test drives; each obeys SIGINT unless told otherwise. */
function supervised(gate = createGate(2, 60_000)) {
	const backends: FakeBackend[] = [];
	const happened: string[] = [];
	const clock = fakeClock();
	const supervisor = new Supervisor({
		plugin: "one",
		initialState: "discovered",
		limits,
		clock,
		gate,
		hurry: new AbortController().signal,
		createBackend(events) {
			const backend = fakeBackend(events);
			backend.obeys = ["SIGINT", "SIGKILL"];
			backends.push(backend);
			return backend;
		},
		publish: ({ tool }) => happened.push(`publish ${tool.map(({ name }) => name).join(",")}`),
		withdraw: () => happened.push("withdraw"),
		changed: (kind, items) => happened.push(`changed ${kind} ${items.length}`),
		loadedMore() {},
		state: ({ state }) => happened.push(state),
		fact: () => {},
		log: ({ message }) => happened.push(`log ${message}`),
	});
	/** Waits for the backend of a launch, which is made when the gate lets it. */
	const launched = async (count: number): Promise<FakeBackend> => {
		for (;;) {
			const backend = backends[count - 1];
			if (backend?.asked.includes("start")) return backend;
			await turn();
		}
	};
	const ready = async () => {
		const started = supervisor.start();
		(await launched(1)).load({ tool: [tool("v1")] });
		await started;
	};
	return { supervisor, backends, happened, clock, launched, ready };
}

const tool = (name: string) => ({ name, description: "", inputSchema: { type: "object" } });

describe("a start", () => {
	test("resolves when what was loaded is published", async () => {
		const { supervisor, happened, ready } = supervised();
		await ready();
		expect(happened).toEqual(["starting", "publish v1", "ready"]);
		expect(supervisor.machine).toMatchObject({ state: "ready", launches: 1 });
	});

	test("resolves too when the load fails, whose process is then ended", async () => {
		const { supervisor, backends, launched } = supervised();
		const started = supervisor.start();
		const error = failure("load_failed", { reason: "for this test" });
		(await launched(1)).fail(error);
		await started;
		expect(supervisor.machine).toMatchObject({ state: "failed", error });
		expect(backends[0]?.asked).toEqual(["start", "SIGINT"]);
	});

	test("of what ended in the very moment in which it was loaded is a crash, not a plugin that serves", async () => {
		const { supervisor, launched } = supervised();
		const started = supervisor.start();
		const backend = await launched(1);
		backend.exit({ code: 7 });
		backend.load();
		await started;
		await turn();
		expect(supervisor.machine).toMatchObject({
			state: "restarting",
			error: { code: "plugin_exited", exit: { code: 7 } },
		});
	});

	test("that waits at the gate is given up by a stop, without ever being launched", async () => {
		const gate = createGate(1, 60_000);
		const { promise: held, resolve: free } = Promise.withResolvers<void>();
		const holder = gate.run(() => held);
		const { supervisor, backends } = supervised(gate);
		const started = supervisor.start();
		const stopped = supervisor.stop();
		backends[0]?.exit();
		await Promise.all([started, stopped]);
		free();
		await holder;
		await turn();
		expect(supervisor.machine.state).toBe("stopped");
		expect(backends[0]?.asked).not.toContain("start");
	});
});

describe("a crash", () => {
	test("withdraws, waits 200, 400 and 800 ms, and fails with the fourth", async () => {
		const { supervisor, happened, clock, launched, ready } = supervised();
		await ready();
		const waits: number[][] = [];
		for (const launch of [1, 2, 3, 4]) {
			const backend = await launched(launch);
			backend.load();
			while (supervisor.machine.state !== "ready") await turn();
			backend.exit({ code: 1 });
			while (supervisor.machine.state === "ready") await turn();
			waits.push(clock.waits());
			if (launch < 4) clock.pass();
		}
		expect(waits).toEqual([[200], [400], [800], []]);
		expect(supervisor.machine).toMatchObject({ state: "failed", launches: 4 });
		expect(happened.filter((what) => what === "withdraw")).toHaveLength(4);
	});

	test("that is waited out is forgotten by a stop: the clock has nothing left to do", async () => {
		const { supervisor, backends, clock, ready } = supervised();
		await ready();
		backends[0]?.exit({ code: 1 });
		await turn();
		expect(clock.waits()).toEqual([200]);
		await supervisor.stop("disabled");
		expect(clock.waits()).toEqual([]);
		expect(supervisor.machine.state).toBe("disabled");
		expect(backends).toHaveLength(1);
	});

	test("of an instance that was replaced is no crash of the plugin", async () => {
		const { supervisor, backends, launched, ready } = supervised();
		await ready();
		const prepared = supervisor.prepare();
		(await launched(2)).load({ tool: [tool("v2")] });
		expect(supervisor.adopt(await prepared)).toBe(true);
		backends[0]?.exit({ code: 9 });
		await turn();
		expect(supervisor.machine.state).toBe("ready");
	});
});

describe("wishes that come while another is under way", () => {
	test("stop and start: the stop is done first, then a new launch", async () => {
		const { supervisor, backends, happened, launched, ready } = supervised();
		await ready();
		const old = backends[0];
		const stopped = supervisor.stop();
		const started = supervisor.start();
		old?.disposed();
		(await launched(2)).load({ tool: [tool("v2")] });
		await Promise.all([stopped, started]);
		expect(happened.slice(3)).toEqual(["withdraw", "stopping", "stopped", "starting", "publish v2", "ready"]);
	});

	test("stop, start, stop: nothing is launched", async () => {
		const { supervisor, backends, ready } = supervised();
		await ready();
		const wishes = [supervisor.stop(), supervisor.start(), supervisor.stop("disabled")];
		backends[0]?.disposed();
		await Promise.all(wishes);
		expect(supervisor.machine.state).toBe("disabled");
		expect(backends).toHaveLength(1);
	});

	test("a stop resolves in the state that it leads to", async () => {
		const { supervisor, backends, ready } = supervised();
		await ready();
		backends[0]?.disposed();
		await supervisor.stop();
		expect(supervisor.machine.state).toBe("stopped");
	});
});

describe("a replaced instance", () => {
	test.each(["answered", "failed"])("is ended when its last call is %s, and not before", async (end) => {
		const { supervisor, backends, launched, ready } = supervised();
		await ready();
		const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
		const calls = [supervisor.use(() => first.promise), supervisor.use(() => second.promise)];
		const prepared = supervisor.prepare();
		(await launched(2)).load();
		supervisor.adopt(await prepared);
		first.resolve();
		await turn();
		expect(backends[0]?.asked).toEqual(["start"]);
		if (end === "answered") second.resolve();
		else second.reject(new Error("no"));
		await Promise.allSettled(calls);
		await turn();
		expect(backends[0]?.asked).toEqual(["start", "dispose"]);
	});

	test("is ended by the clock when its calls do not end", async () => {
		const { supervisor, backends, clock, launched, ready } = supervised();
		await ready();
		void supervisor.use(() => new Promise(() => {}));
		const prepared = supervisor.prepare();
		(await launched(2)).load();
		supervisor.adopt(await prepared);
		expect(clock.waits()).toEqual([limits.stop.drainMs]);
		clock.pass();
		await turn();
		expect(backends[0]?.asked).toContain("dispose");
	});

	test("no longer changes what is visible", async () => {
		const { supervisor, backends, happened, launched, ready } = supervised();
		await ready();
		const prepared = supervisor.prepare();
		(await launched(2)).load();
		supervisor.adopt(await prepared);
		const before = happened.length;
		backends[0]?.events?.changed("tool", [tool("late")]);
		expect(happened).toHaveLength(before);
		backends[1]?.events?.changed("tool", [tool("now")]);
		expect(happened.at(-1)).toBe("changed tool 1");
	});

	test("may not be replaced once the plugin was stopped: the new one is ended instead", async () => {
		const { supervisor, backends, launched, ready } = supervised();
		await ready();
		const prepared = supervisor.prepare();
		const replacement = await launched(2);
		replacement.load();
		const instance = await prepared;
		backends[0]?.disposed();
		const stopped = supervisor.stop();
		expect(supervisor.adopt(instance)).toBe(false);
		await stopped;
		expect(replacement.asked).toContain("SIGINT");
		expect(supervisor.machine.state).toBe("stopped");
	});
});

test("a plugin that does not serve cannot be used, and the error names its state and the reason", async () => {
	const { supervisor, launched } = supervised();
	expect(await rejection(supervisor.use(async () => {}))).toMatchObject({ code: "plugin_not_ready" });
	const started = supervisor.start();
	(await launched(1)).fail(failure("load_failed", { plugin: "one", reason: "no such luck" }));
	await started;
	const error = await rejection(supervisor.use(async () => {}));
	expect(String(error)).toContain("its state is failed");
	expect(String(error)).toContain("no such luck");
});
