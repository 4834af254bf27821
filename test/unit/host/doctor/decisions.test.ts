import { describe, expect, test } from "bun:test";
import { describeChecks, exitCodeFor } from "../../../../host/cli/commands/doctor.ts";
import type { FindingStatus } from "../../../../host/contracts/findings.ts";
import { finding, quote } from "../../../../host/doctor/finding.ts";
import { missingPackage } from "../../../../host/doctor/load.ts";
import { isOpen } from "../../../../host/doctor/permissions.ts";
import { checkBun, checkPlatform, type Surroundings } from "../../../../host/doctor/program.ts";
import { judge, type LoadTimes, timesOf } from "../../../../host/doctor/speed.ts";

const usual: Surroundings = {
	bun: "1.4.5",
	execPath: "/usr/bin/bun",
	platform: "linux",
	childRuntimes: ["1.4.5", null],
	guards: ["socket"],
	hasShell: true,
};

test.each([
	["1.4.5", ["1.4.5"], "ok"],
	["1.4.6", [], "ok"],
	["1.5.0", ["1.5.0"], "note"],
	["1.4.4", [], "problem"],
	["1.4.5", ["1.3.0"], "problem"],
	["1.4.6", ["1.4.5"], "warning"],
])("Bun %s with children of %j: %s", (bun, childRuntimes, status) => {
	expect(checkBun({ ...usual, bun, childRuntimes })).toMatchObject([{ status }]);
});

test.each<[string, Partial<Surroundings>, FindingStatus[]]>([
	["Linux", {}, ["ok"]],
	["macOS", { platform: "darwin" }, ["ok"]],
	["Windows", { platform: "win32", hasShell: false }, ["problem"]],
	[
		"another Unix without a shell, whose descriptors cannot be moved",
		{ platform: "freebsd", hasShell: false, guards: ["console"] },
		["warning", "warning", "warning"],
	],
])("%s", (_, surroundings, statuses) => {
	expect(checkPlatform({ ...usual, ...surroundings }).map(({ status }) => status)).toEqual(statuses);
});

test.each([
	[0o644, false, true, false],
	[0o666, false, true, true],
	[0o777, true, true, true],
	[0o1777, true, true, true],
	[0o1777, true, false, false],
	[0o777, true, false, true],
	[0o775, true, false, false],
])("mode %o, a directory: %p, where new entries count: %p", (mode, isDirectory, newEntriesCount, expected) => {
	expect(isOpen(mode, isDirectory, newEntriesCount)).toBe(expected);
});

test.each([
	["Cannot find package 'zod' imported from /a.ts", "zod"],
	['Cannot find module "@a/b/c" from "/a.ts"', "@a/b"],
	["Cannot find module './a' from '/a.ts'", undefined],
	["Cannot find module 'node:nothing'", undefined],
	["it cannot find its keys", undefined],
])("%j is about the package %p", (message, expected) => {
	expect(missingPackage(message)).toBe(expected);
});

test("a path is quoted for a shell", () => {
	expect(["/a/b-1.ts", "/a b", "/it's"].map(quote)).toEqual(["/a/b-1.ts", "'/a b'", "'/it'\\''s'"]);
});

describe("the speed of a load", () => {
	const bare: LoadTimes = { spawn: 10, import: 1, activate: 0.5, ready: 0.5, total: 12 };

	test("is judged by ratio, and blames the stage that lost most", () => {
		expect(judge({ spawn: 30, import: 80, activate: 9, ready: 1, total: 120 }, bare)).toMatchObject({
			isSlow: false,
			stage: "import",
		});
		expect(judge({ spawn: 30, import: 9, activate: 81, ready: 1, total: 121 }, bare)).toMatchObject({
			isSlow: true,
			stage: "activate",
		});
	});

	test("is not known of a load that did not come to its end", () => {
		const facts = {
			found: 0,
			spawned: 1,
			clientInfo: 10,
			imported: 11,
			activated: 11,
			registered: 13,
			ready: 12.5,
			published: 14,
		};
		expect(timesOf(facts)).toEqual({ spawn: 10, import: 1, activate: 2, ready: 0, total: 13 });
		expect(timesOf({ ...facts, ready: null })).toBeUndefined();
	});
});

describe("the exit code", () => {
	const problems = (...names: string[]) => names.map((name) => finding(name, "problem", "."));

	test.each([
		[0, []],
		[1, ["places"]],
		[4, ["places", "plugins"]],
		[3, ["plugins", "settings"]],
		[7, ["settings", "bun"]],
	])("is %i for problems of %j", (code, names) => {
		expect(exitCodeFor([finding("folders", "warning", "."), ...problems(...names)])).toBe(code);
	});
});

test("people see no more than 20 details of a finding, and what is in order in one line", () => {
	const details = Array.from({ length: 25 }, (_, index) => ({ text: `detail ${index}` }));
	const text = describeChecks(
		[finding("skipped", "note", "Much.", { details }), finding("folders", "ok", "Fine.", { details })],
		(_, plain) => plain,
	);
	expect(text.split("\n")).toHaveLength(25);
	expect(text).toContain("and 5 more; --json has all of them");
	expect(text).toContain("ok    folders  Fine.\n\n1 note.");
});
