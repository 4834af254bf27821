import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { processLives } from "../support/processes.ts";
import { createWorkshop } from "./support.ts";

const shop = createWorkshop();

describe("examining leaves nothing", () => {
	test("runs dispose callbacks, and ends the process and what it started", async () => {
		shop.write({
			"p.ts": `import { appendFileSync } from "node:fs";
export default (amp) => {
	const child = Bun.spawn(["sleep", "600"]);
	appendFileSync(${JSON.stringify(shop.shared("pids"))}, process.pid + " " + child.pid);
	amp.onDispose(() => appendFileSync(${JSON.stringify(shop.shared("disposed"))}, "yes"));
};
`,
		});
		const { ok } = await shop.validate(["p.ts"]);
		expect(ok).toBe(true);
		const pids = readFileSync(shop.shared("pids"), "utf8").split(" ").map(Number);
		expect(pids.map(processLives)).toEqual([false, false]);
		shop.watch(pids[0] ?? 0);
		expect(readFileSync(shop.shared("disposed"), "utf8")).toBe("yes");
	});

	test("writes no settings, opens nothing and receives nothing", async () => {
		shop.write({
			".brood/settings.json": '{ "kept": 1 }\n',
			"p.ts": `export default async (amp) => {
	await amp.configuration.update({ added: 2 });
	await amp.configuration.delete("kept");
	await amp.configuration.update({ everywhere: 3 }, "global");
	const settings = await amp.configuration.get();
	await amp.system.open("https://example.com/");
	const { url } = await amp.createWebhook({ key: "k", handler() {} });
	amp.registerCommand("seen", { title: JSON.stringify(settings) + " " + new URL(url).protocol }, () => {});
};
`,
		});
		const { plugins } = await shop.validate(["p.ts"]);
		expect(plugins.flatMap((plugin) => shop.lines(plugin))).toEqual([]);
		expect(plugins[0]?.commands[0]?.title).toBe('{"added":2,"everywhere":3} http:');
		expect(readFileSync(shop.path(".brood/settings.json"), "utf8")).toBe('{ "kept": 1 }\n');
		expect(readdirSync(shop.path(".brood"))).toEqual(["settings.json"]);
	});

	test("asks no model, not even one that the environment names", async () => {
		let asked = 0;
		using server = Bun.serve({
			port: 0,
			fetch() {
				asked += 1;
				return Response.json({});
			},
		});
		process.env.BROOD_AI_URL = `http://127.0.0.1:${server.port}/v1`;
		shop.write({ "p.ts": 'export default async (amp) => {\n\tawait amp.ai.ask("a?");\n};\n' });
		const { plugins } = await shop.validate(["p.ts"]);
		expect(plugins[0]?.problems.map(({ message }) => message)).toEqual([
			expect.stringContaining("no model is asked while a plugin is only examined"),
		]);
		expect(asked).toBe(0);
	});

	test("shows no secret of the environment", async () => {
		shop.write({
			"p.ts": `export default (amp) => {
	amp.on(process.env.MY_API_TOKEN, () => {});
	void Promise.reject(new Error("not with " + process.env.MY_API_TOKEN));
	throw new Error("no entry for " + process.env.MY_API_TOKEN);
};
`,
		});
		const report = await shop.validate(["p.ts"], { env: { MY_API_TOKEN: "hunter2-hunter2" } });
		expect(report.plugins[0]?.problems).toHaveLength(3);
		expect(JSON.stringify(report)).not.toContain("hunter2");
		expect(JSON.stringify(report)).toContain("[secret]");
	});
});

describe("a plugin that never comes to its end", () => {
	test("is told of in its stage, and its process ends", async () => {
		shop.write({
			"await.ts": "await new Promise(() => {});\nexport default () => {};\n",
			"hang.ts": "export default () => new Promise(() => {});\n",
			"busy.ts": `import { writeFileSync } from "node:fs";
writeFileSync(${JSON.stringify(shop.shared("busy"))}, String(process.pid));
export default () => {
	for (;;);
};
`,
		});
		const limits = { load: { readyMs: 3_000 }, stop: { interruptMs: 200 } };
		const { plugins } = await shop.validate(["await.ts", "hang.ts", "busy.ts"], { limits });
		const told = plugins.flatMap(({ problems }) =>
			problems.map(({ plugin, code, stage }) => `${plugin} ${code} ${stage}`),
		);
		expect(told.sort()).toEqual([
			"await ready_timeout import",
			"busy ready_timeout activate",
			"hang ready_timeout activate",
		]);
		expect(plugins[0]?.problems[0]?.hint).toContain("Await only what loading needs");
		shop.watch(Number(readFileSync(shop.shared("busy"), "utf8")));
	});

	test("ends at once when examining is given up", async () => {
		shop.write({
			"hang.ts": `import { renameSync, writeFileSync } from "node:fs";
export default () => {
	writeFileSync(${JSON.stringify(shop.shared("part"))}, String(process.pid));
	renameSync(${JSON.stringify(shop.shared("part"))}, ${JSON.stringify(shop.shared("hang"))});
	return new Promise(() => {});
};
`,
		});
		const giveUp = new AbortController();
		const examined = shop.validate(["hang.ts"], { signal: giveUp.signal });
		while (!existsSync(shop.shared("hang"))) await Bun.sleep(5);
		giveUp.abort(new Error("never mind"));
		await expect(examined).rejects.toThrow("never mind");
		shop.watch(Number(readFileSync(shop.shared("hang"), "utf8")));
	});
});

describe("a refusal", () => {
	test("gives the plugin something that does nothing, so that it goes on", async () => {
		shop.write({
			"p.ts": `export default async (amp) => {
	const { registerTool, createAgent } = amp;
	registerTool({ name: "no good" }).unsubscribe();
	const command = amp.registerCommand("", {}, 1);
	command.setAvailability({ type: "hidden" });
	command.unsubscribe();
	amp.on("no.event", () => {}).unsubscribe();
	using link = amp.registerLinkPattern({});
	(await amp.createWebhook({})).url.startsWith("http");
	const agent = createAgent({});
	amp.experimental.registerAgentMode({ key: "k", label: "K", agent: agent.definition });
	await agent.run("a").catch(() => {});
	amp.registerCommand("reached", { title: "Reached" }, () => {});
};
`,
		});
		const { plugins } = await shop.validate(["p.ts"]);
		expect(plugins.flatMap(({ problems }) => problems.map(({ code, line }) => `${code} ${line}`))).toEqual([
			"invalid_registration 3",
			"invalid_registration 4",
			"invalid_registration 8",
			"invalid_registration 9",
			"invalid_registration 10",
			"unknown_event 7",
		]);
		expect(plugins[0]?.commands.map(({ id }) => id)).toEqual(["reached"]);
		expect(plugins[0]?.modes).toEqual([]);
	});

	test("is no duplicate of what was unsubscribed before", async () => {
		shop.write({
			"p.ts": `export default (amp) => {
	const tool = { name: "t", description: "d", inputSchema: { type: "object" }, execute() {} };
	amp.registerTool(tool).unsubscribe();
	amp.registerTool(tool);
};
`,
		});
		const { plugins } = await shop.validate(["p.ts"]);
		expect(plugins[0]?.problems).toEqual([]);
		expect(plugins[0]?.tools.map(({ name }) => name)).toEqual(["t"]);
	});
});
