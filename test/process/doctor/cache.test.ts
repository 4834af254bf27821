import { afterEach, describe, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { bundledChild } from "../../../host/backends/child-bundle.ts";
import { createDesk } from "../cli/support.ts";
import { createDoctor, quiet } from "./support.ts";

const desk = createDesk({ ownCache: true });
const doctor = createDoctor(desk);
const root = resolve(import.meta.dir, "../../..");
const cache = (...parts: string[]) => desk.home(".cache/brood", ...parts);
const old = new Date(Date.now() - 60 * 60_000);

/** A bundle as another version of brood has left it. */
function leaveBundle(name: string): string {
	mkdirSync(cache(name), { recursive: true });
	cpSync(join(root, "package.json"), cache(name, "entry.js"));
	utimesSync(cache(name), old, old);
	return cache(name);
}

const outdated = "child-1.4.4-0123456789abcdef";

describe("old bundles in the cache", () => {
	test("are told of with their size, stay without --fix and go with it; the one in use and what is not brood's stay", async () => {
		const bundle = dirname(await bundledChild({ XDG_CACHE_HOME: desk.home(".cache") }));
		leaveBundle(outdated);
		leaveBundle("building-abcdef");
		leaveBundle("mine");
		mkdirSync(cache("building-fresh"));
		await Bun.write(cache("child-1.4.4-aaaaaaaaaaaaaaaa"), "a file");
		mkdirSync(desk.home("elsewhere"));
		symlinkSync(desk.home("elsewhere"), cache("child-1.4.4-bbbbbbbbbbbbbbbb"));
		const stale = ["building-abcdef", outdated].map((name) => ({ path: cache(name), state: "unused" }));

		const looked = await doctor(["--no-load"]);
		expect(looked.of("cache")).toMatchObject([
			{ status: "note", details: stale },
			{ status: "ok", details: [{ path: cache("building-fresh"), state: "used" }] },
		]);
		expect(looked.of("cache")[0]?.message).toMatch(/holds 2 folders, \d+ kB in all/);
		expect(looked.of("cache")[0]?.hint).toContain("--fix");
		expect(existsSync(cache(outdated))).toBe(true);

		const fixed = await doctor(["--no-load", "--fix"]);
		expect(fixed.of("cache")[0]).toMatchObject({
			status: "ok",
			details: stale.map(({ path }) => ({ path, removed: true })),
		});
		expect(
			readdirSync(cache())
				.filter((name) => !name.startsWith("known-"))
				.map((name) => cache(name))
				.sort(),
		).toEqual(
			[
				bundle,
				cache("building-fresh"),
				cache("child-1.4.4-aaaaaaaaaaaaaaaa"),
				cache("child-1.4.4-bbbbbbbbbbbbbbbb"),
				cache("mine"),
			].sort(),
		);
		expect((await doctor(["--no-load", "--fix"])).of("cache")).toMatchObject([{ status: "ok" }]);
	});

	test("are named to people who had them removed", async () => {
		leaveBundle(outdated);
		const { stdout } = await desk.run(["doctor", "--no-load", "--fix"]);
		expect(stdout).toMatch(/^ok +cache +1 folder of 1 in the cache was removed, \d+ kB in all\.$/m);
		expect(stdout).toContain(`\n         ${cache(outdated)}: removed\n`);
	});
});

describe("a host of another version, in another process", () => {
	const running: Bun.Subprocess[] = [];
	afterEach(async () => {
		for (const child of running.splice(0)) {
			child.kill("SIGKILL");
			await child.exited;
		}
	});

	/** Starts a host from other sources of brood; it reloads its plugin for each line, and says when that is done. */
	async function startOther() {
		const other = desk.path("other");
		for (const name of ["child", "host", "runtime", "package.json"]) {
			cpSync(join(root, name), join(other, name), { recursive: true });
		}
		symlinkSync(join(root, "node_modules"), join(other, "node_modules"));
		await Bun.write(join(other, "child/other.ts"), "export const other = 1;\n");
		await Bun.write(join(other, "plugin.ts"), quiet);
		await Bun.write(
			join(other, "main.ts"),
			`import { createHost } from "./host/index.ts";
			const host = await createHost({ places: false, plugins: [import.meta.dir + "/plugin.ts"] });
			const tell = () => console.log(host.plugins.get("plugin").state);
			tell();
			for await (const line of console) {
				await host.reload("plugin");
				tell();
			}`,
		);
		const child = Bun.spawn([process.execPath, join(other, "main.ts")], {
			cwd: other,
			env: desk.environment(),
			stdin: "pipe",
			stdout: "pipe",
			stderr: "inherit",
		});
		running.push(child);
		const reader = child.stdout.getReader();
		const said = async () => new TextDecoder().decode((await reader.read()).value).trim();
		expect(await said()).toBe("ready");
		const [bundle = ""] = readdirSync(cache()).filter((name) => name.startsWith("child-"));
		return {
			bundle: cache(bundle),
			async reload(): Promise<string> {
				child.stdin.write("again\n");
				await child.stdin.flush();
				return await said();
			},
			async kill() {
				child.kill("SIGKILL");
				await child.exited;
			},
		};
	}

	test("keeps its bundle as long as it runs, and not when it was killed", async () => {
		const other = await startOther();
		const during = await doctor(["--no-load", "--fix"]);
		expect(during.of("cache")).toMatchObject([{ status: "ok", details: [{ path: other.bundle, state: "used" }] }]);
		expect(existsSync(join(other.bundle, "entry.js"))).toBe(true);
		expect(await other.reload()).toBe("ready");
		await other.kill();
		const after = await doctor(["--no-load", "--fix"]);
		expect(after.of("cache")).toMatchObject([{ status: "ok", details: [{ path: other.bundle, removed: true }] }]);
		expect(existsSync(other.bundle)).toBe(false);
	});

	test("launches although its bundle was removed, and uses the one that it has built again", async () => {
		const other = await startOther();
		rmSync(other.bundle, { recursive: true });
		expect(await other.reload()).toBe("ready");
		// It is built while the sources serve.
		while (!existsSync(join(other.bundle, "contents"))) await Bun.sleep(10);
		expect(await other.reload()).toBe("ready");
		const { of } = await doctor(["--no-load", "--fix"]);
		expect(of("cache")).toMatchObject([{ details: [{ path: other.bundle, state: "used" }] }]);
	});
});
