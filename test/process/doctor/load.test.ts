import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync } from "node:fs";
import { createDesk } from "../cli/support.ts";
import { createDoctor, quiet } from "./support.ts";

const desk = createDesk();
const doctor = createDoctor(desk);

describe("brood doctor loads each plugin once, and tells of", () => {
	test("one that fails, with stage, place and the command that tells more", async () => {
		await desk.write({
			"plugins/bad one.ts": "export default () => { throw new Error('no luck'); };",
			"plugins/a.ts": quiet,
		});
		const { exitCode, of } = await doctor(["-p", "plugins"]);
		const path = desk.path("plugins/bad one.ts");
		expect(of("plugins")).toMatchObject([
			{
				status: "problem",
				hint: `See all that is wrong with it: brood validate '${path}'`,
				details: [{ plugin: "bad one", path, state: "failed", stage: "activate", code: "load_failed" }],
			},
		]);
		expect(of("plugins")[0]?.message).toContain("no luck");
		expect(of("packages")).toMatchObject([{ status: "ok" }]);
		expect(exitCode).toBe(4);
	});

	test("packages that are missing, with what adds them", async () => {
		await desk.write({
			".brood/plugins/a.ts": 'import x from "@no-such/package-of-anybody/deep";\nexport default () => x;\n',
			".brood/plugins/b.ts": 'import x from "./missing.ts";\nexport default () => x;\n',
		});
		const { exitCode, of } = await doctor();
		expect(of("packages")).toMatchObject([
			{ status: "problem", details: [{ plugin: "a", package: "@no-such/package-of-anybody" }] },
		]);
		expect(of("packages")[0]?.details?.[0]?.text).toContain("bun add @no-such/package-of-anybody");
		expect(of("plugins")).toHaveLength(2);
		expect(exitCode).toBe(4);
	});

	test("those whose import or activation is slow, measured by one that does nothing", async () => {
		await desk.write({
			".brood/plugins/imports.ts": "Bun.sleepSync(4_000);\nexport default () => {};\n",
			".brood/plugins/activates.ts": "export default () => Bun.sleep(4_000);\n",
			".brood/plugins/quick.ts": quiet,
		});
		const { exitCode, of } = await doctor();
		expect(of("speed").map(({ status }) => status)).toEqual(["warning"]);
		// On a machine that is very busy others may be slow, too; the worst come first.
		const slow = (of("speed")[0]?.details ?? []).slice(0, 2);
		const worst = slow.map(({ plugin, stage, ms }) => ({ plugin, stage, ms }));
		const ms = expect.objectContaining({ total: expect.any(Number) });
		expect(worst).toHaveLength(2);
		expect(worst).toContainEqual({ plugin: "imports", stage: "import", ms });
		expect(worst).toContainEqual({ plugin: "activates", stage: "activate", ms });
		for (const { ratio } of slow) expect(Number(ratio)).toBeGreaterThan(10);
		expect(exitCode).toBe(0);
	});

	test("one that hangs, within --ready-timeout, and none of it is left", async () => {
		await desk.write({
			".brood/plugins/hang.ts": "await new Promise(() => setInterval(() => {}, 1_000));\nexport default () => {};\n",
		});
		const { exitCode, of } = await doctor(["--ready-timeout", "2000"]);
		expect(of("plugins")).toMatchObject([{ status: "problem", details: [{ code: "ready_timeout", stage: "import" }] }]);
		expect(exitCode).toBe(4);
	});

	test("nothing with --no-load", async () => {
		await desk.write({ ".brood/plugins/bad.ts": "throw new Error('no');" });
		const { exitCode, of } = await doctor(["--no-load"]);
		expect(of("plugins")).toMatchObject([{ status: "note" }]);
		expect([...of("packages"), ...of("speed")]).toEqual([]);
		expect(exitCode).toBe(0);
	});
});

test("a plugin that is switched off is not loaded", async () => {
	await desk.write({ ".brood/plugins/one.ts": `await Bun.write(${JSON.stringify(desk.path("ran"))}, "");\n${quiet}` });
	expect((await desk.run(["off", "one"])).exitCode).toBe(0);
	const { of } = await doctor();
	expect(of("plugins")).toMatchObject([{ status: "ok", message: "0 plugins loaded, 1 switched off." }]);
	expect(await Bun.file(desk.path("ran")).exists()).toBe(false);
});

test("a place for temporary files that is missing only keeps plugins from being compared", async () => {
	await desk.write({ ".brood/plugins/one.ts": quiet });
	const { exitCode, of } = await doctor([], { env: { TMPDIR: desk.path("nowhere") } });
	expect(of("plugins")).toMatchObject([{ status: "ok" }]);
	expect(of("speed")).toMatchObject([{ status: "note" }]);
	expect(exitCode).toBe(0);
});

test("Ctrl-C while plugins load ends doctor with 130, and nothing is left", async () => {
	await desk.write({
		".brood/plugins/hang.ts": `await Bun.write(${JSON.stringify(desk.path("begun"))}, "");\nawait new Promise(() => setInterval(() => {}, 1_000));\nexport default () => {};\n`,
	});
	mkdirSync(desk.home("tmp"));
	const child = desk.start(["doctor"], { env: { TMPDIR: desk.home("tmp") } });
	while (!(await Bun.file(desk.path("begun")).exists())) await Bun.sleep(10);
	child.kill("SIGINT");
	const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
	expect({ exitCode: child.exitCode, stdout }).toEqual({ exitCode: 130, stdout: "" });
	expect(stderr).toContain("Interrupted by SIGINT");
	expect(readdirSync(desk.home("tmp"))).toEqual([]);
});

test("what a plugin does while it loads is not done: no setting is written, no address listened at, no model asked", async () => {
	const asked: string[] = [];
	using server = Bun.serve({
		port: 0,
		fetch(request) {
			asked.push(request.url);
			return new Response("", { status: 500 });
		},
	});
	await desk.write({
		".brood/settings.json": '{"a":1}',
		".brood/plugins/busy.ts": `export default async (amp) => {
			await amp.configuration.update({ a: 2 }, "workspace");
			const { a } = await amp.configuration.get();
			if (a !== 2) throw new Error("the plugin does not see what it has set");
			await amp.ai.ask("Is it?").catch(() => {});
			await amp.createWebhook({ key: "k", handler() {} });
		};`,
	});
	const { of } = await doctor([], { env: { BROOD_AI_URL: server.url.href } });
	expect(of("plugins")).toMatchObject([{ status: "ok" }]);
	expect(await Bun.file(desk.path(".brood/settings.json")).text()).toBe('{"a":1}');
	expect(asked).toEqual([]);
	expect(await Bun.file(desk.home(".local/state/brood/webhooks.sqlite")).exists()).toBe(false);
});
