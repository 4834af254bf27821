import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { startDev, version } from "./dev-support.ts";
import { createDesk } from "./support.ts";

const desk = createDesk();

/** A plugin that says which process it is in. */
const telling = (number: number) =>
	version("a", number, 'console.log("process " + process.pid + " of version " + DESCRIPTION);').replace(
		"DESCRIPTION",
		String(number),
	);

/** A debugger at a URL: what it asks is answered by the process behind it. */
async function attach(url: string) {
	const socket = new WebSocket(url);
	const answers = new Map<number, (result: unknown) => void>();
	const opened = Promise.withResolvers<void>();
	const closed = Promise.withResolvers<number>();
	socket.addEventListener("open", () => opened.resolve());
	socket.addEventListener("error", () => opened.reject(new Error(`nobody listens at ${url}`)));
	socket.addEventListener("close", ({ code }) => closed.resolve(code));
	socket.addEventListener("message", ({ data }) => {
		const { id, result } = JSON.parse(String(data));
		answers.get(id)?.(result);
	});
	await opened.promise;
	let last = 0;
	const ask = (method: string, params: object = {}) => {
		last += 1;
		const { promise, resolve } = Promise.withResolvers<unknown>();
		answers.set(last, resolve);
		socket.send(JSON.stringify({ id: last, method, params }));
		return promise;
	};
	return {
		closed: closed.promise,
		ask,
		/** What an expression is in there. */
		async evaluate(expression: string): Promise<unknown> {
			const answer = (await ask("Runtime.evaluate", { expression, returnByValue: true })) as {
				result: { value: unknown };
			};
			return answer.result.value;
		},
		[Symbol.dispose]: () => socket.close(),
	};
}

async function started(...parameters: string[]) {
	const dev = startDev(desk, ["dev", "--inspect-at", "0", ...parameters]);
	const [, url = ""] = /(ws:\S+)/.exec(await dev.stderr.see(/ws:\S+\n/)) ?? [];
	return { dev, url };
}

const pidIn = (text: string) => Number(/process (\d+) of/.exec(text)?.[1]);

describe("--inspect", () => {
	test("leads a debugger into the process of its plugin, and after a reload into the next one, at one URL", async () => {
		await desk.write({ "one.ts": telling(1), "two.ts": version("b", 1, 'console.log("flags " + process.execArgv);') });
		const { dev, url } = await started("--inspect", "one", "one.ts", "two.ts");
		await using _ = dev;
		expect(url).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/[\da-f-]{36}$/);
		expect(dev.stderr.text()).toContain(`https://debug.bun.sh/#${url.slice("ws://".length)}\n`);
		await dev.stderr.see("Watching 2 plugins.\n");
		using first = await attach(url);
		expect(await first.evaluate("process.pid")).toBe(pidIn(dev.stderr.text()));
		expect(await first.evaluate("String(process.execArgv)")).toContain("--inspect=");
		await desk.write({ "one.ts": telling(2) });
		const pid = pidIn(await dev.stderr.see("of version 2\n"));
		await dev.stdout.see("reload   one");
		// The old process has ended, and its debugger is told that another one comes.
		expect(await first.closed).toBe(1012);
		using second = await attach(url);
		expect(await second.evaluate("process.pid")).toBe(pid);
		expect(dev.stderr.text()).toMatch(/\[two\] flags .*--no-orphans/);
		expect(dev.stderr.text()).not.toMatch(/\[two\] flags .*--inspect/);
		// Bun prints nothing of it among what the plugin prints.
		expect(dev.stderr.text()).not.toContain("Bun Inspector");
	});

	test("gives its plugin any time to become ready, and no other", async () => {
		const slow = (name: string) => `await Bun.sleep(1_500);\n${version(name, 1)}`;
		await desk.write({ "one.ts": slow("a"), "two.ts": slow("b") });
		const { dev } = await started("--ready-timeout", "500", "--inspect", "one", "one.ts", "two.ts");
		await using _ = dev;
		await dev.stdout.see(/failed {3}two /);
		await dev.stdout.see(/ready {4}one /);
	});

	test("tells a program the URL as JSON on stderr", async () => {
		await desk.write({ "one.ts": version("a", 1) });
		await using dev = startDev(desk, ["dev", "--json", "--inspect-at", "0", "--inspect", "one", "one.ts"]);
		const { inspect } = JSON.parse(await dev.stderr.see("\n"));
		expect(inspect).toEqual({
			plugin: "one",
			url: expect.stringMatching(/^ws:/),
			page: expect.stringMatching(/^https:/),
		});
		using debug = await attach(inspect.url);
		expect(await debug.evaluate("1 + 1")).toBe(2);
	});

	test("lets nobody in who does not know the path", async () => {
		await desk.write({ "one.ts": version("a", 1) });
		const { dev, url } = await started("--inspect", "one", "one.ts");
		await using _ = dev;
		await expect(attach(new URL("/guessed", url).href)).rejects.toThrow("nobody listens");
	});
});

test("a port that is taken names the option for another one, and leaves no folder behind", async () => {
	await desk.write({ "one.ts": version("a", 1), "tmp/readme.md": "" });
	using taken = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
	const parameters = ["dev", "--inspect", "one", "--inspect-at", String(taken.port), "one.ts"];
	const { exitCode, stderr } = await desk.run(parameters, { env: { TMPDIR: desk.path("tmp") } });
	expect(stderr).toContain("another port with --inspect-at");
	expect(exitCode).toBe(2);
	expect(readdirSync(desk.path("tmp")).filter((name) => name.startsWith("brood-inspect-"))).toEqual([]);
});

test("--inspect-brk lets a process begin only when a debugger says so, and all others run", async () => {
	await desk.write({ "one.ts": telling(1), "two.ts": version("b", 1) });
	const { dev, url } = await started("--inspect-brk", "one", "one.ts", "two.ts");
	await using _ = dev;
	expect(dev.stderr.text()).toContain("one waits for a debugger at ws://");
	await dev.stdout.see(/ready {4}two /);
	await dev.stderr.see("Watching 2 plugins.\n");
	expect(dev.stderr.text()).not.toContain("of version 1");
	using first = await attach(url);
	await first.ask("Inspector.enable");
	await first.ask("Debugger.enable");
	await first.ask("Inspector.initialized");
	await first.ask("Debugger.resume");
	await dev.stdout.see(/ready {4}one /);
	await desk.write({ "one.ts": telling(2) });
	await dev.stderr.see("one waits for a debugger at ws://");
	expect(await first.closed).toBe(1012);
	using debug = await attach(url);
	await debug.ask("Inspector.enable");
	await debug.ask("Inspector.initialized");
	await dev.stdout.see(/reload {3}one /);
});
