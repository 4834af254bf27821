/** The contract `brood`: a host for plugins in any Bun program. */
export {
	BroodError,
	type ErrorCode,
	type ExitFacts,
	isBroodError,
	type SourcePosition,
	type Stage,
} from "../runtime/errors.ts";
export type { LimitOverrides } from "../runtime/limits.ts";
export type { User } from "../runtime/protocol.ts";
export type * from "../runtime/records.ts";
export { createTap, type Tap, type TapFrame } from "../runtime/tap.ts";
export type * from "../runtime/threads.ts";
export type { LogEntry } from "./base/log.ts";
export { jsonLog, type LogSink } from "./base/log-sink.ts";
export { type ResolveAgentOptions, type ResolvedAgent, resolveAgent } from "./base/resolve-agent.ts";
export type { CallOptions, CommandResult, ToolCallOptions, ToolResult } from "./calls/dispatch.ts";
export type { EmitOptions, EventOutcome, HandlerReport } from "./calls/events.ts";
export type { FoundLink, Links } from "./calls/links.ts";
export type { SkillFile, Skills } from "./calls/skills.ts";
export type { ActivatedStatusItem, HostStatusItems } from "./calls/status-items.ts";
export type * from "./calls/turn-types.ts";
export type { WebhookContent, WebhookResult, Webhooks } from "./calls/webhooks.ts";
export type { LoadFact } from "./contracts/backend.ts";
export type { EnablementStore } from "./contracts/enablement.ts";
export type * from "./contracts/findings.ts";
export type {
	EnvironmentOption,
	HostOptions,
	InspectOption,
	InstallOption,
	LaunchOption,
} from "./contracts/options.ts";
export type * from "./contracts/providers.ts";
export { type DiagnoseOptions, diagnose } from "./diagnose.ts";
export { type CreateHostOptions, createHost, type Host, type HostEvent, type SwitchOptions } from "./host.ts";
export type { PluginState } from "./lifecycle/machine.ts";
export type { PluginSnapshot } from "./plugin.ts";
export { type OpenAIOptions, openAI } from "./providers/openai.ts";
export type { OwnedStatusItem } from "./providers/status.ts";
export { pageOfMessages } from "./providers/thread-messages.ts";
export {
	createThreads,
	type NewMessage,
	type NewThread,
	type StoredThread,
	type ThreadAction,
	type ThreadStore,
} from "./providers/threads.ts";
export { type LoopbackWebhooksOptions, loopbackWebhooks } from "./providers/webhooks/loopback.ts";
export type { HostWebhook } from "./providers/webhooks/service.ts";
export type { Entry, RegistryChange, Why } from "./registry.ts";
export type { PluginKey, PluginSystem, SkippedCandidate } from "./spec.ts";
export { noUI } from "./ui/none.ts";
export { type ScriptedAnswer, scriptedUI } from "./ui/scripted.ts";
export { terminalUI } from "./ui/terminal.ts";
export type * from "./validate/types.ts";
export { validatePlugins } from "./validate/validate.ts";
