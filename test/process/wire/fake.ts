import { join } from "node:path";
import type { LaunchOption } from "../../../host/contracts/options.ts";
import type { CreateHostOptions } from "../../../host/host.ts";
import { rejection } from "../../unit/runtime/support.ts";
import type { Bench, Running } from "../support/host.ts";

export const fakeChild: LaunchOption = {
	form: "custom",
	command: [process.execPath, "--no-orphans", join(import.meta.dir, "../../fixtures/wire/fake-child.ts")],
};

/** A running host whose children are fake ones. */
export interface Faked extends Running {
	/** Calls the tool of the plugin `one`, without events. */
	call(text?: string, timeoutMs?: number): Promise<string>;
	/** What such a call rejects with. */
	failing(text?: string, timeoutMs?: number): Promise<unknown>;
	/** What the host itself says in the log of the plugin `one`. */
	told(): string[];
}

/** Starts a fake child as the plugin `one`; `parts` are the members of its script. */
export async function startFake(bench: Bench, parts: string, options: CreateHostOptions = {}): Promise<Faked> {
	const running = await bench.start({ one: `export default { ${parts} };` }, { launch: fakeChild, ...options });
	const call = async (text = "", timeoutMs = 10_000) => {
		const result = await running.host.tools.call("t", { text }, { events: false, timeoutMs });
		if (!result.ok) throw result.error ?? new Error(result.text);
		return result.text;
	};
	return {
		...running,
		call,
		failing: (text, timeoutMs) => rejection(call(text, timeoutMs)),
		told: () =>
			running.host.plugins
				.log("one")
				.filter(({ source }) => source === "host")
				.map(({ message }) => message),
	};
}
