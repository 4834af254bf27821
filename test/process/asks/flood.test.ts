import { describe, expect, test } from "bun:test";
import { rmSync, statSync, writeFileSync } from "node:fs";
import { createBench, type Running } from "../support/host.ts";

const bench = createBench();
const alone = { events: false };
const tool = (name: string, execute: string) =>
	`amp.registerTool({ name: "${name}", description: "", inputSchema: { type: "object" }, execute: ${execute} });`;
const plugin = (body: string) => `export default (amp) => { ${body} };`;
const quiet = plugin(tool("echo", "() => 'echo'"));
const narrow = { limits: { wire: { askingMsPerSecondMax: 20 } } };

/** Lets the other plugin answer again and again, until the flood has had its time. */
async function echoes({ host }: Running, ms: number): Promise<number> {
	const end = performance.now() + ms;
	let count = 0;
	while (performance.now() < end) {
		expect((await host.tools.call("echo", {}, alone)).text).toBe("echo");
		count += 1;
	}
	return count;
}

describe("a plugin that asks without pause", () => {
	test("for large settings gets few of them in a second, and another plugin is served meanwhile", async () => {
		const settings = { text: "x".repeat(900_000) };
		const flood = `async () => {
			for (let n = 0; n < 200; n++) (async () => { for (;;) await amp.configuration.get().catch(() => {}); })();
			return "begun";
		}`;
		let asked = 0;
		const get = async () => {
			asked += 1;
			return settings;
		};
		const options = { ...narrow, providers: { configuration: { get } } };
		const running = await bench.start({ evil: plugin(tool("go", flood)), quiet }, options);
		await running.host.tools.call("go", {}, alone);
		expect(await echoes(running, 1_500)).toBeGreaterThan(20);
		expect(asked).toBeGreaterThan(0);
		// Each takes some tenths of a millisecond.
		expect(asked).toBeLessThan(300);
	});

	test("for skills gets them read one after the other, within its share of time", async () => {
		const matter = `name: sk\\ndescription: d\\n${Array.from({ length: 500 }, (_, n) => `k${n}: ${"[".repeat(3)}${"]".repeat(3)}`).join("\n")}`;
		bench.write("evil/skills/sk/SKILL.md", `---\n${matter.replaceAll("\\n", "\n")}\n---\n${"\n".repeat(500_000)}`);
		const flood = `async () => {
			for (let n = 0; n < 200; n++) amp.registerSkill({ path: "skills/sk" }).catch(() => {});
			return "begun";
		}`;
		const running = await bench.start({ "evil/index.ts": plugin(tool("go", flood)), quiet }, narrow);
		await running.host.tools.call("go", {}, alone);
		expect(await echoes(running, 1_500)).toBeGreaterThan(20);
		const told = running
			.frames("evil")
			.filter((frame) => frame.method === "skill.register" && frame.direction === "out");
		expect(told.length).toBeLessThan(10);
	});

	test("to open URLs has a few opened at a time, and all in the end", async () => {
		let open = 0;
		let most = 0;
		const opened: string[] = [];
		const system = {
			async open(url: string) {
				most = Math.max(most, ++open);
				opened.push(url);
				await Bun.sleep(1);
				open -= 1;
			},
		};
		const go = `async () => {
			await Promise.all(Array.from({ length: 60 }, (_, n) => amp.system.open("https://example.com/" + n)));
			return "opened";
		}`;
		const { host } = await bench.start({ evil: plugin(tool("go", go)) }, { providers: { system } });
		expect((await host.tools.call("go", {}, alone)).text).toBe("opened");
		expect({ most, opened }).toEqual({
			most: 4,
			opened: Array.from({ length: 60 }, (_, n) => `https://example.com/${n}`),
		});
	});
});

describe("the cache of the child", () => {
	async function cached<Result>(task: () => Promise<Result>): Promise<Result> {
		const kept = process.env.XDG_CACHE_HOME;
		process.env.XDG_CACHE_HOME = bench.path("cache");
		try {
			return await task();
		} finally {
			if (kept === undefined) delete process.env.XDG_CACHE_HOME;
			else process.env.XDG_CACHE_HOME = kept;
		}
	}
	const entryOf = (host: Running["host"]) => {
		const { stdout } = Bun.spawnSync(["ps", "-o", "args=", "-p", String(host.plugins.get("quiet").pid)]);
		return /\S+\/entry\.(?:js|ts)/.exec(stdout.toString())?.[0] ?? "";
	};

	test("may be deleted while a host runs: its plugins still start", async () => {
		const { host } = await cached(() => bench.start({ quiet }));
		expect(entryOf(host)).toEndWith("entry.js");
		rmSync(bench.path("cache"), { recursive: true });
		await host.reload("quiet");
		expect((await host.tools.call("echo", {}, alone)).text).toBe("echo");
		expect(entryOf(host)).toEndWith("entry.ts");
	});

	test("may hold a wrong file that looks right: the launch that it spoils is the last one", async () => {
		const { host } = await cached(() => bench.start({ quiet }));
		const entry = entryOf(host);
		await host.stop();
		Bun.spawnSync(["cp", "-p", entry, bench.path("whole")]);
		writeFileSync(entry, " ".repeat(statSync(entry).size));
		Bun.spawnSync(["touch", "-r", bench.path("whole"), entry]);
		const spoilt = await cached(() => bench.start({ quiet }));
		expect(spoilt.host.plugins.get("quiet")).toMatchObject({ state: "failed", error: { stage: "client.info" } });
		await spoilt.host.reload("quiet");
		expect((await spoilt.host.tools.call("echo", {}, alone)).text).toBe("echo");
		const next = await cached(() => bench.start({ quiet }));
		expect(next.host.plugins.get("quiet").state).toBe("ready");
	});
});
