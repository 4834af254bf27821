import { afterEach, beforeEach, expect, setDefaultTimeout } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type {
	PluginProblem,
	ValidatedPlugin,
	ValidateOptions,
	ValidationReport,
} from "../../../host/validate/types.ts";
import { validatePlugins } from "../../../host/validate/validate.ts";
import { groupEnds } from "../support/processes.ts";

/** A plugin by its file name, or the files of a folder, and all that is wrong with it, one line a problem. */
export interface BrokenPlugin {
	name: string;
	/** What is examined, relative to the folder of the case; `NAME.ts` when absent. */
	path?: string;
	files: Record<string, string>;
	problems: string[];
	/** What the hint of each problem must hold, in the same order. */
	hints?: string[];
}

/** Must be called at the top of a test file: a home and a workspace for each test, of which nothing may be left. */
export function createWorkshop() {
	setDefaultTimeout(30_000);
	const names = ["TMPDIR", "XDG_CONFIG_HOME", "BROOD_AI_URL"] as const;
	const kept = Object.fromEntries(names.map((name) => [name, process.env[name]]));
	const groups = new Set<number>();
	let root = "";
	beforeEach(() => {
		root = realpathSync(mkdtempSync(join(tmpdir(), "brood-validate-")));
		for (const folder of ["work/.git", "config", "temporary", "shared"])
			mkdirSync(join(root, folder), { recursive: true });
		Object.assign(process.env, { TMPDIR: join(root, "temporary"), XDG_CONFIG_HOME: join(root, "config") });
		delete process.env.BROOD_AI_URL;
	});
	afterEach(async () => {
		const left = [...readdirSync(join(root, "temporary")), ...readdirSync(join(root, "config"))];
		for (const [name, value] of Object.entries(kept)) {
			if (value === undefined) delete process.env[name];
			else process.env[name] = value;
		}
		const survivors = await Promise.all([...groups].map(async (group) => ((await groupEnds(group)) ? [] : [group])));
		groups.clear();
		rmSync(root, { recursive: true, force: true });
		expect({ left, survivors: survivors.flat() }).toEqual({ left: [], survivors: [] });
	});

	const path = (...parts: string[]) => join(root, "work", ...parts);
	return {
		/** A path in the workspace. */
		path,
		/** A path that plugins and tests share, outside of the workspace. */
		shared: (name: string) => join(root, "shared", name),
		/** A process group that must have ended after the test. */
		watch: (group: number) => groups.add(group),
		write(files: Record<string, string>): void {
			for (const [name, text] of Object.entries(files)) {
				mkdirSync(dirname(path(name)), { recursive: true });
				writeFileSync(path(name), text);
			}
		},
		/** Examines paths of the workspace. */
		validate(paths: string[], options: ValidateOptions = {}): Promise<ValidationReport> {
			return validatePlugins(
				paths.map((name) => path(name)),
				{ cwd: path(), ...options },
			);
		},
		/** The problems as lines, with paths relative to a folder of the workspace. */
		lines: ({ problems }: Pick<ValidatedPlugin, "problems">, base = ".") =>
			problems.map((problem) => describe(problem, `${path(base)}/`)),
	};
}

function describe({ severity, code, stage, file, line, column, message }: PluginProblem, folder: string): string {
	const place = [file, line, column].filter((part) => part !== undefined).join(":");
	return [severity, code, stage, place === "" ? "-" : place, message].join(" ").replaceAll(folder, "");
}
