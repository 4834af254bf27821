import type { Database } from "bun:sqlite";
import { isBusy, waitForOthers } from "./file.ts";

export type Value = string | number | null | Uint8Array;

/** Rows of a database by SQL text; each text is prepared once. */
export class Rows {
	readonly #db: Database;
	#isPatient = true;

	constructor(db: Database) {
		this.#db = db;
	}

	one<Row>(sql: string, ...values: Value[]): Row | null {
		return this.#db.query<Row, Value[]>(sql).get(...values);
	}

	all<Row>(sql: string, ...values: Value[]): Row[] {
		return this.#db.query<Row, Value[]>(sql).all(...values);
	}

	/** @returns how many rows were changed */
	run(sql: string, ...values: Value[]): number {
		return this.#writing(() => this.#db.query<unknown, Value[]>(sql).run(...values).changes);
	}

	/** Does what must not meet what another connection does, and nothing of it where it throws. */
	exclusively<Result>(task: () => Result): Result {
		return this.#writing(() => this.#db.transaction(task).immediate());
	}

	close(): void {
		this.#db.close();
	}

	/** Others that hold the file are waited for once: while they hold on, each write would stop this program as long again. */
	#writing<Result>(task: () => Result): Result {
		try {
			const result = task();
			this.#setPatience(true);
			return result;
		} catch (error) {
			if (isBusy(error)) this.#setPatience(false);
			throw error;
		}
	}

	#setPatience(isPatient: boolean): void {
		if (isPatient === this.#isPatient) return;
		this.#isPatient = isPatient;
		waitForOthers(this.#db, isPatient);
	}
}
