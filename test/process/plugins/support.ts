import { expect, test } from "bun:test";
import { join } from "node:path";
import type { CreateHostOptions } from "../../../host/host.ts";
import type { PluginSnapshot } from "../../../host/plugin.ts";
import { recordingUI, type UIRecord } from "../../../host/ui/recording.ts";
import { type ScriptedAnswer, scriptedUI } from "../../../host/ui/scripted.ts";
import type { Json, JsonObject } from "../../../runtime/records.ts";
import { createBench, type Running } from "../support/host.ts";
import { layOutWorkspace, sampleEntry } from "./workspace.ts";

/** A sample in a workspace of its own, not yet loaded. */
export interface Sample {
	/** A path in the workspace. */
	path(...parts: string[]): string;
	/** Starts a host with this sample alone and looks that it is ready, without a warning. */
	load(options?: LoadOptions): Promise<Loaded>;
}

export interface LoadOptions extends CreateHostOptions {
	/** What a person answers to dialogs, in order. */
	answers?: ScriptedAnswer[];
	/** Variables that the plugin has beside those of this process. */
	variables?: Record<string, string>;
}

/** A sample that runs. */
export interface Loaded extends Running {
	plugin(): PluginSnapshot;
	/** What the plugin told and asked a person, in order. */
	record: UIRecord[];
	/** The messages of notify, in order. */
	told(): string[];
	/** The text that a tool gives. */
	call(tool: string, input?: JsonObject): Promise<string>;
	/** The JSON that a tool gives as its text. */
	ask(tool: string, input?: JsonObject): Promise<Json>;
	/** Runs a command, and looks that it did not fail. */
	run(command: string, threadID?: string): Promise<void>;
}

/** Gives what declares the test of one sample. Must be called at the top of a test file. */
export function createSamples() {
	const bench = createBench();
	return (name: string, does: string, run: (sample: Sample) => Promise<void>, timeoutMs?: number): void =>
		test(
			`${name} ${does}`,
			async () => {
				const workspace = bench.path("workspace");
				layOutWorkspace(workspace);
				const entry = sampleEntry(join(workspace, ".amp/plugins"), name);
				if (entry === undefined) throw new Error(`There is no sample ${name}`);
				await run({
					path: (...parts) => join(workspace, ...parts),
					load: (options = {}) => load(name, { cwd: workspace, plugins: [entry], ...options }),
				});
			},
			timeoutMs,
		);

	async function load(name: string, { answers = [], variables, ...options }: LoadOptions): Promise<Loaded> {
		const { ui, record } = recordingUI(scriptedUI(answers));
		const { host, ...rest } = await bench.start(
			{},
			{
				...(variables === undefined ? {} : { env: { ...definedVariables(), ...variables } }),
				...options,
				providers: { ui, ...options.providers },
			},
		);
		const plugin = () => host.plugins.get(name);
		const { state, error, warnings } = plugin();
		expect({ name, state, error: error?.message, warnings }).toEqual({
			name,
			state: "ready",
			error: undefined,
			warnings: [],
		});
		const call: Loaded["call"] = async (tool, input = {}) => {
			const { ok, text } = await host.tools.call(tool, input, { events: false });
			expect({ ok, text }).toMatchObject({ ok: true });
			return text;
		};
		return {
			host,
			...rest,
			plugin,
			record,
			told: () => record.flatMap(({ kind, message }) => (kind === "notify" && message !== undefined ? [message] : [])),
			call,
			ask: async (tool, input) => JSON.parse(await call(tool, input)),
			async run(command, threadID) {
				const { ok, error } = await host.commands.run(command, threadID === undefined ? {} : { threadID });
				expect({ ok, error: error?.message }).toEqual({ ok: true, error: undefined });
			},
		};
	}
}

/** The names of the samples that test files, given by their text, assert something about. */
export function assertedSamples(sources: Iterable<string>): string[] {
	return [...sources].flatMap((source) => [...source.matchAll(/\bsample\(\s*"([^"]+)"/g)].map(([, name = ""]) => name));
}

function definedVariables(): Record<string, string> {
	return Object.fromEntries(
		Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
	);
}
