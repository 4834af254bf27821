import { isAbsolute } from "node:path";
import { messageOf } from "../../runtime/errors.ts";
import { parseLogFilter } from "../base/log-filter.ts";
import { type Finding, finding, orElse } from "./finding.ts";

type Environment = Record<string, string | undefined>;

/** Variables that are not what they seem to be. Values are never told: some are secret. */
export function checkVariables(environment: Environment): Finding[] {
	const findings = [
		...traps.filter(([name]) => (environment[name] ?? "") !== "").map(describeTrap),
		...inspectors(environment),
		...relativeFolders(environment),
		...ownVariables(environment),
	];
	return orElse(findings, "environment", "No variable is set that acts otherwise than it seems.");
}

// Measured: Bun does not read NODE_OPTIONS; the others act on the host before it could drop them.
const traps: [name: string, message: string, hint: string][] = [
	[
		"NODE_OPTIONS",
		"NODE_OPTIONS is set, which Bun does not read: it acts on no plugin, only on programs under Node that one starts.",
		"Nothing is to be done, unless it was meant for plugins.",
	],
	[
		"BUN_OPTIONS",
		"BUN_OPTIONS is set: it acts on the program that runs brood, and is kept from plugins.",
		"Unset it, unless it was meant for the host.",
	],
	[
		"BUN_BE_BUN",
		"BUN_BE_BUN is set: a compiled program that embeds brood acts as plain Bun instead. It is kept from plugins.",
		"Unset it: unset BUN_BE_BUN",
	],
];

function describeTrap([, message, hint]: (typeof traps)[number]): Finding {
	return finding("environment", "note", message, { hint });
}

function inspectors(environment: Environment): Finding[] {
	const names = Object.keys(environment).filter((name) => name.startsWith("BUN_INSPECT") && environment[name]);
	if (names.length === 0) return [];
	const message = `${names.join(", ")} is set: the debugger gets the host, and never a plugin.`;
	return [finding("environment", "note", message)];
}

function relativeFolders(environment: Environment): Finding[] {
	const names = ["XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"];
	const ignored = names.filter((name) => (environment[name] ?? "") !== "" && !isAbsolute(environment[name] ?? ""));
	return ignored.map((name) =>
		finding("environment", "warning", `${name} is no absolute path, and so it is ignored.`, {
			hint: `Set ${name} to an absolute path, or unset it.`,
		}),
	);
}

function ownVariables({ BROOD_LOG = "", BROOD_AI_URL = "", ...others }: Environment): Finding[] {
	const findings: Finding[] = [];
	try {
		parseLogFilter(BROOD_LOG);
	} catch (error) {
		const hint = "It is written as in BROOD_LOG=warn,notes=debug.";
		findings.push(finding("environment", "warning", `BROOD_LOG cannot be used: ${messageOf(error)}`, { hint }));
	}
	if (BROOD_AI_URL !== "" && !/^https?:$/.test(URL.parse(BROOD_AI_URL)?.protocol ?? "")) {
		const message = "BROOD_AI_URL is no http or https URL, so every use of amp.ai fails.";
		findings.push(finding("environment", "problem", message, { hint: "Give the address of the server, or unset it." }));
	}
	const lonely = ["BROOD_AI_MODEL", "BROOD_AI_KEY"].filter((name) => others[name] && BROOD_AI_URL === "");
	if (lonely.length > 0) {
		const message = `${lonely.join(" and ")} ${lonely.length === 1 ? "does" : "do"} nothing without BROOD_AI_URL.`;
		findings.push(finding("environment", "note", message, { hint: "Set BROOD_AI_URL to the address of the server." }));
	}
	return findings;
}

/** Files of which people may think that they act on plugins. */
export function checkEnvironmentFiles(paths: string[], execArgv: readonly string[], cwd: string): Finding[] {
	if (paths.length === 0)
		return [finding("files", "ok", "No .env or bunfig.toml lies where people may think it acts.")];
	const message = `${paths.length === 1 ? "A file lies" : `${paths.length} files lie`} where no plugin gets anything from it.`;
	const actsHere = (path: string) => !execArgv.includes("--no-env-file") && path.startsWith(`${cwd}/.env`);
	const details = paths.map((path) => ({
		text: actsHere(path) ? `${path} (but this program has read it, and plugins inherit its variables)` : path,
		path,
	}));
	const hint = "Export the variables, or let the plugin read the file: Bun reads neither for a plugin.";
	return [finding("files", "note", message, { hint, details })];
}
