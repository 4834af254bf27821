import { expect } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { noUI } from "../../../host/ui/none.ts";
import { createSamples } from "./support.ts";

const sample = createSamples();

sample(
	"settings-cycle",
	"writes, deletes and hears its setting, and stops to listen at the end",
	async ({ load, path }) => {
		const { run, until, host } = await load();
		const shows = (shown: string) => until("statusItems", ({ items }) => items.some(({ text }) => text === shown));
		await shows("voice: off");
		await run("voice");
		expect(await Bun.file(path(".brood/settings.json")).json()).toEqual({ "voice.on": true });
		await shows("voice: on");
		await run("voice");
		expect(await Bun.file(path(".brood/settings.json")).json()).toEqual({});
		await until("statusItems", ({ items }) => items[0]?.text === "voice: off");
		await host.stop();
	},
);

sample("observes-with-pipe", "hears settings and the active thread through its own operators", async ({ load }) => {
	const { host, logged } = await load();
	await logged("observes-with-pipe", "goal: none");
	await logged("observes-with-pipe", "thread: none");
	host.threads?.create({ id: "T-1" });
	host.threads?.setActive("T-1");
	await logged("observes-with-pipe", "thread: T-1");
});

sample("agent-modes", "has both modes as its comments announce them, with colour and tools", async ({ load }) => {
	const { host } = await load();
	expect(host.modes.list().map(({ item }) => item)).toMatchObject([
		{
			key: "architect",
			label: "Architect",
			color: "#3366ff",
			agent: { extends: { extends: "high" }, instructions: "Only plan.", tools: { exclude: ["edit_*"] } },
		},
		{ key: "tester", label: "Tester", agent: { model: "acme/large" } },
	]);
});

sample("pure-mode", "has one mode by the older names, and registers nothing else", async ({ load }) => {
	const { plugin } = await load();
	expect(plugin()).toMatchObject({ commands: [], tools: [], events: [], skills: [], links: [] });
	expect(plugin().modes).toMatchObject([{ key: "terse", agent: { name: "terse", model: "acme/small" } }]);
});

sample("asks-for-input", "asks twice, and what is secret stands nowhere", async ({ load }) => {
	const { host, run, record, told, plugin, wire } = await load({ answers: ["grace", "s3cret-token", null] });
	expect(plugin().commands).toMatchObject([{ id: "login", category: "Tracker" }]);
	await run("login");
	expect(told()).toEqual(["logged in as grace"]);
	await run("login");
	expect(record.map(({ kind }) => kind)).toEqual(["input", "input", "notify", "input"]);
	expect(host.plugins.log("asks-for-input").map(({ message }) => message)).toEqual(["token is [secret]"]);
	expect(JSON.stringify([record, wire("asks-for-input")])).not.toContain("s3cret-token");
});

sample("confirms-first", "lets the person decide", async ({ load }) => {
	const { host } = await load({ answers: [true, false] });
	const push = { tool: "Bash", input: { cmd: "git push" } };
	expect((await host.emit("tool.call", push)).result).toBeNull();
	expect((await host.emit("tool.call", push)).result).toEqual({
		action: "reject-and-continue",
		message: "The person said no.",
	});
});

sample(
	"edits-a-form",
	"gets the edited texts without the image, and nothing when it is cancelled",
	async ({ load }) => {
		const { run, told } = await load({ answers: [{ title: "It works", body: "" }, null] });
		await run("file-ticket");
		await run("file-ticket");
		expect(told()).toEqual(["filed body+title: It works", "dropped"]);
	},
);

sample("without-ui", "knows the error of a host without a UI, and rejects by itself", async ({ load }) => {
	const call = { tool: "Bash", input: {} };
	const { host, told } = await load();
	expect((await host.emit("tool.call", call)).result).toBeNull();
	expect(told()).toEqual(["about to run"]);
	const alone = await load({ providers: { ui: noUI() } });
	expect((await alone.host.emit("tool.call", call)).result).toEqual({
		action: "reject-and-continue",
		message: "Nobody is here to ask.",
	});
});

sample("local-only", "has its command on this machine, and opens the workspace as a URI", async ({ load, path }) => {
	const opened: string[] = [];
	const { run, plugin } = await load({ providers: { system: { open: async (url) => void opened.push(url) } } });
	expect(plugin().commands).toMatchObject([{ id: "reveal", description: expect.stringMatching(/^via https?:$/) }]);
	await run("reveal");
	expect(opened).toEqual([Bun.pathToFileURL(path()).href]);
});

sample("status-of-work", "runs its command from the status item, disables it, and hides the item", async ({ load }) => {
	const { host, run, until } = await load();
	const [item] = host.statusItems.list();
	expect(item).toMatchObject({ text: "idle", url: "command:pause" });
	await host.statusItems.activate("status-of-work", item?.id ?? -1);
	await until("statusItems", ({ items }) => items[0]?.text === "paused");
	const disabled = () => host.commands.list().some(({ item: { availability } }) => availability?.type === "disabled");
	if (!disabled()) await until("registry", disabled);
	await expect(host.commands.run("pause")).rejects.toMatchObject({ code: "command_disabled" });
	await run("hide");
	await until("statusItems", ({ items }) => items.length === 0);
});

sample("links-tickets", "links the names of tickets, until it takes the pattern back", async ({ load }) => {
	const { host, run, until } = await load();
	const found = async () => (await host.links.resolve("see APP-12, not app-13")).map(({ href }) => href);
	expect(await found()).toEqual(["https://tickets.example.com/APP/12"]);
	await run("unlink");
	if (host.links.list().length > 0) await until("registry", () => host.links.list().length === 0);
	expect(await found()).toEqual([]);
});

sample("writes-commit-message", "gets text, an object by its schema, and a judgement", async ({ load }) => {
	const prompts: string[] = [];
	const { run, told } = await load({
		providers: {
			ai: {
				ask: async ({ model }) => ({ result: "uncertain", probability: 0.5, reason: model ?? "" }),
				generate: async ({ prompt, schema }) => {
					prompts.push(prompt);
					return schema === undefined ? "a summary" : { subject: "Say it", breaking: true };
				},
			},
		},
	});
	await run("commit");
	expect(prompts).toEqual(["Summarise the change.", "Write a commit message for: a summary"]);
	expect(told()).toEqual(["Say it! (uncertain, 0.5)"]);
});

sample("uploads-a-shot", "gives back the address of what it uploaded", async ({ load }) => {
	const { host } = await load({
		providers: { attachments: { upload: async () => ({ url: "https://files.example.com/1.png" }) } },
	});
	const { content } = await host.tools.call("screenshot", {}, { events: false });
	expect(content).toEqual([{ type: "image", mimeType: "image/png", url: "https://files.example.com/1.png" }]);
});

sample("shell-scripts", "hands bash and python their scripts in one piece", async ({ load, path }) => {
	// Which of them a machine has, and what its profile prints, is not what this is about.
	const bin = path("bin");
	mkdirSync(bin);
	writeFileSync(`${bin}/bash`, '#!/bin/sh\n[ "$1" = -lc ] && exec sh -c "$2"\n');
	writeFileSync(`${bin}/python3`, '#!/bin/sh\nprintf "%s|%s|%s" "$1" "$2" "$3"; exit 3\n');
	for (const name of ["bash", "python3"]) chmodSync(`${bin}/${name}`, 0o755);
	const { run, told } = await load({ variables: { PATH: `${bin}:${process.env.PATH}` } });
	await run("scripts");
	const program = 'import sys\nif len(sys.argv) > 1:\n    print("it\'s " + sys.argv[1])';
	expect(JSON.parse(told()[0] ?? "")).toEqual([["<one>", "<two three>"], `-c|${program}|a "quoted" $HOME`, 3]);
});

sample("shell-pipes", "gets the end of a pipe and the exit code of a list", async ({ load }) => {
	const { ask } = await load();
	expect(await ask("longest", { words: ["a", 'it\'s "long"', "$HOME"] })).toEqual({
		longest: '11 it\'s "long"',
		missing: "none",
		exitCode: 3,
	});
});
