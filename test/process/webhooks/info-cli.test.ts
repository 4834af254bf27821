import { beforeEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { createHost, loopbackWebhooks, type WebhookRequest } from "../../../host/index.ts";
import { limits } from "../../../runtime/limits.ts";
import { createDesk } from "../cli/support.ts";
import { holds, post } from "./support.ts";

const desk = createDesk();
const file = () => desk.home(".local/state/brood/webhooks.sqlite");

beforeEach(() =>
	desk.write({
		"hook.ts": `import { appendFileSync } from "node:fs";
			export default async (amp) => {
				await amp.createWebhook({ key: "build", headers: ["x-new"], async handler({ headers }) {
					appendFileSync("notes.txt", "begin " + JSON.stringify(headers) + "\\n");
					await Bun.sleep(300);
					appendFileSync("notes.txt", "end\\n");
				} });
				const slow = async () => { await Bun.sleep(300); return "ok"; };
				amp.registerTool({ name: "slow", description: "Slow", inputSchema: { type: "object" }, execute: slow });
				amp.registerCommand("slow", { title: "Slow" }, slow);
				amp.on("agent.start", slow);
			};`,
	}),
);

const brood = (...parameters: string[]) => desk.run(["--no-places", "-p", "hook.ts", ...parameters]);
const webhooks = async (...more: string[]) =>
	JSON.parse((await brood("info", "hook", "--json", ...more)).stdout).webhooks;

/** Receives for the plugin as another host of the workspace would, whose plugin cannot be asked. */
async function receiver(given: Partial<WebhookRequest> = {}) {
	const provider = loopbackWebhooks({ file: file() });
	const { signal } = new AbortController();
	const request: WebhookRequest = {
		workspaceRoot: desk.path(),
		key: "build",
		headers: ["x-old"],
		limits: limits.webhooks,
		deliver: async () => {},
		problem() {},
		inform() {},
		...given,
	};
	return await provider.open(request, { plugin: "hook", signal });
}

/** One event that was accepted and that nobody has handled, as a host leaves it that has ended. */
async function leaveOne(): Promise<string> {
	const notReady = Object.assign(new Error("not now"), { code: "plugin_not_ready" });
	const host = await receiver({
		deliver: () => Promise.reject(notReady),
		limits: { ...limits.webhooks, retryFirstMs: 1, retryLastMs: 1 },
	});
	expect((await post(host.url, "1", { "x-old": "1", "x-new": "2" })).status).toBe(202);
	await host.close();
	return host.url;
}

test("no command delivers what waits, nor listens; a host that stays does", async () => {
	const url = await leaveOne();
	for (const words of [
		["list"],
		["info", "hook"],
		["links", "see ABC-1"],
		["call", "slow", "{}"],
		["run", "slow"],
		["emit", "agent.start"],
		["doctor"],
		["validate", "hook.ts"],
	]) {
		const child = desk.start(["--no-places", "-p", "hook.ts", ...words]);
		const ended = child.exited;
		while (child.exitCode === null) {
			expect(await post(url).catch(() => "refused")).toBe("refused");
			await Promise.race([ended, Bun.sleep(20)]);
		}
		await Promise.all([child.stdout.text(), child.stderr.text()]);
	}
	expect(existsSync(desk.path("notes.txt"))).toBe(false);
	expect(await webhooks()).toEqual([{ key: "build", headers: ["x-new"], pending: 1, failed: 0 }]);

	await using _ = await createHost({
		cwd: desk.path(),
		places: false,
		plugins: [desk.path("hook.ts")],
		providers: { webhooks: loopbackWebhooks({ file: file() }) },
	});
	await holds(async () =>
		(
			await Bun.file(desk.path("notes.txt"))
				.text()
				.catch(() => "")
		).endsWith("end\n"),
	);
	expect(await Bun.file(desk.path("notes.txt")).text()).toBe('begin {"x-old":"1"}\nend\n');
}, 60_000);

test("the URL that a command is given is the one of hosts that receive, before and after the first of them", async () => {
	const [first] = await webhooks("--urls");
	const [second] = await webhooks("--urls");
	expect(second.url).toBe(first.url);
	const host = await receiver();
	expect(host.url).toBe(first.url);
	expect((await post(host.url)).status).toBe(202);
	expect((await webhooks("--urls"))[0].url).toBe(first.url);
	await host.close();
	expect((await webhooks("--urls"))[0].url).toBe(first.url);
});

test("a command does not change which headers a running host gets", async () => {
	const seen: Record<string, string>[] = [];
	const host = await receiver({ deliver: async ({ headers }) => void seen.push(headers) });
	await brood("list");
	await post(host.url, "1", { "x-old": "1", "x-new": "2" });
	await holds(() => seen.length === 1);
	await host.close();
	expect(seen).toEqual([{ "x-old": "1" }]);
});

test("info shows the webhooks of a plugin and how many events wait, their URLs only where they are asked for", async () => {
	const url = await leaveOne();
	const people = await brood("info", "hook");
	const program = await brood("info", "hook", "--json");
	expect(people.exitCode).toBe(0);
	expect(people.stdout).toContain("webhooks\n");
	expect(people.stdout).toMatch(/\bbuild +1 waiting *\n?/);
	const [, secret = "", key = ""] = new URL(url).pathname.split("/");
	for (const part of [secret, key]) expect(`${people.stdout}${people.stderr}${program.stdout}`).not.toContain(part);
	expect((await brood("info", "hook", "--urls")).stdout).toMatch(new RegExp(`build +1 waiting +${RegExp.escape(url)}`));
});
