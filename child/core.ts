import { startChild } from "./main.ts";

/** Settles when the plugin is ready, or has failed to load. */
export const loaded: Promise<void> = startChild();
