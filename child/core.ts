import { startChild } from "./main.ts";

/**
 * Settles some time after the plugin is ready, or has failed to load. Bun collects garbage as soon as the program that it
 * runs is loaded, which takes as long as a third of a start: until then other children that start have the processor.
 */
export const loaded: Promise<void> = startChild().then(() => new Promise((resolve) => setTimeout(resolve, quietMs)));

const quietMs = 1_000;
