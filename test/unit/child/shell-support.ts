import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createShell } from "../../../child/api/shell.ts";
import type { ShellResult } from "../../../child/types/common.ts";

export interface Folder extends Disposable {
	path: string;
	$: ReturnType<typeof createShell>;
	/** Runs text that holds no value. */
	run(command: string): Promise<ShellResult>;
}

/** A folder of its own, with a shell in it; it is removed at the end. */
export function shellFolder(): Folder {
	const path = mkdtempSync(join(tmpdir(), "brood-shell-"));
	const $ = createShell(path);
	return {
		path,
		$,
		run: (command) => $(literal(command)),
		[Symbol.dispose]: () => rmSync(path, { recursive: true }),
	};
}

function literal(command: string): TemplateStringsArray {
	return Object.assign([command], { raw: [command] });
}
