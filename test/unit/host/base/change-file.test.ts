import { describe, expect, test } from "bun:test";
import {
	chmodSync,
	existsSync,
	linkSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { changeFile } from "../../../../host/base/change-file.ts";
import { lockFolder } from "../../../../host/base/folder-lock.ts";
import { rejection } from "../../runtime/support.ts";
import { temporaryFolder } from "../temporary.ts";

const disk = temporaryFolder();
const change = (name: string, edit: (text: string | undefined) => string | undefined) =>
	changeFile(disk.path(name), 1_000, edit);

describe("a change of a file", () => {
	test("runs again on what somebody without a lock wrote meanwhile", async () => {
		const path = disk.file("a.json", "1");
		const seen: (string | undefined)[] = [];
		await change("a.json", (text) => {
			seen.push(text);
			// An editor saves while the change is being made.
			if (seen.length === 1) writeFileSync(path, "2");
			return `${text} changed`;
		});
		expect(seen).toEqual(["1", "2"]);
		expect(readFileSync(path, "utf8")).toBe("2 changed");
	});

	test("puts another file in its place, and writes nothing into the old one, which a reader may have open", async () => {
		const path = disk.file("a.json", "old");
		linkSync(path, disk.path("same.json"));
		await change("a.json", () => "new");
		expect(readFileSync(path, "utf8")).toBe("new");
		expect(readFileSync(disk.path("same.json"), "utf8")).toBe("old");
	});

	test("that changes nothing, or throws, or is refused, leaves the file and nothing beside it", async () => {
		const path = disk.file("w/a.json", "1");
		await change("w/a.json", () => undefined);
		await change("w/a.json", (text) => text);
		const thrown = await rejection(
			change("w/a.json", () => {
				throw new Error("no");
			}),
		);
		expect(String(thrown)).toContain("no");
		expect(readFileSync(path, "utf8")).toBe("1");
		expect(readdirSync(disk.path("w"))).toEqual(["a.json"]);
		disk.file("w/large.json", "x".repeat(1_001));
		expect(String(await rejection(change("w/large.json", () => "2")))).toContain("larger than 1000 bytes");
		writeFileSync(disk.path("w/latin.json"), new Uint8Array([0x22, 0xe9, 0x22]));
		expect(String(await rejection(change("w/latin.json", () => "2")))).toContain("not UTF-8");
		expect([...readFileSync(disk.path("w/latin.json"))]).toEqual([0x22, 0xe9, 0x22]);
	});

	test("makes the file that a link leads to, and refuses links that lead in a circle", async () => {
		disk.file("w/x", "");
		symlinkSync("../elsewhere/a.json", disk.path("w/a.json"));
		await change("w/a.json", (text) => `${text}`);
		expect(readFileSync(disk.path("elsewhere/a.json"), "utf8")).toBe("undefined");
		expect(readlinkSync(disk.path("w/a.json"))).toBe("../elsewhere/a.json");
		symlinkSync("circle", disk.path("w/circle"));
		expect(await rejection(change("w/circle", () => "2"))).toBeInstanceOf(Error);
	});

	test("removes what a killed writer of the same file left, and no other file", async () => {
		disk.file("w/a.json", "1");
		disk.file("w/.a.json.new-0190", "half");
		disk.file("w/.a.json.mine", "kept");
		await change("w/a.json", () => "2");
		expect(readdirSync(disk.path("w")).sort()).toEqual([".a.json.mine", "a.json"]);
	});

	test("of a file that its user made read-only, or in such a folder, is refused", async () => {
		const file = disk.file("w/a.json", "1");
		const other = disk.file("locked/a.json", "1");
		chmodSync(disk.path(), 0o755);
		chmodSync(disk.path("w"), 0o777);
		chmodSync(file, 0o444);
		chmodSync(disk.path("locked"), 0o555);
		chmodSync(other, 0o666);
		const module = JSON.stringify(new URL("../../../../host/base/change-file.ts", import.meta.url).pathname);
		// The superuser may write everywhere, so that it has to become somebody else first.
		const source = `const { changeFile } = await import(${module});
			if (process.getuid() === 0) process.setuid(65534);
			for (const path of ${JSON.stringify([file, other])}) await changeFile(path, 1_000, () => "2").catch(({ code }) => console.log(code));`;
		const writer = Bun.spawn([process.execPath, "-e", source], { stdout: "pipe", stderr: "inherit" });
		expect(await writer.stdout.text()).toBe("EACCES\nEACCES\n");
		expect([readFileSync(file, "utf8"), readFileSync(other, "utf8")]).toEqual(["1", "1"]);
		expect([readdirSync(disk.path("w")), readdirSync(disk.path("locked"))]).toEqual([["a.json"], ["a.json"]]);
		chmodSync(disk.path("locked"), 0o755);
	});
});

describe("the lock of a folder", () => {
	test("is had by one at a time, waited for so long, and ends with the process that holds it", async () => {
		disk.file("w/a.json", "1");
		const folder = disk.path("w");
		const unlock = await lockFolder(folder);
		expect(await rejection(lockFolder(folder, 30))).toMatchObject({ code: "timeout" });
		const next = lockFolder(folder);
		await unlock();
		await (await next)();
		const module = JSON.stringify(new URL("../../../../host/base/folder-lock.ts", import.meta.url).pathname);
		const source = `const { lockFolder } = await import(${module}); globalThis.held = await lockFolder(${JSON.stringify(folder)});
			console.log("held"); setInterval(() => {}, 1_000);`;
		const holder = Bun.spawn([process.execPath, "-e", source], { stdout: "pipe", stderr: "inherit" });
		await holder.stdout.getReader().read();
		expect(await rejection(lockFolder(folder, 30))).toMatchObject({ code: "timeout" });
		holder.kill("SIGKILL");
		await (await lockFolder(folder))();
		await holder.exited;
		expect(existsSync(disk.path("w/a.json"))).toBe(true);
	});
});
