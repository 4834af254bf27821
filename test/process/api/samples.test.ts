import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import type { UIProvider } from "../../../host/contracts/providers.ts";
import { createBench } from "../support/host.ts";

const bench = createBench();
const samples = resolve(import.meta.dir, "../../types/samples");

test("the samples that the compiler reads are plugins that load and work", async () => {
	const told: string[] = [];
	const ui: UIProvider = {
		available: true,
		notify: async ({ message }) => void told.push(message),
		input: async () => "typed",
		confirm: async () => true,
		form: async () => ({ body: "edited" }),
		select: async ({ options }) => options.at(-1),
	};
	const { host } = await bench.start({}, { plugins: [samples], providers: { ui } });
	const states = host.plugins.list().map(({ name, state, error }) => ({ name, state, error: error?.message }));
	const names = readdirSync(samples).map((file) => file.replace(/\.ts$/, ""));
	expect(states).toEqual(names.sort().map((name) => ({ name, state: "ready", error: undefined })));
	expect(host.tools.list().map(({ key }) => key)).toEqual(["greet", "add", "blocks", "nothing", "object", "typed"]);
	expect(host.modes.list().map(({ key }) => key)).toEqual(["amp-names", "old", "sample-review"]);
	const quiet = { events: false };
	expect((await host.tools.call("add", { a: 1, b: 2 }, quiet)).text).toBe("3");
	expect((await host.tools.call("object", { path: "p" }, quiet)).text).toBe('{"given":"p"}');
	expect((await host.tools.call("nothing", {}, quiet)).text).toBe("");
	expect(await host.tools.call("blocks", {}, quiet)).toMatchObject({ content: [{}, { data: "AAAA" }, {}] });
	await host.commands.run("ui:ask");
	expect(told).toEqual(["loaded", "adding", "true,edited,B,1,5"]);
});
