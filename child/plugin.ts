/** The contract `brood/plugin`: types for plugin authors, and two functions that only help inference. */
export { defineAgent, defineTool } from "./define.ts";
export type * from "./types/ai.ts";
export type * from "./types/amp-names.ts";
export type * from "./types/common.ts";
export type * from "./types/events.ts";
export type * from "./types/plugin-api.ts";
export type * from "./types/system.ts";
export type * from "./types/thread-messages.ts";
export type * from "./types/threads.ts";
export type * from "./types/tools.ts";
export type * from "./types/ui.ts";
export type * from "./types/webhooks.ts";
