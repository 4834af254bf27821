import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeFolder } from "../../../../host/cli/commands/new-folder.ts";
import { interruption } from "../../../../host/cli/failure.ts";

let parent: string;
beforeEach(() => {
	parent = mkdtempSync(join(tmpdir(), "brood-new-"));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

const never = new AbortController().signal;

async function write(draft: string): Promise<void> {
	await Bun.write(join(draft, "file"), "text");
}

test("a folder is seen under its name once it is whole", async () => {
	const path = join(parent, "hello");
	let seen: string[] = [];
	await makeFolder(
		path,
		async (draft) => {
			await write(draft);
			seen = readdirSync(parent);
		},
		never,
	);
	expect(seen).toHaveLength(1);
	expect(seen[0]).toStartWith(".hello-");
	expect(readdirSync(parent)).toEqual(["hello"]);
	expect(readFileSync(join(path, "file"), "utf8")).toBe("text");
});

test("nothing is left of a folder that cannot be filled, and the reason is told", async () => {
	const full = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
	const made = makeFolder(
		join(parent, "hello"),
		async (draft) => {
			await write(draft);
			throw full;
		},
		never,
	);
	await expect(made).rejects.toMatchObject({
		code: "usage",
		message: `${join(parent, "hello")} cannot be made: no space left on device.`,
		cause: full,
	});
	expect(readdirSync(parent)).toEqual([]);
});

test.each([
	["a file", (path: string) => writeFileSync(path, "mine")],
	["an empty folder, which a rename would replace,", (path: string) => mkdirSync(path)],
])("%s that is put there meanwhile stays", async (_, put) => {
	const path = join(parent, "hello");
	const made = makeFolder(
		path,
		async (draft) => {
			await write(draft);
			put(path);
		},
		never,
	);
	await expect(made).rejects.toMatchObject({ code: "usage", message: expect.stringContaining("is in the way") });
	expect(readdirSync(parent)).toEqual(["hello"]);
	expect(readdirSync(parent, { recursive: true })).toEqual(["hello"]);
});

test("a signal leaves nothing", async () => {
	const abort = new AbortController();
	const made = makeFolder(
		join(parent, "hello"),
		async (draft) => {
			await write(draft);
			abort.abort(interruption("SIGINT"));
		},
		abort.signal,
	);
	await expect(made).rejects.toMatchObject({ code: "cancelled" });
	expect(readdirSync(parent)).toEqual([]);
});
