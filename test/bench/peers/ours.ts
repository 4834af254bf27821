import { writeFileSync } from "node:fs";
import { type CreateHostOptions, createHost, type Host } from "brood";
import { ownEnvironment } from "./environment.ts";
import type { Many, Peer, Session } from "./peer.ts";

/** What is measured of a host of ours, whose children may get variables besides those of the bench. */
export type OursOptions = CreateHostOptions & { variables?: Record<string, string> };

/** brood itself, through the API that embedders use. */
export function oursPeer({ variables, ...options }: OursOptions): Peer {
	const env = variables === undefined ? {} : { env: { ...ownEnvironment(), ...variables } };
	const start = (plugins: string[], more: CreateHostOptions = {}) =>
		createHost({ plugins, places: false, ...env, ...options, ...more });

	async function open(plugin: string): Promise<Session> {
		const begun = performance.now();
		const host = await start([plugin]);
		const created = performance.now() - begun;
		const [{ name, pid } = absent()] = host.plugins.list();
		return {
			took: { start: publishedOf(host, name), created },
			...(pid === null ? {} : { pid }),
			async call(text) {
				const { ok, text: answer } = await host.tools.call("echo", { text });
				if (!ok) throw new Error(`the call gave ${answer}`);
				return answer;
			},
			async again() {
				await host.disable(name);
				// A spare that was taken is replaced meanwhile; longer, and one would measure how fast the machine falls asleep.
				await Bun.sleep(settleMs);
				await host.enable(name);
				return publishedOf(host, name);
			},
			save: (file, text, tool) => save(host, file, text, tool),
			close: () => host.stop(),
		};
	}

	async function openMany(plugins: string[]): Promise<Many> {
		let first = 0;
		const begun = performance.now();
		const host = await start(plugins, {
			observe(event) {
				if (first === 0 && event.type === "fact" && event.fact === "published") first = performance.now() - begun;
			},
		});
		const all = performance.now() - begun;
		for (const { name } of host.plugins.list()) publishedOf(host, name);
		return {
			pids: host.plugins.list().flatMap(({ pid }) => pid ?? []),
			took: { first, all },
			close: () => host.stop(),
		};
	}

	return { open, openMany };
}

const settleMs = 30;

async function save(host: Host, file: string, text: string, tool: string): Promise<number> {
	// Whoever has it already gets the same one.
	await host.watch();
	const live = Promise.withResolvers<number>();
	const subscription = host.onChange(({ added }) => {
		if (added.some(({ kind, key }) => kind === "tool" && key === tool)) live.resolve(performance.now());
	});
	const begun = performance.now();
	writeFileSync(file, text);
	const ms = (await live.promise) - begun;
	subscription.unsubscribe();
	const { ok, text: answer } = await host.tools.call(tool, {});
	if (!ok || answer !== tool) throw new Error(`the call gave ${answer}`);
	return ms;
}

function publishedOf(host: Host, name: string): number {
	const { state, error, facts } = host.plugins.get(name);
	if (state !== "ready" || facts.published === null) throw error ?? new Error(`${name} is ${state}`);
	return facts.published;
}

function absent(): never {
	throw new Error("the host has no plugin");
}
