import { expect, expectTypeOf, test } from "bun:test";
import type { ConfirmField, PluginAPI, ToolCallEvent, ToolResultEvent } from "../../child/plugin.ts";
import { defineTool } from "../../child/plugin.ts";

/** Compiled, never run: each line is a claim about what authors may write. */
async function _claims(amp: PluginAPI): Promise<void> {
	amp.on("tool.call", (event, context) => {
		expectTypeOf(event).toEqualTypeOf<ToolCallEvent>();
		expectTypeOf(context.thread.id).toEqualTypeOf<string>();
		return { action: "modify", input: { ...event.input, more: 1 } };
	});
	amp.on("tool.result", async (event) => {
		expectTypeOf(event).toEqualTypeOf<ToolResultEvent>();
		return { status: "done", output: "x" };
	});
	amp.on("agent.end", () => ({ action: "continue", userMessage: "go on", maxContinuations: 2 }));
	amp.on("session.start", () => {});
	amp.on("changes.prompt", ({ workflow }) => (workflow === "ship" ? { append: "x" } : undefined));
	// @ts-expect-error there is no such event
	amp.on("tool.calls", () => {});
	// @ts-expect-error an action that no handler can take
	amp.on("tool.call", () => ({ action: "maybe" }));

	const { registerCommand, ui } = amp;
	expectTypeOf(await ui.confirm({ title: "Sure?" })).toEqualTypeOf<boolean>();
	const fields: ConfirmField[] = [{ name: "a", label: "A", value: "" }];
	expectTypeOf(await ui.confirm({ title: "Edit", fields })).toEqualTypeOf<Record<string, string> | undefined>();
	expectTypeOf(await ui.input()).toEqualTypeOf<string | undefined>();
	expectTypeOf(await ui.select({ title: "Which?", options: ["a"] })).toEqualTypeOf<string | undefined>();
	// @ts-expect-error a select has options
	await ui.select({ title: "Which?" });

	const command = registerCommand("id", { title: "T" }, ({ signal, thread }) => [signal.aborted, thread?.id]);
	command.setAvailability({ type: "disabled", reason: "later" });
	// @ts-expect-error a disabled command says why
	command.setAvailability({ type: "disabled" });

	amp.registerTool<{ n: number }>({
		name: "n",
		description: "d",
		inputSchema: { type: "object" },
		execute: ({ n }, { logger, signal }) => (signal.aborted ? undefined : void logger.log(n)),
	});
	// @ts-expect-error a tool's schema is one of an object
	amp.registerTool({ name: "n", description: "d", inputSchema: { type: "string" }, execute: () => "x" });
	const { exitCode, stdout } = await amp.$`echo ${["a", "b"]}`;
	expectTypeOf({ exitCode, stdout }).toEqualTypeOf<{ exitCode: number; stdout: string }>();
	expectTypeOf(await amp.configuration.get<{ a: 1 }>()).toEqualTypeOf<{ a: 1 }>();
	expectTypeOf(await amp.ai.generate({ prompt: "x" })).toEqualTypeOf<string>();
	expectTypeOf(amp.system.workspaceRoot?.toString()).toEqualTypeOf<string | undefined>();
	expectTypeOf(amp.experimental.createAgent).toEqualTypeOf<PluginAPI["createAgent"]>();
	(await amp.registerSkill({ path: "skills/x" })).unsubscribe();
}

test("the claims about the author types compile, and the define functions give their argument back", () => {
	const tool = defineTool({ name: "n", description: "d", inputSchema: { type: "object" }, execute: () => "x" });
	expect(tool.name).toBe("n");
	expect(typeof _claims).toBe("function");
});
