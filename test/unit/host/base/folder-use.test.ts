import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { closeSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { claimFolder, shareFolder } from "../../../../host/base/folder-lock.ts";

let folder: string;
beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), "brood-folder-use-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function close(descriptor: number | "used" | undefined): void {
	if (typeof descriptor !== "number") throw new Error(`there is nothing to close: ${descriptor}`);
	closeSync(descriptor);
}

describe("a folder in use", () => {
	test("is shared by several, claimed by nobody, and free once the last has let go", async () => {
		const users = [await shareFolder(folder), await shareFolder(folder)];
		expect(await claimFolder(folder)).toBe("used");
		close(users[0]);
		expect(await claimFolder(folder)).toBe("used");
		close(users[1]);
		close(await claimFolder(folder));
	});

	test("is waited for while somebody only looks, and given up when it stays claimed", async () => {
		const claim = await claimFolder(folder);
		const waiting = shareFolder(folder);
		// It has tried, and waits.
		expect(await Promise.race([waiting, Bun.sleep(3).then(() => "waits")])).toBe("waits");
		close(claim);
		close(await waiting);
		const kept = await claimFolder(folder);
		expect(await shareFolder(folder)).toBeUndefined();
		close(kept);
	});

	test("is free again when the program that used it was killed", async () => {
		const module = JSON.stringify(join(import.meta.dir, "../../../../host/base/folder-lock.ts"));
		const source = `const { shareFolder } = await import(${module}); await shareFolder(${JSON.stringify(folder)});
			console.log("used"); setInterval(() => {}, 1_000);`;
		const user = Bun.spawn([process.execPath, "-e", source], { stdout: "pipe", stderr: "inherit" });
		await user.stdout.getReader().read();
		expect(await claimFolder(folder)).toBe("used");
		user.kill("SIGKILL");
		await user.exited;
		close(await claimFolder(folder));
	});

	test("that has gone is an error of the file system", async () => {
		await expect(shareFolder(join(folder, "gone"))).rejects.toThrow("ENOENT");
	});
});
