import { failure } from "../../runtime/errors.ts";
import type { Limits } from "../../runtime/limits.ts";
import type { InstallOption } from "../contracts/options.ts";
import type { Launch, LaunchInstall } from "../contracts/services.ts";

/** Whether Bun may fetch packages for a plugin. */
export function mayInstall(option: InstallOption | undefined, plugin: string): boolean {
	if (typeof option !== "object") return option === "auto";
	return Object.hasOwn(option, plugin) && option[plugin] === "auto";
}

/** Looks at an option that an embedder may have from anywhere. @throws BroodError `usage` for what is no such option */
export function checkInstall(option: unknown): void {
	if (option === undefined || isMode(option)) return;
	if (typeof option === "object" && option !== null && Object.values(option).every(isMode)) return;
	const reason = 'install is "auto", "off", or an object with one of them for each plugin';
	throw failure("usage", { reason, stage: "discover" });
}

/** What a form of launch makes of the permission: a compiled program cannot fetch unless it starts plugins from a cached bundle, and another command is not Bun. */
export function installOf(form: string, isAllowed: boolean): LaunchInstall | undefined {
	if (!isAllowed) return undefined;
	return canFetch(form) ? "auto" : "unavailable";
}

export function canFetch(form: string): boolean {
	return form === "source" || form === "cached" || form === "be-bun";
}

/** How long a launch may take to become ready: fetching packages is part of an import and cannot be told from it. */
export function readyMsOf({ install }: Launch, { readyMs, installMs }: Limits["load"]): number {
	return install === "auto" ? readyMs + installMs : readyMs;
}

function isMode(value: unknown): boolean {
	return value === "auto" || value === "off";
}
