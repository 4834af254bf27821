import { amp } from "./amp.ts";
import type { Template } from "./template.ts";

/** The template of each plugin system that new plugins can be made for. */
export const templates: ReadonlyMap<string, Template> = new Map([["amp", amp]]);
