import { failure } from "../../runtime/errors.ts";

/**
 * Milliseconds from the spawn of a bare Bun until the one byte that it writes is read: what no plugin that runs in a Bun
 * of its own can be faster than.
 *
 * @throws BroodError `internal` when no byte came
 */
export async function measureFloor(): Promise<number> {
	const start = performance.now();
	const child = Bun.spawn([process.execPath, ...flags, "-e", 'console.write("1")'], {
		cwd: "/",
		env: environment(),
		stdin: "ignore",
		stdout: "pipe",
		stderr: "pipe",
		// Ctrl-C is heard by this program alone, as with plugins.
		detached: true,
	});
	const { value } = await child.stdout.getReader().read();
	const ms = performance.now() - start;
	await child.exited;
	if (value !== undefined) return ms;
	const words = (await child.stderr.text()).trim();
	throw failure("internal", { reason: `bare Bun wrote nothing${words === "" ? "" : `: ${words}`}` });
}

// Files that happen to lie in the folder would act in it; plugins are kept from them likewise.
const flags = ["--no-env-file", "--config=/dev/null"];

/** That of plugins. */
function environment(): Record<string, string | undefined> {
	const kept = Object.entries(process.env).filter(([name]) => !/^BUN_(?:OPTIONS|BE_BUN|INSPECT.*)$/.test(name));
	return { ...Object.fromEntries(kept), ...(Bun.isStandaloneExecutable ? { BUN_BE_BUN: "1" } : {}) };
}
