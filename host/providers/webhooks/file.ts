import { Database, SQLiteError } from "bun:sqlite";
import { closeSync, constants, fchmodSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { failure, messageOf } from "../../../runtime/errors.ts";
import { describeFileType } from "../../base/text-file.ts";

/**
 * Opens the file that webhooks and their events are kept in, and makes it where there is none. What is there and cannot
 * be used stays as it is.
 *
 * @throws BroodError `webhooks_unavailable`
 */
export function openWebhookFile(path: string): Database {
	try {
		makeFor(path);
	} catch (error) {
		if (error instanceof Foreign) throw unavailable(path, error.message, error.hint);
		throw unavailable(path, `cannot be written (${messageOf(error)})`, "Make its folder writable.");
	}
	let db: Database | undefined;
	try {
		db = new Database(path, { readwrite: true, create: false, strict: true });
		prepare(db);
		return db;
	} catch (error) {
		db?.close();
		if (error instanceof Foreign) throw unavailable(path, error.message, error.hint);
		throw unavailable(path, ...why(error));
	}
}

/** Tells what went wrong with the file, to a person. */
export function explainFileError(path: string, error: unknown): Error {
	return unavailable(path, ...why(error));
}

/** Whether to wait until others have written. They write a row at a time, so the wait is long; this program stands still in it. */
export function waitForOthers(db: Database, isPatient: boolean): void {
	db.run(`PRAGMA busy_timeout = ${isPatient ? 250 : 0}`);
}

/** Others hold it for the time of one small change. */
export function isBusy(error: unknown): boolean {
	return error instanceof SQLiteError && (error.code ?? "").startsWith("SQLITE_BUSY");
}

/**
 * Only this user may read it; what is made beside it while it is open has the same mode. What is no file is not opened,
 * since a FIFO would block, and keeps its mode: a device is everybody's.
 */
function makeFor(path: string): void {
	mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
	const facts = statSync(path, { throwIfNoEntry: false });
	if (facts !== undefined && !facts.isFile()) {
		throw new Foreign(`cannot be written (it is ${describeFileType(facts)})`, "Move it away, or choose another file.");
	}
	const { O_APPEND, O_CREAT, O_NONBLOCK, O_WRONLY } = constants;
	const file = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, 0o600);
	try {
		fchmodSync(file, 0o600);
	} finally {
		closeSync(file);
	}
}

class Foreign extends Error {
	readonly hint: string;

	constructor(message: string, hint: string) {
		super(message);
		this.hint = hint;
	}
}

function prepare(db: Database): void {
	waitForOthers(db, true);
	judge(db);
	db.run("PRAGMA journal_mode = WAL");
	// What a sender was told is on the disk.
	db.run("PRAGMA synchronous = FULL");
	db.run("PRAGMA journal_size_limit = 16777216");
	db.run("PRAGMA foreign_keys = ON");
	db.transaction(() => {
		if (judge(db) === "new") db.run(schema);
	}).immediate();
}

/** Whether it is empty, or holds webhooks in the form that this version writes. @throws Foreign otherwise */
function judge(db: Database): "new" | "known" {
	const of = (pragma: string) => Object.values(db.query<object, []>(`PRAGMA ${pragma}`).get() ?? {})[0];
	const tables = db.query<{ count: number }, []>("SELECT count(*) AS count FROM sqlite_schema").get()?.count ?? 0;
	if (tables === 0) return "new";
	if (of("application_id") !== applicationId) {
		throw new Foreign("is a database of another program", `Move it away, or choose another file.`);
	}
	if (of("user_version") === version) return "known";
	throw new Foreign("was written by another version of brood", "Use that version, or choose another file.");
}

function why(error: unknown): [reason: string, hint: string] {
	const code = error instanceof SQLiteError ? (error.code ?? "") : "";
	if (/^SQLITE_(?:NOTADB|CORRUPT)/.test(code)) {
		return ["is damaged, or no file of webhooks", "Move it away; webhooks get new URLs then."];
	}
	if (/^SQLITE_(?:CANTOPEN|READONLY|IOERR|FULL|PERM)/.test(code)) {
		return [`cannot be read and written (${messageOf(error)})`, "Look at its disk and its permissions."];
	}
	if (isBusy(error)) return ["is held by another program", "Try again."];
	return [`cannot be used (${messageOf(error)})`, "Move it away; webhooks get new URLs then."];
}

function unavailable(path: string, reason: string, hint: string): Error {
	return failure("webhooks_unavailable", { reason: `their file ${path} ${reason}`, hint });
}

// "brdw"
const applicationId = 0x62726477;
const version = 1;

// The hash of its path names a webhook: two keys that differ in half a pair of surrogates are one text to SQLite.
// The body is last, since what stands behind a long one takes as long to read.
const schema = `
PRAGMA application_id = ${applicationId};
PRAGMA user_version = ${version};
CREATE TABLE meta (name TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID;
INSERT INTO meta VALUES ('master', randomblob(32));
CREATE TABLE webhook (
	id INTEGER PRIMARY KEY,
	workspace TEXT NOT NULL,
	plugin TEXT NOT NULL,
	key TEXT NOT NULL,
	path_hash BLOB NOT NULL UNIQUE,
	headers TEXT NOT NULL,
	full_at REAL NOT NULL DEFAULT 0,
	opened_at REAL NOT NULL
) STRICT;
CREATE TABLE event (
	seq INTEGER PRIMARY KEY AUTOINCREMENT,
	id TEXT NOT NULL UNIQUE,
	webhook INTEGER NOT NULL REFERENCES webhook (id),
	state TEXT NOT NULL DEFAULT 'pending',
	idempotency_key TEXT,
	received_at REAL NOT NULL,
	due_at REAL NOT NULL,
	headers TEXT NOT NULL,
	failures INTEGER NOT NULL DEFAULT 0,
	crashes INTEGER NOT NULL DEFAULT 0,
	failing_since REAL,
	lease TEXT,
	body BLOB
) STRICT;
CREATE INDEX event_due ON event (webhook, state, due_at);
CREATE INDEX event_order ON event (webhook, state, seq, due_at);
CREATE INDEX event_held ON event (webhook) WHERE lease IS NOT NULL;
CREATE INDEX event_age ON event (received_at);
CREATE UNIQUE INDEX event_idempotency ON event (webhook, idempotency_key) WHERE idempotency_key IS NOT NULL;
`;
