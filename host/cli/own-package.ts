import { realpathSync } from "node:fs";
import { resolve } from "node:path";

/** The folder of the package that this program runs from; undefined for a compiled one, which has none. */
export function ownPackage(): string | undefined {
	return Bun.isStandaloneExecutable ? undefined : realpathSync(resolve(import.meta.dir, "../.."));
}
