import { describe, expect, test } from "bun:test";
import { advise, type MissingQuestion } from "../../../../host/backends/missing-advice.ts";
import { addressIn, explainMissing, readMissing } from "../../../../host/backends/missing-module.ts";
import { temporaryFolder } from "../temporary.ts";

const folder = temporaryFolder();

const ask = (specifier: string, more: Partial<MissingQuestion> = {}) =>
	advise({
		specifier,
		form: "source",
		install: undefined,
		folder: "/p",
		note: undefined,
		isInstalled: async () => false,
		...more,
	});

describe("the advice for an import that found nothing", () => {
	test("names the package alone, with its scope and version, and the folder", async () => {
		expect(await ask("pad")).toStartWith(
			'Run "bun add pad", or "bun install" where package.json has it already, in /p;',
		);
		expect(await ask("@a/b/c.js")).toStartWith('Run "bun add @a/b"');
		expect(await ask("pad@^1.2/deep")).toStartWith('Run "bun add pad@^1.2"');
		expect(await ask("pad@^1.2/deep")).toContain('and import "pad/deep"');
	});

	test("offers to fetch the package where this launch could, and says so where it cannot", async () => {
		for (const form of ["source", "be-bun"])
			expect(await ask("pad", { form })).toContain('install: "auto" (--install)');
		for (const form of ["compiled", "custom"]) {
			expect(await ask("pad", { form })).not.toContain("--install");
			expect(await ask("pad", { form, install: "unavailable" })).toContain(`in the form ${form} cannot fetch packages`);
		}
	});

	test("tells a registry that has no such thing from one that did not answer", async () => {
		const auto = (note?: string) => ask("pad", { install: "auto", note });
		for (const note of [undefined, "GET http://r/pad - 404", 'No version matching "^7" found for specifier "pad"']) {
			expect(await auto(note)).toStartWith('Check its name and its version, or run "bun add pad"');
		}
		for (const note of ["GET http://r/pad - 500", "ConnectionRefused downloading package manifest pad"]) {
			expect(await auto(note)).toStartWith('Try again when the registry answers, or run "bun add pad"');
		}
		for (const note of ["GET http://r/pad - 401", "GET http://r/pad/-/pad-1.0.0.tgz - 403"]) {
			expect(await auto(note)).toStartWith("Put the token that the registry asks for into .npmrc, or run");
		}
		for (const reason of ["Fail", "IntegrityCheckFailed"]) {
			const note = `${reason} extracting tarball from pad`;
			expect(await auto(note)).toStartWith("Try again, since what the registry sent is damaged, or run");
		}
	});

	test("names the flags of the build where a compiled host does not see a package that is there", async () => {
		const isInstalled = async () => true;
		expect(await ask("pad", { form: "compiled", isInstalled })).toContain("--compile-autoload-package-json");
		expect(await ask("pad", { isInstalled })).toContain("bun install --force");
		expect(await ask("pad/deep", { isInstalled })).toContain('has no "pad/deep"');
	});

	test.each(["./a", "../a", "/a", "file:///a", ""])("is none for the file %p", async (specifier) => {
		expect((await ask(specifier))?.includes("bun add") ?? false).toBe(false);
	});

	test.each(["~/a", "@/a", "#a", "C:\\a", "a b", "@scope", "jsr:@a/b", "-a"])(
		"offers no package for %p",
		async (specifier) => {
			expect(await ask(specifier)).toContain("That is no package name");
		},
	);
});

describe("what is said of an import that found nothing", () => {
	const about = { form: "source" };

	test("has the place of the import, not that of a comment, and the folder that holds node_modules", async () => {
		const file = folder.file("one.ts", '// "pad"\n * "pad"\nconst a = 1; import x from "pad/deep";\n');
		const root = folder.path();
		const told = await explainMissing({ specifier: "pad/deep", referrer: file }, { root }, about);
		expect(told.position).toEqual({ file, line: 3, column: 28 });
		expect((await explainMissing({ specifier: "pad", referrer: file }, { root }, about)).position?.line).toBe(3);
		const needy = "/elsewhere/node_modules/a/node_modules/b/index.js";
		const inside = await explainMissing({ specifier: "pad", referrer: needy }, { root }, about);
		expect(inside).toMatchObject({ position: undefined, hint: expect.stringContaining("in /elsewhere;") });
	});

	test("is bounded and shown as text, whatever a child says, and holds no password of a registry", async () => {
		const root = folder.path();
		const long = {
			specifier: "p".repeat(1_000_000),
			referrer: `/${"a/".repeat(1_000_000)}`,
			note: "n".repeat(1_000_000),
		};
		const told = await explainMissing(long, { root }, about);
		expect(JSON.stringify(told).length).toBeLessThan(5_000);
		const odd = await explainMissing({ specifier: "pad/\u001b[2Jx", referrer: "one.ts" }, { root }, about);
		expect(odd.hint).not.toContain("\u001b");
		const note = "GET https://ada:secret@registry.example/pad - 500";
		const kept = await explainMissing(
			{ specifier: "pad", referrer: "", note },
			{ root },
			{ ...about, install: "auto" },
		);
		expect(kept.note).toBe("GET https://registry.example/pad - 500");
	});

	test("is read from Bun's errors of imports, requires and addresses, and from no other", async () => {
		const failed = async (task: () => unknown) => {
			try {
				await task();
			} catch (error) {
				return error as Error;
			}
			throw new Error("it did not fail");
		};
		const name = "a-package-that-nobody-has";
		const imported = await failed(() => import(name));
		expect(readMissing(imported)).toEqual({ specifier: name, referrer: import.meta.path });
		expect(readMissing(await failed(() => require(name)))).toEqual({ specifier: name, referrer: import.meta.path });
		expect(readMissing(new Error(imported.message))).toBeUndefined();
		const address = await failed(() => import("https://127.0.0.1/x.js" as string));
		expect(addressIn(address, { path: "/p/one.ts" })).toEqual({
			specifier: "https://127.0.0.1/x.js",
			referrer: "/p/one.ts",
		});
		expect(addressIn(imported, { path: "/p/one.ts" })).toBeUndefined();
	});
});
