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
export type * from "../runtime/records.ts";
export { createTap, type Tap, type TapFrame } from "../runtime/tap.ts";
export type { LogEntry } from "./base/log.ts";
export { jsonLog, type LogSink } from "./base/log-sink.ts";
export type { CallOptions, CommandResult, ToolCallOptions, ToolResult } from "./calls/dispatch.ts";
export type { EmitOptions, EventOutcome, HandlerReport } from "./calls/events.ts";
export type { LoadFact } from "./contracts/backend.ts";
export type { EnvironmentOption, HostOptions, LaunchOption } from "./contracts/options.ts";
export type * from "./contracts/providers.ts";
export { type CreateHostOptions, createHost, type Host, type HostEvent } from "./host.ts";
export type { PluginState } from "./lifecycle/machine.ts";
export type { PluginSnapshot } from "./plugin.ts";
export type { OwnedStatusItem } from "./providers/status.ts";
export type { Entry, RegistryChange, Why } from "./registry.ts";
export type { SkippedCandidate } from "./spec.ts";
export { noUI } from "./ui/none.ts";
export { type ScriptedAnswer, scriptedUI } from "./ui/scripted.ts";
export { terminalUI } from "./ui/terminal.ts";
