import { expect, test } from "bun:test";
import { confine, isInside } from "../../../host/base/confine.ts";
import { temporaryFolder } from "./temporary.ts";

const disk = temporaryFolder();

test("a path inside of the folder gives its real path", async () => {
	const file = disk.file("p/a/b.txt");
	expect(await confine(disk.path("p"), "a/b.txt")).toBe(file);
	expect(await confine(disk.path("p"), ".")).toBe(disk.path("p"));
	expect(await confine("/", file.slice(1))).toBe(file);
});

test("links are followed as long as they stay inside, also when the folder itself is a link", async () => {
	const file = disk.file("p/real.txt");
	disk.link("p/alias.txt", "real.txt");
	disk.link("q", "p");
	expect(await confine(disk.path("p"), "alias.txt")).toBe(file);
	expect(await confine(disk.path("q"), "alias.txt")).toBe(file);
});

test.each([
	["", "empty"],
	["/etc", "absolute"],
	["../outside", ".."],
	["a/../../outside", ".."],
	["a/..", ".."],
	["a\\..\\b", "backslash"],
	["a\0b", "null character"],
])("%j is refused before the disk is asked", async (path, reason) => {
	await expect(confine("/does/not/exist", path)).rejects.toThrow(reason);
});

test("names that merely begin with two dots are allowed", async () => {
	const file = disk.file("p/..a/...");
	expect(await confine(disk.path("p"), "..a/...")).toBe(file);
});

test("a link that leads out is refused, even to a folder whose name begins the same", async () => {
	disk.file("p-secret/x");
	disk.link("p/out", "../p-secret");
	disk.link("p/up", "..");
	await expect(confine(disk.path("p"), "out")).rejects.toThrow("a link leads out of");
	await expect(confine(disk.path("p"), "out/x")).rejects.toThrow("a link leads out of");
	await expect(confine(disk.path("p"), "up")).rejects.toThrow("a link leads out of");
});

test("what does not exist or goes in a circle is refused with the reason", async () => {
	disk.link("p/loop", "loop");
	await expect(confine(disk.path("p"), "gone")).rejects.toThrow("it does not exist");
	await expect(confine(disk.path("p"), "loop")).rejects.toThrow("its links form a loop");
	await expect(confine(disk.path("none"), "a")).rejects.toThrow(`${disk.path("none")}: it does not exist`);
});

test("inside means below, separator included", () => {
	expect(isInside("/a", "/a/b")).toBe(true);
	expect(isInside("/a", "/a")).toBe(true);
	expect(isInside("/a", "/ab")).toBe(false);
	expect(isInside("/", "/ab")).toBe(true);
});
