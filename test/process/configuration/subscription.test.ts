import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AskContext, ConfigurationListener } from "../../../host/contracts/providers.ts";
import { createBench } from "../support/host.ts";
import { comesTrue } from "../support/processes.ts";
import { act, acts, folders, heard, hears, put } from "./support.ts";

const bench = createBench();

describe("a subscription", () => {
	/** A provider whose settings the test sets, which counts who listens. */
	function provided() {
		const listeners = new Map<ConfigurationListener, AskContext>();
		let settings: unknown = { n: 0 };
		return {
			of: (plugin: string) => [...listeners.values()].filter((context) => context.plugin === plugin).length,
			set(value: unknown) {
				settings = value;
				for (const listener of listeners.keys()) listener.next(value as never);
			},
			fail: (reason: unknown) => [...listeners.keys()].forEach((listener) => void listener.error(reason)),
			configuration: {
				get: async () => settings as never,
				subscribe(listener: ConfigurationListener, context: AskContext) {
					listeners.set(listener, context);
					return { unsubscribe: () => void listeners.delete(listener) };
				},
			},
		};
	}

	test("ends with the last observer, a crash, disable, reload or the host, and another plugin's goes on", async () => {
		const { of, set, configuration } = provided();
		const source = hears.replace(/};$/, `amp.registerCommand("die", { title: "" }, () => process.exit(1)); };`);
		const options = { providers: { configuration }, limits: { restart: { delaysMs: [60_000] } } };
		const { host, logged } = await bench.start({ one: source, two: source }, options);
		const becomes = async (plugin: string, count: number) =>
			expect(await comesTrue(() => of(plugin) === count, 2_000)).toBe(true);
		await logged("one", 'heard {"n":0}');
		await becomes("two", 1);
		await host.commands.run("one:end");
		await becomes("one", 0);
		await host.commands.run("one:begin");
		await becomes("one", 1);
		await host.reload("one");
		await becomes("one", 1);
		await host.commands.run("one:die").catch(() => {});
		await becomes("one", 0);
		await host.enable("one");
		await becomes("one", 1);
		await host.disable("one");
		await becomes("one", 0);
		await becomes("two", 1);
		set({ n: 1 });
		await logged("two", 'heard {"n":1}');
		await host.stop();
		await becomes("two", 0);
	});

	test("tells only real changes, survives wrong ones, and of what fails the log tells", async () => {
		const { set, fail, configuration } = provided();
		const { host, logged } = await bench.start({ one: hears }, { providers: { configuration } });
		await logged("one", 'heard {"n":0}');
		set({ n: 0 });
		set(null);
		await logged("one", "settings are an object, not null");
		set({ n: () => {} });
		fail(new Error("the server is away"));
		await logged("one", "its settings cannot be told: the server is away");
		set({ n: 1 });
		await logged("one", 'heard {"n":1}');
		expect(heard(host, "one")).toEqual(['heard {"n":0}', 'heard {"n":1}']);
		expect(host.plugins.get("one").state).toBe("ready");
	});

	test("never hears the settings that were asked for first after newer ones", async () => {
		const asked = Promise.withResolvers<void>();
		const late = Promise.withResolvers<{ n: number }>();
		let listener: ConfigurationListener | undefined;
		const configuration = {
			get() {
				asked.resolve();
				return late.promise;
			},
			subscribe(given: ConfigurationListener) {
				listener = given;
				return { unsubscribe() {} };
			},
		};
		const { host, logged } = await bench.start({ one: hears }, { providers: { configuration } });
		await asked.promise;
		listener?.next({ n: 2 });
		await logged("one", 'heard {"n":2}');
		late.resolve({ n: 1 });
		listener?.next({ n: 3 });
		await logged("one", 'heard {"n":3}');
		expect(heard(host, "one")).toEqual(['heard {"n":2}', 'heard {"n":3}']);
	});

	test("and changes are refused by name where the host has only get, or a get that fails", async () => {
		const get = () => Promise.reject(new Error("no such server"));
		const { host, logged } = await bench.start(
			{ listener: hears, one: acts },
			{ providers: { configuration: { get } } },
		);
		await logged("listener", "failed provider_missing");
		expect(await act(host, { update: { a: 1 } })).toContain("configuration.update has no provider in this host");
		expect(await act(host, { delete: "a" })).toContain("configuration.delete has no provider in this host");
		expect(await act(host, { get: true })).toContain(
			"The configuration provider of the host failed at configuration.get",
		);
		await logged("one", "no such server");
	});

	test.skipIf(process.platform !== "linux")(
		"that nobody takes watches nothing, and neither does one that has ended",
		async () => {
			const before = inotifyWatches();
			const { host, logged } = await bench.start({ listener: hears.replace("\n\tbegin();", ""), one: acts });
			put(folders().workspace, '{"a":0}');
			expect(await act(host, { get: true })).toBe('{"a":0}');
			expect(inotifyWatches()).toBe(before);
			await host.commands.run("listener:begin");
			await logged("listener", 'heard {"a":0}');
			expect(await comesTrue(() => inotifyWatches() > before, 2_000)).toBe(true);
			await host.commands.run("listener:end");
			expect(await comesTrue(() => inotifyWatches() === before, 2_000)).toBe(true);
			await act(host, { update: { a: 1 } });
			await host.commands.run("listener:begin");
			await logged("listener", 'heard {"a":1}');
			expect(heard(host, "listener")).toEqual(['heard {"a":0}', 'heard {"a":1}']);
		},
	);
});

/** What this program has the kernel watch. */
function inotifyWatches(): number {
	const descriptors = readdirSync("/proc/self/fdinfo").flatMap((descriptor) => {
		try {
			return [readFileSync(join("/proc/self/fdinfo", descriptor), "utf8")];
		} catch {
			return [];
		}
	});
	return descriptors.join("").split("inotify wd:").length - 1;
}
