import { describe, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { startDev, stateOf, version } from "./dev-support.ts";
import { createDesk } from "./support.ts";

const desk = createDesk();

const place = (plugin: string) => `.brood/plugins/${plugin}.ts`;
const write = (plugin: string, source: string) => desk.write({ [place(plugin)]: source });
const time = String.raw`\d\d:\d\d:\d\d`;
const ms = String.raw`[\d.]+ ms`;

describe("where no terminal is", () => {
	test("each plugin has a line as it starts and as it changes, with what it registers then", async () => {
		await write("other", version("other", 1));
		await desk.write({ "one.ts": version("a", 1, 'amp.registerCommand("go", { title: "Go" }, () => {});') });
		await using dev = startDev(desk, ["dev", "one.ts"]);
		await dev.stderr.see("Watching 1 plugin.\n");
		expect(dev.stdout.text()).toMatch(
			new RegExp(`^${time} ready {4}one {2}${ms} {2}\\+1 command go {2}\\+1 tool a\n$`),
		);
		const more =
			'amp.registerTool({ name: "b", description: "", inputSchema: { type: "object" }, execute: () => "" });';
		await desk.write({ "one.ts": version("a", 2, more) });
		await dev.stdout.see(
			new RegExp(`${time} reload {3}one {2}one\\.ts {2}${ms} {2}\\+1 tool b {2}~1 tool a {2}-1 command go\n`),
		);
		expect(dev.stdout.text()).not.toContain("\u001b");
	});

	test("a version that fails is told with its place, and one that is mended after it", async () => {
		await write("one", version("a", 1));
		await using dev = startDev(desk, ["dev"]);
		await dev.stderr.see("Watching 1 plugin.\n");
		await write("one", "export default (amp) => {\n\tconst a = ;\n};\n");
		await dev.stdout.see(
			new RegExp(`${time} kept {5}one {2}${place("one")} {2}${ms} {2}the old version still serves\n`),
		);
		await dev.stderr.see("> 2 | \tconst a = ;\n");
		// The frame says it once.
		expect(dev.stderr.text().match(/failed to load/g)).toHaveLength(1);
		await write("one", version("a", 2));
		await dev.stdout.see(/reload {3}one .*~1 tool a\n/);
	});

	test("plugins that come, fail and go are told, and none of them ends it", async () => {
		await write("bad", "export default 1;\n");
		await using dev = startDev(desk, ["dev"]);
		await dev.stdout.see(new RegExp(`${time} failed {3}bad {2}${ms} {2}nothing of it serves\n`));
		await dev.stderr.see("Watching 1 plugin.\n");
		await write("new", version("a", 1));
		await dev.stdout.see(/ready {4}new .*\+1 tool a\n/);
		await write("bad", version("b", 1));
		await dev.stdout.see(/ready {4}bad .*\+1 tool b\n/);
		await rm(desk.path(place("new")));
		await dev.stdout.see(new RegExp(`${time} removed {2}new {2}-1 tool a\n`));
	});

	test("a workspace without a plugin is watched for the first one", async () => {
		await desk.write({ ".brood/plugins/readme.md": "" });
		await using dev = startDev(desk, ["dev"]);
		await dev.stderr.see("No plugin was found; one that appears is started.\n");
		await write("one", version("a", 1));
		await dev.stdout.see(/ready {4}one /);
	});

	test.skipIf(process.platform !== "linux")("a workspace with nothing to watch is waited in at rest", async () => {
		await using dev = startDev(desk, ["dev", "--no-warm"]);
		await dev.stderr.see("No plugin was found; one that appears is started.\n");
		// The last timer of its start ends after a second.
		for (let rests = 0; rests < 300; await Bun.sleep(5)) rests = stateOf(dev.child.pid) === "S" ? rests + 1 : 0;
	});

	test("a plugin that crashes for good is told as one that fails", async () => {
		await write("one", "export default () => void setTimeout(() => process.exit(3), 20);\n");
		await using dev = startDev(desk, ["dev"]);
		await dev.stdout.see(/ready {4}one /);
		await dev.stdout.see(/failed {3}one .*nothing of it serves\n/);
		await dev.stderr.see("it crashed 4 times and is not started again");
		expect(dev.stdout.text().match(/ready/g)).toHaveLength(1);
	});

	test("what plugins print stands below their names, and BROOD_LOG says what of it", async () => {
		await write("loud", `${version("a", 1, 'console.log("very loud");')}`);
		await write("other", `${version("b", 1, 'console.log("from the other");')}`);
		await using dev = startDev(desk, ["dev"], { BROOD_LOG: "loud=off" });
		await dev.stderr.see("[other] from the other\n");
		await dev.stderr.see("Watching 2 plugins.\n");
		expect(dev.stderr.text()).not.toContain("very loud");
	});

	test.each([
		["SIGINT", 130],
		["SIGTERM", 143],
	] as const)("%s ends it in good order with %d", async (signal, code) => {
		await write("one", version("a", 1, 'amp.onDispose(() => console.log("disposed"));'));
		await using dev = startDev(desk, ["dev"]);
		await dev.stderr.see("Watching 1 plugin.\n");
		expect(await dev.end(signal)).toBe(code);
		expect(dev.stderr.text()).toContain("[one] disposed\n");
		// Ctrl-C needs no word.
		const last = signal === "SIGINT" ? "[one] disposed\n" : `error: Interrupted by ${signal}.\n`;
		expect(dev.stderr.text()).toEndWith(last);
	});
});

describe("--json", () => {
	test("has exactly one object a line for whatever becomes of a plugin", async () => {
		await write("one", version("a", 1));
		await using dev = startDev(desk, ["dev", "--json"]);
		const next = async () => JSON.parse((await dev.stdout.see("\n")).trim());
		const nothing = { ms: expect.any(Number), files: [desk.path(place("two"))], added: [], removed: [], changed: [] };
		expect(await next()).toEqual({ event: "ready", plugin: "one", ...nothing, files: [], added: ["tool a"] });
		await write("two", "export default 1;\n");
		const error = { code: "no_default_export", stage: "import", message: expect.stringContaining("of type number") };
		expect(await next()).toEqual({ event: "failed", plugin: "two", ...nothing, error: expect.objectContaining(error) });
		await write("two", version("b", 1));
		expect(await next()).toEqual({ event: "ready", plugin: "two", ...nothing, added: ["tool b"] });
		await write("two", version("b", 2));
		expect(await next()).toEqual({ event: "reload", plugin: "two", ...nothing, changed: ["tool b"] });
		await write("two", "export default (amp) => {\n");
		const positions = [{ file: desk.path(place("two")), line: 1, column: expect.any(Number) }];
		expect(await next()).toEqual({
			event: "kept",
			plugin: "two",
			...nothing,
			error: expect.objectContaining({ code: "load_failed", positions }),
		});
		await rm(desk.path(place("two")));
		expect(await next()).toEqual({ event: "removed", plugin: "two", ...nothing, removed: ["tool b"] });
		expect(await dev.end()).toBe(143);
		for (const line of dev.stderr.text().trim().split("\n")) JSON.parse(line);
	});

	test("leaves the logs of plugins on stderr, an object a line", async () => {
		await write("one", version("a", 1, 'console.log("hello");'));
		await using dev = startDev(desk, ["dev", "--json"]);
		const line = await dev.stderr.see("\n");
		expect(JSON.parse(line)).toMatchObject({ log: { plugin: "one", source: "output", message: "hello" } });
	});
});

test("a webhook receives what is sent to its URL", async () => {
	const hook = `export default async (amp) => {
		const { url } = await amp.createWebhook({ key: "build", handler: ({ payload }) => console.log("got " + payload.status) });
		await Bun.write(${JSON.stringify(desk.path("url.txt"))}, url);
		console.log("open");
	};`;
	await write("hook", hook);
	await using dev = startDev(desk, ["dev"]);
	await dev.stderr.see("[hook] open\n");
	const url = await Bun.file(desk.path("url.txt")).text();
	const { status } = await fetch(url, { method: "POST", body: '{"status":"passed"}' });
	expect(status).toBe(202);
	await dev.stderr.see("[hook] got passed\n");
});

describe("mistakes", () => {
	test.each([
		[["missing.ts"], "missing.ts"],
		[["--inspect", "nobody"], "nobody"],
		[["--inspect", "one", "--inspect-brk", "one"], "exclude each other"],
		[["--inspect", "one", "--inspect-at", "here"], "HOST:PORT"],
		[["--inspect-at", "9229"], "belongs to --inspect"],
		[[""], "A path is not empty"],
	])("%p is a mistake of usage", async (parameters, text) => {
		await write("one", version("a", 1));
		const { exitCode, stderr } = await desk.run(["dev", ...parameters]);
		expect(stderr).toContain(text);
		expect(exitCode).toBe(2);
	});

	test.each(["--inspect", "--inspect-brk", "--install-for"])(
		"the name of no plugin behind %s is told before any plugin runs, with the one that may be meant",
		async (flag) => {
			await write("hello", `console.log("imported");\n${version("a", 1)}`);
			const { exitCode, stdout, stderr } = await desk.run(["dev", flag, "hallo"]);
			expect(stderr).toBe('error: There is no plugin "hallo".\n  hint: Is it "hello"?\n');
			expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
		},
	);
});
