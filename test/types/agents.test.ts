import { expect, expectTypeOf, test } from "bun:test";
import type { z } from "zod";
import type { Agent, AgentDefinition, PluginAPI, PluginThread, ToolSelection } from "../../child/plugin.ts";
import type { AgentRunParams, AgentThreadParams, ToolSelectionParams } from "../../runtime/protocol-providers.ts";
import type { paramsSchemas } from "../../runtime/schema/wire.ts";

/** Compiled, never run: each line is a claim about what authors may write. */
async function _claims(amp: PluginAPI): Promise<void> {
	const base = amp.createAgent({ model: "a/b", instructions: "i", tools: { include: ["*"], exclude: ["Bash"] } });
	expectTypeOf(base).toEqualTypeOf<Agent>();
	expectTypeOf(base.definition).toExtend<AgentDefinition>();
	expectTypeOf(base.definition.kind).toEqualTypeOf<"agent-definition" | "builtin-agent">();
	if (base.definition.kind === "builtin-agent") expectTypeOf(base.definition.mode).toEqualTypeOf<string>();
	amp.createAgent({ extends: base, tools: "all", display: { label: "L", color: "#3af" } });
	amp.createAgent({ extends: base.definition, reasoningEffort: "high", compactionThresholdTokens: 1 });
	amp.createAgent({ extends: "low", oracle: true, subagents: ["x"], features: { a: 1 } });
	amp.createAgent({ extends: "low", tools: { include: "all", exclude: ["Bash"] } });
	// @ts-expect-error names of tools are a list
	amp.createAgent({ extends: "low", tools: "Bash" });
	// @ts-expect-error a selection has no such member
	amp.createAgent({ extends: "low", tools: { exlude: ["Bash"] } });
	// @ts-expect-error an effort is a text
	amp.createAgent({ extends: "low", reasoningEffort: 1 });
	expectTypeOf(await base.run("hello", { cwd: "/" })).toEqualTypeOf<{ threadID: string; text: string }>();
	expectTypeOf(await base.createThread()).toEqualTypeOf<PluginThread>();
	expectTypeOf(amp.getBuiltinAgent("low")).toEqualTypeOf<Agent>();
	expectTypeOf(amp.experimental.getBuiltinAgent).toEqualTypeOf<PluginAPI["getBuiltinAgent"]>();
	amp.registerAgentMode({ key: "k", label: "K", agent: base }).unsubscribe();
	amp.registerAgentMode({ key: "k", description: "d", color: "#3af", agent: { extends: "high" } });
	// @ts-expect-error a mode has an agent
	amp.registerAgentMode({ key: "k", label: "K" });
}

test("each schema of agents infers exactly the type of the protocol", () => {
	expectTypeOf<z.infer<(typeof paramsSchemas)["agent.run"]>>().toEqualTypeOf<AgentRunParams>();
	expectTypeOf<z.infer<(typeof paramsSchemas)["agent.createThread"]>>().toEqualTypeOf<AgentThreadParams>();
	expectTypeOf<ToolSelectionParams>().toExtend<ToolSelection>();
	expect(typeof _claims).toBe("function");
});
