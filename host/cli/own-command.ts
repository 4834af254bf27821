import { delimiter } from "node:path";

/** What a person types for this brood, in any folder that finds it. */
export function ownCommand(): string {
	if (Bun.which("brood", { PATH: shellPath(process.env.PATH ?? "") }) !== null) return "brood";
	return Bun.isStandaloneExecutable ? asWord(process.execPath) : "bunx brood";
}

/** A text as a shell takes it for one word. */
export function asWord(text: string): string {
	return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The PATH without what bunx, npx and the scripts of a package put before it while they run a command. */
function shellPath(path: string): string {
	const folders = path.split(delimiter);
	return folders.filter((folder) => !/[/\\]node_modules[/\\]\.bin[/\\]?$/.test(folder)).join(delimiter);
}
