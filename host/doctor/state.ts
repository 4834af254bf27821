import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { isBroodError, messageOf } from "../../runtime/errors.ts";
import { findStateHome } from "../base/paths.ts";
import { describeFileError, isMissing } from "../base/text-file.ts";
import { fileEnablement } from "../providers/enablement-file.ts";
import { type Finding, finding, orElse } from "./finding.ts";

type Environment = Record<string, string | undefined>;

/** What brood keeps for later runs and cannot be read any more. */
export async function checkState(environment: Environment): Promise<Finding[]> {
	const home = findStateHome(environment);
	if (home === null) return [finding("state", "ok", "Nothing is kept between runs: there is no folder for it.")];
	const folder = join(home, "brood");
	const broken = await checkEnablement(home);
	const names = await readdir(folder).catch((error: unknown) => {
		if (!isMissing(error)) broken.push(finding("state", "problem", `${folder}: ${describeFileError(error)}.`));
		return [];
	});
	const databases = names.filter((name) => /\.(?:sqlite|db)$/.test(name)).sort();
	const damaged = await Promise.all(databases.map((name) => checkDatabase(join(folder, name))));
	const findings = [...broken, ...damaged.flat()];
	return orElse(findings, "state", "What is kept between runs can be read.");
}

async function checkEnablement(home: string): Promise<Finding[]> {
	const { list, path } = fileEnablement(home);
	try {
		await list();
		return [];
	} catch (error) {
		const { message, hint } = isBroodError(error) ? error.toJSON() : { message: messageOf(error), hint: undefined };
		const [place] = isBroodError(error) ? (error.positions ?? []) : [];
		const at = place === undefined ? {} : { line: place.line, column: place.column };
		const text = place === undefined ? path : `${path}:${place.line}:${place.column}`;
		const details = path === null || text === null ? [] : [{ text, path, ...at }];
		return [finding("state", "problem", message, { details, ...(hint === undefined ? {} : { hint }) })];
	}
}

/** Looks at a database without changing anything, not even beside it. */
async function checkDatabase(path: string): Promise<Finding[]> {
	const reason = await whyDamaged(path);
	if (reason === undefined) return [];
	const hint = "Stop all hosts and move it away; a new one is made when it is needed, without what was in it.";
	return [finding("state", "problem", `${path} cannot be used: ${reason}.`, { hint, details: [{ text: path, path }] })];
}

async function whyDamaged(path: string): Promise<string | undefined> {
	try {
		const facts = await stat(path);
		if (!facts.isFile()) return "it is no file";
		if (facts.size === 0) return undefined;
		const magic = await Bun.file(path).slice(0, 16).text();
		if (magic !== "SQLite format 3\0") return "it is no SQLite database";
		// With a journal beside it somebody may be writing, and a look at the file alone would see half of it.
		const busy = await Promise.all(["-wal", "-journal"].map((end) => Bun.file(path + end).exists()));
		if (busy.includes(true)) return undefined;
		const { checkFile } = await import("./database.ts");
		return checkFile(path);
	} catch (error) {
		return isMissing(error) ? undefined : describeFileError(error);
	}
}
