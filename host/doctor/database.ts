import { constants, Database } from "bun:sqlite";
import { pathToFileURL } from "node:url";
import { messageOf } from "../../runtime/errors.ts";

/** Says as a clause what is wrong with a database that nobody writes to now. Leaves no file beside it. */
export function checkFile(path: string): string | undefined {
	try {
		const address = `${pathToFileURL(path).href}?immutable=1`;
		using database = new Database(address, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI);
		const [row] = database.query<{ quick_check: string }, []>("PRAGMA quick_check(1)").all();
		return row?.quick_check === "ok" ? undefined : `it is damaged: ${row?.quick_check}`;
	} catch (error) {
		return `it is damaged: ${messageOf(error)}`;
	}
}
