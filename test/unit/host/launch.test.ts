import { describe, expect, test } from "bun:test";
import { type LaunchSurroundings, planLaunch } from "../../../host/backends/launch.ts";
import type { InstallOption } from "../../../host/contracts/options.ts";
import type { BroodError } from "../../../runtime/errors.ts";

const spec = { name: "hello", path: "/p/hello.ts", root: "/p" };
const environment = { PATH: "/bin", TOKEN: "x", BUN_OPTIONS: "--preload x", BUN_BE_BUN: "1", BUN_INSPECT: "9229" };
const source: LaunchSurroundings = {
	execPath: "/bun",
	compiled: false,
	switchInstalled: false,
	childEntry: "/brood/entry.js",
	environment: { ...environment, BUN_INSPECT_NOTIFY: "x" },
};
const compiled: LaunchSurroundings = { ...source, execPath: "/host", compiled: true, switchInstalled: true };

describe("the plan of a launch", () => {
	test("runs the child's file with plain Bun, where nothing beside the plugin acts", () => {
		expect(planLaunch(spec, {}, source)).toEqual({
			form: "source",
			command: [
				"/bun",
				"--no-orphans",
				"--no-env-file",
				"--config=/dev/null",
				"--no-install",
				"/brood/entry.js",
				"/p/hello.ts",
			],
			cwd: "/p",
			env: { PATH: "/bin", TOKEN: "x" },
		});
	});

	test("runs a compiled host again with the switch, from a folder without any configuration", () => {
		expect(planLaunch(spec, {}, compiled)).toEqual({
			form: "compiled",
			command: ["/host", "--brood-child", "/p/hello.ts"],
			cwd: "/",
			env: { PATH: "/bin", TOKEN: "x", BUN_OPTIONS: "--no-orphans" },
		});
	});

	test("runs a compiled host as plain Bun with the child as text when its embedder asks for it", () => {
		const launch = planLaunch(spec, { launch: { form: "be-bun", childSource: "the child" } }, compiled);
		expect(launch.command.slice(-3)).toEqual(["-e", "the child", "/p/hello.ts"]);
		expect(launch).toMatchObject({ form: "be-bun", cwd: "/p", env: { BUN_BE_BUN: "1" } });
	});

	test("runs another child that a test brings, with the plugin's path as its last argument", () => {
		const launch = planLaunch(spec, { launch: { form: "custom", command: ["/fake", "x"] } }, source);
		expect(launch).toMatchObject({ form: "custom", command: ["/fake", "x", "/p/hello.ts"], cwd: "/p" });
	});

	test("lets Bun fetch packages for those plugins alone that may, and where Bun runs the child", () => {
		const flags = (install: InstallOption, name = "hello") =>
			planLaunch({ ...spec, name }, { install }, source).command;
		expect(flags("auto")).toContain("--install=fallback");
		expect(flags("auto")).not.toContain("--no-install");
		expect(flags({ hello: "auto" })).toContain("--install=fallback");
		for (const install of ["off", {}, { other: "auto" }, { hello: "off" }] as const) {
			expect(flags(install)).toContain("--no-install");
			expect(flags(install)).not.toContain("--install=fallback");
		}
		expect(flags({}, "constructor")).toContain("--no-install");
		const beBun = planLaunch(spec, { install: "auto", launch: { form: "be-bun", childSource: "x" } }, compiled);
		expect(beBun).toMatchObject({ install: "auto", command: expect.arrayContaining(["--install=fallback"]) });
		expect(planLaunch(spec, { install: "auto" }, compiled)).toMatchObject({
			install: "unavailable",
			env: { BUN_OPTIONS: "--no-orphans" },
		});
		const custom = planLaunch(spec, { install: "auto", launch: { form: "custom", command: ["/fake"] } }, source);
		expect(custom).toMatchObject({ install: "unavailable", command: ["/fake", "/p/hello.ts"] });
	});

	test("refuses a compiled program that would start itself again instead of a child", () => {
		try {
			planLaunch(spec, {}, { ...compiled, switchInstalled: false });
			expect.unreachable();
		} catch (error) {
			const { code, plugin, stage, message } = error as BroodError;
			expect({ code, plugin, stage }).toEqual({ code: "launch_failed", plugin: "hello", stage: "spawn" });
			expect(message).toContain('Import "brood/child" before anything else');
		}
	});

	test("passes on all variables, a short list, or exactly those that it is given", () => {
		expect(planLaunch(spec, { env: "inherit" }, source).env).toEqual({ PATH: "/bin", TOKEN: "x" });
		expect(planLaunch(spec, { env: "minimal" }, source).env).toEqual({ PATH: "/bin" });
		expect(planLaunch(spec, { env: { A: "1", BUN_OPTIONS: "x" } }, source).env).toEqual({ A: "1" });
	});
});
