import type { CommandItem, JsonObject, ToolItem } from "../../../runtime/records.ts";
import type { Host } from "../../host.ts";
import type { Entry } from "../../registry.ts";
import { formatMs } from "../output.ts";
import { describeBlock } from "./call.ts";
import { type Asker, askInput, pick } from "./dev-ask.ts";
import { questionsOf } from "./dev-form.ts";
import type { Stage } from "./dev-stage.ts";
import { clockTime } from "./dev-text.ts";
import { explainAnswer } from "./plugin-answer.ts";

/** What an act of a person works on. */
export interface Workbench {
	host: Host;
	asker: Asker;
	stage: Stage;
	/** Aborts when the command ends. */
	signal: AbortSignal;
}

/** Lets a person call a tool or run a command, again and again: what was given last stands there the next time. */
export function createCaller(bench: Workbench): () => Promise<void> {
	const inputs = new Map<string, JsonObject>();
	let last: string | undefined;

	/** What is to be done, by what the person chooses and types; nothing when they give up. */
	async function choose(): Promise<(() => Promise<void>) | undefined> {
		const { host, asker, stage } = bench;
		const targets = [
			...host.tools.list().map(toolTarget),
			...host.commands.list().filter(isEnabled).map(commandTarget),
		];
		if (targets.length === 0) {
			stage.output.note("No plugin has a tool or a command that could be called.");
			return undefined;
		}
		const chosen = await pick(asker, "Call which tool or command?", targets, last);
		if (chosen === undefined) return undefined;
		last = chosen.label;
		const { item } = chosen;
		if (item.kind === "command") return () => runCommand(bench, item.id);
		const { name, inputSchema } = item.tool;
		const input = await askInput(asker, name, questionsOf(inputSchema, inputs.get(name)));
		if (input === undefined) return undefined;
		inputs.set(name, input);
		return () => callTool(bench, name, input);
	}

	return async () => {
		const act = await bench.stage.during(choose);
		await act?.();
	};
}

type Target = { kind: "tool"; tool: ToolItem } | { kind: "command"; id: string };

function toolTarget({ item }: Entry<"tool">): { label: string; item: Target } {
	const { name, description } = item;
	const about = description === "" ? "" : ` — ${description}`;
	return { label: `tool ${name}${about}`, item: { kind: "tool", tool: item } };
}

function commandTarget({ item, plugin }: Entry<"command">): { label: string; item: Target } {
	const id = `${plugin}:${item.id}`;
	return { label: `command ${id} — ${item.title}`, item: { kind: "command", id } };
}

function isEnabled({ item }: { item: CommandItem }): boolean {
	return item.availability.type === "enabled";
}

/** @throws BroodError when it answers with an error, or not at all */
async function callTool({ host, stage, signal }: Workbench, name: string, input: JsonObject): Promise<void> {
	const { output } = stage;
	output.note(`${clockTime(Date.now())} call ${name} ${JSON.stringify(input)}`);
	const result = await host.tools.call(name, input, { signal });
	if (!result.ok) throw await explainAnswer(host, `Tool "${name}"`, result);
	if (result.content.length > 0) output.result(result.content.map(describeBlock).join("\n"));
	output.note(`Tool "${name}" of plugin "${result.plugin}" took ${formatMs(result.ms)}.`);
}

/** @throws BroodError likewise */
async function runCommand({ host, stage, signal }: Workbench, id: string): Promise<void> {
	stage.output.note(`${clockTime(Date.now())} run ${id}`);
	const result = await host.commands.run(id, { signal });
	if (!result.ok) throw await explainAnswer(host, `Command "${id}"`, result);
	stage.output.note(`Command "${id}" took ${formatMs(result.ms)}.`);
}
