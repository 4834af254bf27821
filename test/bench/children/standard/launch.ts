/** Takes the place of child/launch.ts in a child of the bench alone, whose command ends with the plugin. */
import type { readLaunch as original } from "../../../../child/launch.ts";

export const readLaunch: typeof original = (argv) => ({ socket: true, path: argv.at(-1) ?? "" });
