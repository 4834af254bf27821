import { afterEach, describe, expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { createDesk, main } from "../cli/support.ts";

const desk = createDesk();

interface Listed {
	plugins: { name: string; state: string }[];
	skipped: { path: string; reason: string }[];
}

/** What `list --json` says of a workspace with one plugin, and what a plugin of the user would add. */
async function listWith(env: Record<string, string | undefined>, command?: string[]): Promise<Listed> {
	await desk.write({ ".amp/plugins/mine.ts": "export default () => {};" });
	const known = Object.entries({ ...desk.environment(), ...env }).filter((entry) => entry[1] !== undefined);
	// What is left out of the environment must not come from the desk either.
	const assignments = known.map(([name, value]) => `${name}=${value}`);
	const { exitCode, stdout, stderr } = await desk.run([], {
		command: ["env", "-i", ...assignments, ...(command ?? []), process.execPath, main, "list", "--json"],
	});
	expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
	return JSON.parse(stdout);
}

test.each([
	["unset", undefined, "HOME is not set"],
	["empty", "", "HOME is not set"],
	["a relative path", "home", "HOME is not an absolute path"],
])("with HOME %s the project's plugins load, and what is left out is said", async (_, HOME, reason) => {
	const { plugins, skipped } = await listWith({ HOME, XDG_CONFIG_HOME: undefined });
	expect(plugins).toMatchObject([{ name: "mine", state: "ready" }]);
	expect(skipped).toEqual([{ path: "~/.config", reason: expect.stringContaining(reason) }]);
});

test("with a HOME that does not exist the project's plugins load, and nothing is said: nothing is there", async () => {
	const { plugins, skipped } = await listWith({ HOME: desk.home("gone"), XDG_CONFIG_HOME: undefined });
	expect(plugins).toMatchObject([{ name: "mine", state: "ready" }]);
	expect(skipped).toEqual([]);
});

test("with a HOME that is a file the project's plugins load, and the user's places are named", async () => {
	await Bun.write(desk.home("file"), "");
	const { plugins, skipped } = await listWith({ HOME: desk.home("file"), XDG_CONFIG_HOME: undefined });
	expect(plugins).toMatchObject([{ name: "mine", state: "ready" }]);
	expect(skipped).toEqual(
		["brood", "amp"].map((folder) => ({
			path: desk.home("file/.config", folder, "plugins"),
			reason: expect.stringContaining("not a directory"),
		})),
	);
});

// Nothing is unreadable for root, unless it gives up the right to pass over permissions.
const rights = "-dac_override,-dac_read_search";
const asAnybody = process.getuid?.() === 0 ? ["setpriv", `--bounding-set=${rights}`, `--inh-caps=${rights}`] : [];
const canBeRefused =
	asAnybody.length === 0 || (Bun.which("setpriv") !== null && Bun.spawnSync([...asAnybody, "true"]).exitCode === 0);

describe.skipIf(!canBeRefused)("without the permission to read", () => {
	const reason = expect.stringContaining("permission to read it is denied");
	const locked: string[] = [];
	const lock = (path: string) => {
		chmodSync(path, 0);
		locked.push(path);
	};
	afterEach(() => {
		for (const path of locked.splice(0)) chmodSync(path, 0o755);
	});

	test("HOME, the project's plugins load, and the user's places are named", async () => {
		await Bun.write(desk.home("locked/.config/amp/plugins/theirs.ts"), "export default () => {};");
		lock(desk.home("locked"));
		const { plugins, skipped } = await listWith({ HOME: desk.home("locked"), XDG_CONFIG_HOME: undefined }, asAnybody);
		expect(plugins).toMatchObject([{ name: "mine", state: "ready" }]);
		const places = ["brood", "amp"].map((folder) => desk.home("locked/.config", folder, "plugins"));
		expect(skipped).toEqual(places.map((path) => ({ path, reason })));
	});

	test("one plugin place, one plugin's folder and one file, the others load, and each of these is named", async () => {
		await desk.write({
			".brood/plugins/hidden.ts": "export default () => {};",
			".amp/plugins/folder/index.ts": "export default () => {};",
			".amp/plugins/secret.ts": "export default () => {};",
		});
		for (const path of [".brood/plugins", ".amp/plugins/folder", ".amp/plugins/secret.ts"]) lock(desk.path(path));
		const { plugins, skipped } = await listWith({}, asAnybody);
		expect(plugins).toMatchObject([{ name: "mine", state: "ready" }]);
		expect(skipped).toEqual(
			[".brood/plugins", ".amp/plugins/folder", ".amp/plugins/secret.ts"].map((path) => ({
				path: desk.path(path),
				reason,
			})),
		);
	});
});
