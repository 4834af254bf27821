import { describe, expect, test } from "bun:test";
import { fitsSpare, type LaunchSurroundings, planLaunch, planSpare } from "../../../host/backends/launch.ts";
import type { InstallOption } from "../../../host/contracts/options.ts";
import type { BroodError } from "../../../runtime/errors.ts";
import { childVariables } from "../../../runtime/protocol.ts";

const spec = { name: "hello", path: "/p/hello.ts", root: "/p" };
const environment = { PATH: "/bin", TOKEN: "x", BUN_OPTIONS: "--preload x", BUN_BE_BUN: "1", BUN_INSPECT: "9229" };
const source: LaunchSurroundings = {
	execPath: "/bun",
	compiled: false,
	switchInstalled: false,
	childEntry: "/brood/entry.js",
	environment: { ...environment, BUN_INSPECT_NOTIFY: "x" },
};
const own = childVariables;
const inspect = { plugin: "hello", listen: () => "127.0.0.1:1/x" };
const compiled: LaunchSurroundings = {
	...source,
	execPath: "/host",
	compiled: true,
	switchInstalled: true,
	childEntry: "",
};
const cached: LaunchSurroundings = { ...compiled, childEntry: "/cache/entry.js" };

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
				"--wire=3",
			],
			wire: "socket",
			cwd: "/p",
			env: { PATH: "/bin", TOKEN: "x", ...own },
		});
	});

	test("runs a compiled host again with the switch, from a folder without any configuration", () => {
		expect(planLaunch(spec, {}, compiled)).toEqual({
			form: "compiled",
			command: ["/host", "--brood-child", "/p/hello.ts", "--wire=3", "/p"],
			wire: "socket",
			cwd: "/",
			env: { PATH: "/bin", TOKEN: "x", ...own, BUN_OPTIONS: "--no-orphans" },
		});
	});

	test("runs a compiled host that has the child in its cache as plain Bun, which can fetch packages", () => {
		const launch = planLaunch(spec, { install: "auto" }, cached);
		const { command } = planLaunch(spec, { install: "auto" }, { ...source, childEntry: cached.childEntry });
		expect(launch).toEqual({
			form: "cached",
			install: "auto",
			command: ["/host", ...command.slice(1)],
			wire: "socket",
			cwd: "/p",
			env: { PATH: "/bin", TOKEN: "x", ...own, BUN_BE_BUN: "1" },
		});
		const suspect = () => {};
		expect([source, cached, compiled].map((one) => planLaunch(spec, {}, { ...one, suspect }).mute)).toEqual([
			suspect,
			suspect,
			undefined,
		]);
	});

	test("asks for the cached child neither for another command nor for a child that comes as text", () => {
		const asked = new Error("it was asked for");
		const surroundings = Object.defineProperty({ ...compiled }, "childEntry", {
			get() {
				throw asked;
			},
		});
		const custom = planLaunch(spec, { launch: { form: "custom", command: ["/fake"] } }, surroundings);
		const text = planLaunch(spec, { launch: { form: "be-bun", childSource: "x" } }, surroundings);
		expect([custom.form, text.form]).toEqual(["custom", "be-bun"]);
		expect(() => planLaunch(spec, {}, surroundings)).toThrow(asked);
	});

	test("runs a compiled host as plain Bun with the child as text when its embedder asks for it", () => {
		const launch = planLaunch(spec, { launch: { form: "be-bun", childSource: "the child" } }, compiled);
		expect(launch.command.slice(-4)).toEqual(["-e", "the child", "/p/hello.ts", "--wire=3"]);
		expect(launch).toMatchObject({ form: "be-bun", wire: "socket", cwd: "/p", env: { BUN_BE_BUN: "1" } });
	});

	test("runs another child that a test brings, with the plugin's path as its last argument, over its stdin and stdout", () => {
		const launch = planLaunch(spec, { launch: { form: "custom", command: ["/fake", "x"] } }, source);
		expect(launch).toMatchObject({ form: "custom", command: ["/fake", "x", "/p/hello.ts"], wire: "stdio", cwd: "/p" });
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
		expect(planLaunch(spec, { env: "inherit" }, source).env).toEqual({ PATH: "/bin", TOKEN: "x", ...own });
		expect(planLaunch(spec, { env: "minimal" }, source).env).toEqual({ PATH: "/bin", ...own });
		expect(planLaunch(spec, { env: { A: "1", BUN_OPTIONS: "x" } }, source).env).toEqual({ A: "1", ...own });
	});

	test("tells Bun where the debugger of the one plugin listens that is inspected, and nothing where no Bun is told", () => {
		const at = "--inspect=127.0.0.1:1/x";
		expect(planLaunch(spec, { inspect }, source).command).toContain(at);
		expect(planLaunch(spec, { inspect }, cached).command).toContain(at);
		expect(planLaunch(spec, { inspect }, compiled).env.BUN_OPTIONS).toBe(`--no-orphans ${at}`);
		const waiting = { ...inspect, break: true };
		expect(planLaunch(spec, { inspect: waiting }, source).command).toContain("--inspect-brk=127.0.0.1:1/x");
		const other = { plugin: "other", listen: () => expect.unreachable() };
		expect(planLaunch(spec, { inspect: other }, source)).toEqual(planLaunch(spec, {}, source));
		const custom = { launch: { form: "custom" as const, command: ["/fake"] } };
		expect(planLaunch(spec, { ...custom, inspect }, source)).toEqual(planLaunch(spec, custom, source));
	});

	test("sets nothing over what somebody has settled, and nothing for another child", () => {
		const { BUN_GC_TIMER_INTERVAL, ...others } = own;
		const asked = { BUN_GC_TIMER_INTERVAL: "5000" };
		expect(planLaunch(spec, { env: asked }, source).env).toEqual({ ...others, ...asked });
		const never = { BUN_GC_TIMER_DISABLE: "1" };
		expect(planLaunch(spec, { env: never }, source).env).toEqual({ ...others, ...never });
		const custom = { form: "custom" as const, command: ["/fake"] };
		expect(planLaunch(spec, { env: {}, launch: custom }, source).env).toEqual({});
		expect(BUN_GC_TIMER_INTERVAL).toStartWith("+");
	});
});

describe("a child that is started before there is a plugin for it", () => {
	const launches: [string, Parameters<typeof planLaunch>[1], LaunchSurroundings][] = [
		["from source", {}, source],
		["from a compiled host", {}, compiled],
		["from a compiled host with a cache", {}, cached],
		["from a compiled host as plain Bun", { launch: { form: "be-bun", childSource: "the child" } }, compiled],
	];

	test.each(launches)("is started like any other %s, without plugin and folder", (_, options, surroundings) => {
		const spare = planSpare(options, surroundings);
		const command = spare?.command ?? [];
		expect(command[command.indexOf("--wire=3") - 1]).toBe("");
		expect(spare?.cwd).toBe("/");
		expect(spare && fitsSpare(spare, planLaunch(spec, options, surroundings))).toBe(true);
	});

	test("fits no launch with another command, environment or permission to fetch", () => {
		const spare = planLaunch({ name: "", path: "", root: "/" }, {}, source);
		const others = [
			planLaunch(spec, { env: "minimal" }, source),
			planLaunch(spec, { install: "auto" }, source),
			planLaunch(spec, { inspect }, source),
			planLaunch(spec, {}, { ...source, childEntry: "/brood/another.js" }),
			planLaunch(spec, {}, { ...source, environment: { ...environment, TOKEN: "y" } }),
			planLaunch(spec, { launch: { form: "custom", command: ["/fake"] } }, source),
			planLaunch(spec, {}, compiled),
			planLaunch(spec, {}, cached),
		];
		expect(others.map((launch) => fitsSpare(spare, launch))).toEqual(others.map(() => false));
	});

	test("is none where another command is run, or Bun may fetch what every plugin imports", () => {
		expect(planSpare({ launch: { form: "custom", command: ["/fake"] } }, source)).toBeUndefined();
		expect(planSpare({ install: "auto" }, source)).toBeUndefined();
		expect(planSpare({ install: { hello: "auto" } }, source)).toBeDefined();
	});
});
