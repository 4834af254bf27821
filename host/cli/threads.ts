import { BroodError, failure, isBroodError } from "../../runtime/errors.ts";
import type { Json } from "../../runtime/records.ts";
import { describeFileError } from "../base/text-file.ts";
import { createThreads, type NewMessage, type ThreadAction, type ThreadStore } from "../providers/threads.ts";
import { parseJSON, type Stdin } from "./arguments.ts";
import type { Output } from "./output.ts";
import { forScreen, shownName } from "./screen-text.ts";

/** The options by which a command says what threads there are. */
export interface ThreadChoice {
	/** A JSON file of threads; `-` stands for stdin. */
	threads?: string;
	/** The id of the active one. */
	thread?: string;
}

/**
 * The threads of a file, if there is one, and the one that is active. Without a file the active one is made, empty.
 *
 * @throws BroodError `usage` that says what is wrong in the file
 */
export async function chooseThreads({ threads: path, thread }: ThreadChoice, stdin: Stdin): Promise<ThreadStore> {
	const store = createThreads();
	const inFile = path === undefined ? undefined : await fill(store, path, stdin);
	const active = thread ?? inFile;
	if (active === undefined || active === null) return store;
	if (path === undefined) store.create({ id: active });
	if (store.get(active) === undefined) {
		const ids = store.list().map(({ id }) => id);
		const hint = ids.length === 0 ? "It holds none." : `It holds ${ids.join(", ")}.`;
		throw failure("usage", { reason: `There is no thread "${active}" in ${path}`, hint });
	}
	store.setActive(active);
	return store;
}

/** What plugins did to threads, for the record of a command; nothing when they did nothing. */
export function threadRecord({ actions }: ThreadStore): { threads?: readonly ThreadAction[] } {
	return actions.length === 0 ? {} : { threads: actions };
}

/** Tells a person what plugins did to threads. */
export function noteThreads({ actions }: ThreadStore, output: Output): void {
	if (output.json) return;
	for (const action of actions) {
		const { plugin, threadID } = action;
		output.note(`Plugin ${shownName(plugin)}, thread ${forScreen(threadID, 1)}: ${describe(action)}`);
	}
}

function describe(action: ThreadAction): string {
	switch (action.type) {
		case "user-message":
			return `${action.steer ? "steered by" : "added"} the message ${JSON.stringify(action.content)}`;
		case "cancel":
			return "cancelled it";
		case "visibility":
			return `made it visible to ${action.visibility === "private" ? "nobody else" : "the workspace"}`;
		case "multiplayer":
			return action.ttlSeconds === null ? "let nobody join any more" : `let others join for ${action.ttlSeconds} s`;
	}
}

/** @returns the id of the active thread, where the file names one */
async function fill(store: ThreadStore, path: string, stdin: Stdin): Promise<string | null | undefined> {
	const what = `--threads ${path}`;
	const value = parseJSON(await readText(path, stdin), what);
	const { threads, active } = await parse(value, what);
	for (const { messages, ...thread } of threads) {
		try {
			// Each message was checked as one of its role, which the compiler does not follow through the array.
			store.create({ ...thread, ...(messages === undefined ? {} : { messages: messages as NewMessage[] }) });
		} catch (error) {
			if (!isBroodError(error, "usage")) throw error;
			throw new BroodError("usage", `${what} cannot be used: ${error.message}`, { cause: error });
		}
	}
	return active;
}

async function parse(value: Json, what: string) {
	const { threadFile } = await import("../../runtime/schema/threads.ts");
	const result = threadFile.safeParse(Array.isArray(value) ? { threads: value } : value);
	if (result.success) return result.data;
	const issues = result.error.issues.slice(0, 5).map(({ path, message }) => `${path.join(".") || "it"}: ${message}`);
	const hint = 'A file of threads is like [{"id": "T-1", "messages": [{"role": "user", "content": "hello"}]}].';
	throw failure("usage", { reason: `${what} cannot be used: ${issues.join("; ")}`, hint });
}

function readText(path: string, stdin: Stdin): Promise<string> {
	if (path === "-") return stdin.read("the threads");
	return Bun.file(path)
		.text()
		.catch((error: unknown) => {
			throw failure("usage", { reason: `--threads ${path} cannot be read: ${describeFileError(error)}` });
		});
}
