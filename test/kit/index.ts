/** The contract `brood/test`: loads a plugin in a test, and answers it with what the test gives. */
export type { LogEntry } from "../../host/base/log.ts";
export type { UIRecord } from "../../host/ui/recording.ts";
export type { ScriptedAnswer } from "../../host/ui/scripted.ts";
export type { TapFrame } from "../../runtime/tap.ts";
export type { TestClock } from "./clock.ts";
export type { TestPluginOptions } from "./options.ts";
export type { TestSettings } from "./settings.ts";
export { type Registrations, type TestedPlugin, testPlugin } from "./test-plugin.ts";
