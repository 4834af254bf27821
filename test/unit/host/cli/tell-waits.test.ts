import { describe, expect, test } from "bun:test";
import { tellWaits } from "../../../../host/cli/tell-waits.ts";
import type { LoadFact } from "../../../../host/contracts/backend.ts";
import type { PluginState } from "../../../../host/lifecycle/machine.ts";

/** A command that waits, with what it tells. */
function waiting({ quiet = false, interrupted = false } = {}) {
	const lines: string[] = [];
	let told = Promise.withResolvers<string>();
	const { observe, end } = tellWaits({
		quiet,
		isInterrupted: () => interrupted,
		tell(line) {
			lines.push(line);
			told.resolve(line);
			told = Promise.withResolvers();
		},
		afterMs: 5,
	});
	return {
		lines,
		end,
		next: () => told.promise,
		state: (plugin: string, state: PluginState) => observe({ type: "state", plugin, state }),
		fact: (plugin: string, fact: LoadFact) => observe({ type: "fact", plugin, fact, ms: 0 }),
		dialogs: (plugin: string, open: number) => observe({ type: "dialogs", plugin, open }),
		/** Until every timer of the length has run. */
		async pass() {
			await Bun.sleep(20);
		},
	};
}

describe("a start that takes long", () => {
	test("is told once, with the plugins that are not ready and what each is at", async () => {
		const { next, state, fact, pass, lines, end } = waiting();
		for (const plugin of ["queued", "spawned", "importing", "activating", "telling", "done", "bad"])
			state(plugin, "starting");
		fact("spawned", "spawned");
		fact("importing", "clientInfo");
		fact("activating", "activated");
		fact("telling", "ready");
		state("done", "ready");
		state("bad", "failed");
		const parts =
			"queued, spawned: start of its process, importing: import, activating: activate, telling: fetch of its";
		expect(await next()).toBe(`waiting for ${parts} registrations …`);
		await pass();
		expect(lines).toHaveLength(1);
		end();
	});

	test("of many plugins names some", async () => {
		const { next, state, end } = waiting();
		for (let number = 1; number <= 8; number += 1) state(`p${number}`, "starting");
		expect(await next()).toBe("waiting for p1, p2, p3, p4, p5 and 3 more …");
		end();
	});

	test("is not told while somebody is asked, but after the answer", async () => {
		const { next, state, dialogs, pass, lines, end } = waiting();
		state("asking", "starting");
		dialogs("asking", 1);
		await pass();
		expect(lines).toEqual([]);
		dialogs("asking", 0);
		expect(await next()).toBe("waiting for asking …");
		end();
	});

	test("is not told when all are ready, when it has ended, and to who wants quiet", async () => {
		const [ready, ended, quiet] = [waiting(), waiting(), waiting({ quiet: true })];
		for (const { state } of [ready, ended, quiet]) state("p", "starting");
		ready.state("p", "ready");
		ended.end();
		await ready.pass();
		expect([ready.lines, ended.lines, quiet.lines]).toEqual([[], [], []]);
		for (const { end } of [ready, quiet]) end();
	});
});

describe("a stop that takes long", () => {
	test.each([
		[{}, ["stopping p …; Ctrl-C twice ends it at once"]],
		[{ interrupted: true }, ["stopping p …; Ctrl-C again ends it at once"]],
		[{ interrupted: true, quiet: true }, ["stopping p …; Ctrl-C again ends it at once"]],
		[{ quiet: true }, []],
	])("is told with what ends it at once: %p", async (options, expected) => {
		const { state, pass, lines, end } = waiting(options);
		state("p", "ready");
		state("p", "stopping");
		state("quick", "stopping");
		state("quick", "stopped");
		await pass();
		expect(lines).toEqual(expected);
		end();
	});
});
