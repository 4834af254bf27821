import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { platformSystem } from "../../../../host/providers/system.ts";
import { rejection } from "../../runtime/support.ts";
import { temporaryFolder } from "../temporary.ts";

const folder = temporaryFolder();
const { PATH } = process.env;
let controller = new AbortController();
const context = () => ({ plugin: "p", signal: controller.signal });

/** The only programs on the path are those that a test writes. */
beforeEach(() => {
	controller = new AbortController();
	process.env.PATH = folder.path();
});
afterEach(() => {
	process.env.PATH = PATH;
});

function program(name: string, script: string): void {
	const path = folder.file(name, `#!/bin/sh\n${script}\n`);
	chmodSync(path, 0o755);
}

test.each([
	["linux", "xdg-open"],
	["darwin", "open"],
])("a URL is given to the opener of %s as one argument, whatever it holds", async (platform, opener) => {
	program(opener, `printf '%s|' "$#" "$@" > "${folder.path()}/given"`);
	await platformSystem(platform).open("https://example.com/?a=b&c=$(x);'", context());
	expect(readFileSync(`${folder.path()}/given`, "utf8")).toBe("1|https://example.com/?a=b&c=$(x);'|");
});

test("without an opener the error says which one is missing, and the person can open the URL", async () => {
	process.env.PATH = `${folder.path()}/none`;
	const error = await rejection(platformSystem("linux").open("https://example.com/", context()));
	expect(error).toMatchObject({ code: "provider_missing" });
	expect(String(error)).toContain("xdg-open is not installed. Open it yourself: https://example.com/");
});

test("an opener that fails is told by its exit code", async () => {
	program("xdg-open", "exit 3");
	const error = await rejection(platformSystem("linux").open("https://example.com/", context()));
	expect(String(error)).toContain("xdg-open exited with code 3");
});

test("an opener that runs on is ended when nobody waits for it any more", async () => {
	program("xdg-open", `echo started > "${folder.path()}/started"; exec /bin/sleep 600`);
	const opening = rejection(platformSystem("linux").open("https://example.com/", context()));
	while (!existsSync(`${folder.path()}/started`)) await Bun.sleep(1);
	controller.abort();
	expect(await opening).toBeInstanceOf(Error);
});
