import { expect, test } from "bun:test";
import { isBroodError } from "../../../runtime/errors.ts";
import { rejection } from "../../unit/runtime/support.ts";
import { openCase, processesOf, statesOf } from "../cases/support.ts";
import { createBench } from "../support/host.ts";
import { survivorsOf } from "../support/processes.ts";

/** Plugins of the folders in fixtures/cases that are about time. */
const bench = createBench();
const alone = { events: false };

test("032: the reply to a call that timed out is dropped, and never answers the next call", async () => {
	const { host, wire } = await openCase(bench, "032-late-reply-after-timeout");
	const slow = (ms: number, tag: string, timeoutMs: number) =>
		host.tools.call("slow", { ms, tag }, { ...alone, timeoutMs });
	expect(isBroodError(await rejection(slow(400, "A", 200)), "timeout")).toBe(true);
	expect((await slow(400, "B", 10_000)).text).toBe("tag B");
	expect(wire("plugin").filter((line) => line === "<- tool.execute ok")).toHaveLength(2);
	expect(host.plugins.log("plugin")).toEqual([]);
	expect(host.plugins.get("plugin")).toMatchObject({ state: "ready", launches: 1, openCalls: 0 });
});

test("035: an import that never ends fails at the deadline and says so, and its process is gone", async () => {
	const running = await openCase(bench, "035-top-level-await-never-settles", { limits: { load: { readyMs: 500 } } });
	const { state, error } = running.host.plugins.get("plugin");
	expect({ state, code: error?.code, stage: error?.stage }).toEqual({
		state: "failed",
		code: "ready_timeout",
		stage: "import",
	});
	expect(error?.message).toMatch(/within 500 ms.*import has not ended/);
	expect(await survivorsOf(processesOf(running, "plugin"))).toEqual([]);
	expect(statesOf(running, "plugin")).toEqual(["starting", "failed"]);
});

test("038: a gate that never answers refuses the call in its time, by the plugin's name, or lets it pass", async () => {
	const limits = { call: { eventHandlerMs: 200 } };
	const reason = 'The handler of tool.call of plugin "plugin" did not answer within 200 ms';
	const outcomes = await Promise.all(
		(["reject", "allow"] as const).map(async (toolCallFailure) => {
			const { host } = await openCase(bench, "038-hook-never-answers", { limits, toolCallFailure });
			const gate = await host.emit("tool.call", { tool: "Bash", input: {} });
			const end = await host.emit("agent.end", {});
			return { gate, end, log: host.plugins.log("plugin").map(({ message }) => message) };
		}),
	);
	expect(outcomes.map(({ gate }) => gate.result)).toEqual([
		{ action: "reject-and-continue", message: `A gate failed, so the call was not made: ${reason}.` },
		null,
	]);
	for (const { gate, end, log } of outcomes) {
		expect(gate.handlers).toMatchObject([{ plugin: "plugin", error: { code: "timeout" } }]);
		expect(end).toMatchObject({
			result: null,
			handlers: [{ error: { message: expect.stringContaining("Error: from agent.end (") } }],
		});
		expect(log).toEqual([
			`its handler of tool.call failed: ${reason}.`,
			expect.stringContaining("its handler of agent.end failed: Error: from agent.end ("),
		]);
	}
});

test("160: after 200 timeouts at once no call is open anywhere, and the plugin answers", async () => {
	const { host } = await openCase(bench, "160-two-hundred-timeouts", {
		// One place that stays taken, on either side, would refuse a call of the second round.
		limits: { wire: { pendingCallsMax: 200 } },
	});
	for (let round = 0; round < 2; round += 1) {
		const calls = Array.from({ length: 200 }, () => host.tools.call("never", {}, { ...alone, timeoutMs: 300 }));
		const errors = await Promise.all(calls.map(rejection));
		expect(errors.filter((error) => !isBroodError(error, "timeout"))).toEqual([]);
		expect((await host.tools.call("ping", {}, alone)).text).toBe("pong");
		expect(host.plugins.get("plugin")).toMatchObject({ state: "ready", launches: 1, openCalls: 0 });
	}
});
