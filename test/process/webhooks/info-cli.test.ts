import { expect, test } from "bun:test";
import { createDesk } from "../cli/support.ts";

const desk = createDesk();

test("info shows the webhooks of a plugin and how many events wait, never their URLs", async () => {
	await desk.write({
		"hook.ts": `export default async (amp) => {
			const { url } = await amp.createWebhook({ key: "build", handler: () => new Promise(() => {}) });
			await Promise.all(["1", "2"].map((body) => fetch(url, { method: "POST", body })));
			await Bun.write("url.txt", url);
		};`,
	});
	const people = await desk.run(["--no-places", "-p", "hook.ts", "info", "hook"]);
	const program = await desk.run(["--no-places", "-p", "hook.ts", "info", "hook", "--json"]);
	const url = await Bun.file(desk.path("url.txt")).text();
	expect(people.exitCode).toBe(0);
	expect(people.stdout).toContain("webhooks\n");
	expect(people.stdout).toMatch(/\bbuild +2 waiting\n/);
	expect(JSON.parse(program.stdout).webhooks).toEqual([{ key: "build", pending: 4, failed: 0 }]);
	const [, secret = "", key = ""] = new URL(url).pathname.split("/");
	for (const part of [secret, key]) expect(`${people.stdout}${people.stderr}${program.stdout}`).not.toContain(part);
});
