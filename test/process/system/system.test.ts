import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import type { User } from "../../../host/index.ts";
import { createBench } from "../support/host.ts";

const bench = createBench();

const plugin = `
const first = {};
export default (amp) => {
	first.root = amp.system.workspaceRoot;
	const { system } = amp;
	const told = {
		facts: () => {
			const { workspaceRoot, ampURL, user, executor } = system;
			return {
				root: workspaceRoot && { text: workspaceRoot.toString(), template: \`\${workspaceRoot}\`, path: workspaceRoot.fsPath, scheme: workspaceRoot.scheme, json: JSON.stringify(workspaceRoot), isStable: workspaceRoot === first.root },
				url: [ampURL instanceof URL, ampURL.href],
				user,
				kind: executor.kind,
			};
		},
		open: ({ url }) => system.open(url === "as object" ? new URL("https://example.com/a b") : url).then(() => "opened", (error) => error.code),
	};
	for (const name of Object.keys(told))
		amp.registerTool({ name, description: "", inputSchema: { type: "object" }, execute: (input) => told[name](input) });
	amp.on("agent.start", (event, ctx) => ({ message: { content: String(ctx.system === amp.system) } }));
	amp.registerCommand("same", { title: "Same" }, (ctx) => amp.logger.log("same " + (ctx.system === amp.system)));
};`;

const user: User = {
	id: "U-1",
	email: "ada@example.com",
	firstName: "Ada",
	lastName: null,
	username: "ada",
	workspace: { id: "W-1", name: "analytical", displayName: "Analytical Engines" },
};

test("the workspace is a file URI, one and the same object for the life of the process, whatever its name holds", async () => {
	const cwd = `${bench.path("")}a b #1 %é`;
	mkdirSync(cwd, { recursive: true });
	const { host } = await bench.start({ p: plugin }, { cwd });
	const { root } = JSON.parse((await host.tools.call("facts", {})).text);
	const text = Bun.pathToFileURL(cwd).href;
	expect(root).toEqual({ text, template: text, path: cwd, scheme: "file", json: JSON.stringify(text), isStable: true });
	expect(JSON.parse((await host.tools.call("facts", {})).text).root).toEqual(root);
});

test("the base URL is a URL, Amp's own unless the host says another; without a user there is null", async () => {
	const { host } = await bench.start({ p: plugin });
	const facts = JSON.parse((await host.tools.call("facts", {})).text);
	expect(facts).toMatchObject({ url: [true, "https://ampcode.com/"], user: null, kind: "local" });
});

test("the user and the base URL are the host's, each member as it was given", async () => {
	const client = { name: "mine", version: "1.0.0", url: "http://127.0.0.1:8080/base" };
	const { host } = await bench.start({ p: plugin }, { client, providers: { system: { open: async () => {}, user } } });
	const facts = JSON.parse((await host.tools.call("facts", {})).text);
	expect(facts.url).toEqual([true, client.url]);
	expect(facts.user).toEqual(user);
});

test("contexts have the same system", async () => {
	const { host, logged } = await bench.start({ p: plugin });
	const { result } = await host.emit("agent.start", { message: "m", id: "1" });
	expect(result).toMatchObject({ messages: [{ content: "true" }] });
	await host.commands.run("same");
	await logged("p", "same true");
});

test("open gives the provider a URL as it would stand in a browser, and refuses what no browser should be given", async () => {
	const opened: string[] = [];
	const system = { open: async (url: string) => void opened.push(url) };
	const { host } = await bench.start({ p: plugin }, { providers: { system } });
	const open = async (url: string) => (await host.tools.call("open", { url })).text;
	const good = ["https://example.com", "as object", "mailto:a@example.com", "file:///tmp/x", "http://[::1]:1/"];
	for (const url of good) expect(await open(url)).toBe("opened");
	for (const url of ["", "no url", "javascript:alert(1)", "data:text/html,x", "vscode://x", "--help"])
		expect([url, await open(url)]).toEqual([url, "invalid_params"]);
	expect(opened).toEqual([
		"https://example.com/",
		"https://example.com/a%20b",
		"mailto:a@example.com",
		"file:///tmp/x",
		"http://[::1]:1/",
	]);
});
