import { dirname } from "node:path";
import type { PluginKey, PluginSpec } from "../spec.ts";
import { realpath } from "./files.ts";

/**
 * The key of a plugin that was found. Whether it is a file or a folder, and how the file's name ends, is not part of it;
 * a link in a place is a plugin of that place, wherever it leads.
 */
export async function pluginKey({ system, scope, kind, root, name }: PluginSpec): Promise<PluginKey> {
	return { system, scope, directory: await realFolder(kind === "directory" ? dirname(root) : root), name };
}

/** The folder with every link followed; one that is gone is told as it was named. */
export function realFolder(path: string): Promise<string> {
	return realpath(path).catch(() => path);
}
