import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createWatcher, type Watcher, type WatcherParts } from "../../../host/reload/watcher.ts";
import { limits } from "../../../runtime/limits.ts";
import { deep, tally } from "../../support/effort.ts";
import { linkStyles, type Save, styles } from "./styles.ts";

const times = deep ? 200 : 3;
/** A save that nobody has heard of by then was missed. */
const missedMs = 3_000;

setDefaultTimeout(deep ? 10 * 60_000 : 30_000);
let root = "";
let watcher: Watcher;
/** What hears of each change. */
let hear: () => void = () => {};
let hearPath: (path: string) => void = () => {};

beforeEach(() => {
	root = realpathSync(mkdtempSync(join(tmpdir(), "brood-watcher-")));
});
afterEach(async () => {
	await watcher.close();
	[hear, hearPath] = [() => {}, () => {}];
	rmSync(root, { recursive: true, force: true });
});

function open(parts: Pick<WatcherParts, "changed" | "moved"> & { places?: string[] }): Promise<void> {
	const slowed = (reason: string) => expect(reason).toBe("");
	watcher = createWatcher({ places: [], named: [], slowed, ...parts });
	return watcher.ready();
}

async function follow(files: string[]): Promise<void> {
	const { promise, resolve } = Promise.withResolvers<void>();
	await open({
		changed: (path) => {
			if (files.includes(path)) hear();
			hearPath(path);
			if (path === files[0]) resolve();
		},
		moved: () => {},
	});
	watcher.watch("one", files);
	// From the first change on that is heard, all are.
	for (let isHeard = false; !isHeard; ) {
		writeFileSync(files[0] ?? "", String(Math.random()));
		isHeard = await Promise.race([promise.then(() => true), pause(100, false)]);
	}
	await pause(limits.reload.settleMs);
}

/** Saves once; whether somebody who reads the file when a change has settled, and once more later, reads this text. */
async function isHeard(save: Save, file: string, text: string): Promise<boolean> {
	const { promise, resolve } = Promise.withResolvers<boolean>();
	const look = () => {
		if (textOf(file) === text) resolve(true);
	};
	hear = () => {
		for (const ms of [limits.reload.settleMs, limits.reload.checkMs]) setTimeout(look, ms);
	};
	await save(file, text);
	return Promise.race([promise, pause(missedMs, false)]);
}

function textOf(file: string): string | undefined {
	try {
		return readFileSync(file, "utf8");
	} catch {
		// It is away for the moment.
		return undefined;
	}
}

/** Which of so many saves in a row are missed; they follow each other at once, or after up to 39 milliseconds. */
async function missedOf(save: Save, fileOf: (at: number) => string): Promise<number[]> {
	const missed: number[] = [];
	for (let at = 1; at <= times; at += 1) {
		if (!(await isHeard(save, fileOf(at), `save ${at}\n`))) missed.push(at);
		await pause((at * 7) % 40);
	}
	return missed;
}

describe("no save of a file is missed that is", () => {
	test.each(Object.entries(styles))("%s", async (style, save) => {
		const file = join(root, "plugin/file.ts");
		mkdirSync(dirname(file));
		writeFileSync(file, "");
		await follow([file]);
		expect(await missedOf(save, () => file)).toEqual([]);
		tally(`saves of a file ${style}`, times, "none missed");
	});
});

describe("no save of what a link leads to is missed that is", () => {
	test.each(Object.entries(linkStyles))("%s", async (style, save) => {
		const [link, target, next] = ["plugin/link.ts", "else/target.ts", "else/next-target.ts"].map((path) =>
			join(root, path),
		) as [string, string, string];
		for (const path of [link, target]) mkdirSync(dirname(path));
		writeFileSync(target, "");
		symlinkSync(target, link);
		await follow([link, target, next]);
		expect(await missedOf(save, () => link)).toEqual([]);
		tally(`saves behind a link ${style}`, times, "none missed");
	});
});

describe("no entry of a place is missed that is", () => {
	const made = (edits: number): Save => {
		return async (file, text) => {
			mkdirSync(dirname(file), { recursive: true });
			for (let left = edits; left > 0; left -= 1) {
				writeFileSync(file, `${text}// ${left}`);
				await pause(left % 7);
			}
			writeFileSync(file, text);
		};
	};

	test.each([
		["a file", made(0), (at: number) => `new-${at}.ts`],
		["a file that is edited at once", made(5), (at: number) => `new-${at}.ts`],
		["a file in a new folder", made(0), (at: number) => `new-${at}/index.ts`],
		["a file in a new folder that is edited at once", made(5), (at: number) => `new-${at}/index.ts`],
	])("%s", async (style, save, name) => {
		await open({ places: [root], changed: () => hear(), moved: () => hear() });
		expect(await missedOf(save, (at) => join(root, name(at)))).toEqual([]);
		tally(`new entries of a place, ${style}`, times, "none missed");
	});
});

describe("of files that are saved at the same moment none is missed", () => {
	test.each([
		["two in one folder", 2, () => "folder"],
		["two hundred in ten folders, as by a change of branches", 200, (at: number) => `folder-${at % 10}`],
	])("%s", async (style, count, folder) => {
		const files = Array.from({ length: count }, (_, at) => join(root, folder(at), `file-${at}.ts`));
		for (const file of files) {
			mkdirSync(dirname(file), { recursive: true });
			writeFileSync(file, "");
		}
		await follow(files);
		const missed: string[] = [];
		for (let at = 1; at <= times; at += 1) {
			const left = new Set(files);
			const { promise, resolve } = Promise.withResolvers<void>();
			hearPath = (path) => {
				left.delete(path);
				if (left.size === 0) resolve();
			};
			for (const file of files) writeFileSync(file, `save ${at}\n`);
			await Promise.race([promise, pause(missedMs)]);
			missed.push(...left);
			await pause((at * 7) % 40);
		}
		expect(missed).toEqual([]);
		tally(`saves of files at the same moment, ${style}`, times * count, "none missed");
	});
});
