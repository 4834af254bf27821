import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readTextFileNow } from "../../../../host/base/text-file.ts";

const folder = mkdtempSync(join(tmpdir(), "brood-text-"));
const path = join(folder, "file.txt");
afterAll(() => rmSync(folder, { recursive: true }));

test("a file is read to its end, or to the bound, and it is told when it goes on", () => {
	const read = (text: string) => {
		writeFileSync(path, text);
		return readTextFileNow(path, 4);
	};
	expect(read("")).toEqual({ text: "", cut: false });
	expect(read("abc")).toEqual({ text: "abc", cut: false });
	expect(read("abcd")).toEqual({ text: "abcd", cut: false });
	expect(read("abcde")).toEqual({ text: "abcd", cut: true });
});

test.skipIf(process.platform !== "linux")("a file whose system does not tell its size is read as well", () => {
	const { text, cut } = readTextFileNow("/proc/self/status", 64 * 1024);
	expect(text).toContain(`\nPid:\t${process.pid}\n`);
	expect(text).toEndWith("\n");
	expect(cut).toBe(false);
	expect(readTextFileNow("/proc/self/status", 10)).toEqual({ text: text.slice(0, 10), cut: true });
});
