import { join } from "node:path";

/** The program of a peer's child. */
export function childFile(name: string): string {
	return join(import.meta.dir, "../children", name);
}
