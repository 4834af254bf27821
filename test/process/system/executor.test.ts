import { expect, test } from "bun:test";
import type { AskContext } from "../../../host/index.ts";
import { createBench } from "../support/host.ts";

const bench = createBench();

/** A managed remote that counts what is kept alive, and tells each change of that number. */
function remote(answer: (context: AskContext) => Promise<void> = async () => {}) {
	const changes: number[] = [];
	let waiting: { count: number; resolve: () => void } | undefined;
	let kept = 0;
	const change = (by: 1 | -1) => {
		kept += by;
		changes.push(kept);
		if (waiting?.count === kept) waiting.resolve();
	};
	return {
		changes,
		async reaches(count: number): Promise<void> {
			if (kept === count) return;
			const { promise, resolve } = Promise.withResolvers<void>();
			waiting = { count, resolve };
			await promise;
		},
		provider: {
			kind: "remote" as const,
			async keepAlive(context: AskContext) {
				await answer(context);
				change(1);
				return { unsubscribe: () => change(-1) };
			},
		},
	};
}

const plugin = `
const kept = [];
export default (amp) => {
	const { keepAlive } = amp.system.executor;
	const run = (id, task) => amp.registerCommand(id, { title: id }, task);
	run("keep", async () => { kept.push(await keepAlive()); });
	run("keep two", async () => { kept.push(...await Promise.all([keepAlive(), keepAlive()])); });
	run("release", () => { const one = kept.pop(); one.unsubscribe(); one.unsubscribe(); });
	run("kind", () => amp.logger.log("kind " + amp.system.executor.kind));
	run("crash", () => { setTimeout(() => process.kill(process.pid, "SIGKILL")); });
	run("forget", () => { keepAlive(); });
	run("ask", async () => { try { await keepAlive(); } catch (error) { amp.logger.log(error.code + ": " + error.message); } });
};`;

test("outside of a managed remote keepAlive rejects with a named error, and the plugin lives when nobody awaits it", async () => {
	const { host, logged } = await bench.start({ p: plugin });
	await host.commands.run("kind");
	await logged("p", "kind local");
	await host.commands.run("ask");
	const { message } = await logged("p", "provider_missing: ");
	expect(message).toContain("system.executor.keepAlive");
	expect(message).toContain('system.executor.kind is "local"');
	expect(message).toContain("providers.executor");
	await host.commands.run("forget");
	await logged("p", "amp call executor.keepAlive failed and nobody awaited it");
	expect(host.plugins.get("p")).toMatchObject({ state: "ready", launches: 1 });
});

test("what is kept alive is released by each subscription once, and the rest with the process", async () => {
	const executor = remote();
	const { host, logged } = await bench.start({ p: plugin }, { providers: { executor: executor.provider } });
	await host.commands.run("kind");
	await logged("p", "kind remote");
	await host.commands.run("keep");
	await host.commands.run("keep two");
	expect(executor.changes).toEqual([1, 2, 3]);
	await host.commands.run("release");
	await executor.reaches(2);
	await host.disable("p");
	await executor.reaches(0);
	expect(executor.changes).toEqual([1, 2, 3, 2, 1, 0]);
});

test("a crash releases what the process kept alive, and the next launch keeps nothing", async () => {
	const executor = remote();
	const { host, reaches } = await bench.start({ p: plugin }, { providers: { executor: executor.provider } });
	await host.commands.run("keep two");
	const again = reaches("p", "restarting").then(() => reaches("p", "ready"));
	await host.commands.run("crash");
	await executor.reaches(0);
	await again;
	expect(executor.changes).toEqual([1, 2, 1, 0]);
});

test("an answer that comes after the process has ended is released at once", async () => {
	const asked = Promise.withResolvers<void>();
	const answer = Promise.withResolvers<void>();
	const executor = remote(() => {
		asked.resolve();
		return answer.promise;
	});
	const { host } = await bench.start({ p: plugin }, { providers: { executor: executor.provider } });
	await host.commands.run("forget");
	await asked.promise;
	await host.disable("p");
	expect(executor.changes).toEqual([]);
	answer.resolve();
	await executor.reaches(1);
	await executor.reaches(0);
});

test("a provider that is late, throws, or gives no subscription is a named error", async () => {
	const given = [
		() => new Promise<never>(() => {}),
		() => Promise.reject(new Error("no such machine")),
		() => Promise.resolve({}),
	];
	let turn = 0;
	const executor = { kind: "remote" as const, keepAlive: () => given[turn++]?.() as never };
	const limits = { executor: { answerMs: 100 } };
	const { host, logged } = await bench.start({ p: plugin }, { providers: { executor }, limits });
	for (const told of ["timeout: ", "provider_failed: ", "keepAlive gives an object with unsubscribe"]) {
		await host.commands.run("ask");
		await logged("p", told);
	}
	await logged("p", "no such machine");
});

test("a release that fails is told in the log and harms nobody", async () => {
	const executor = {
		kind: "remote" as const,
		keepAlive: () => ({ unsubscribe: () => Promise.reject(new Error("gone")) }),
	};
	const { host, logged } = await bench.start({ p: plugin }, { providers: { executor } });
	await host.commands.run("keep");
	await host.commands.run("release");
	await logged("p", "failed to release what was kept alive: gone");
	expect(host.plugins.get("p").state).toBe("ready");
});

test("a plugin keeps a bounded number alive at a time, and one that it releases makes room", async () => {
	const executor = remote();
	const limits = { executor: { keepAlivesMax: 2 } };
	const { host, logged } = await bench.start({ p: plugin }, { providers: { executor: executor.provider }, limits });
	await host.commands.run("keep two");
	await host.commands.run("ask");
	await logged("p", "busy: ");
	await host.commands.run("release");
	await executor.reaches(1);
	expect((await host.commands.run("keep")).ok).toBe(true);
});

test.each([
	["local", "local"],
	["remote", "remote"],
	["unknown", "unknown"],
	["martian", "unknown"],
])("the kind %s is told to plugins as %s", async (kind, told) => {
	const executor = { kind: kind as "local" };
	const { host, logged } = await bench.start({ p: plugin }, { providers: { executor } });
	await host.commands.run("kind");
	await logged("p", `kind ${told}`);
});
