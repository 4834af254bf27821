import { describe, expect, test } from "bun:test";
import { createThreads, loopbackWebhooks, openAI } from "../../../host/index.ts";
import { scriptedUI } from "../../../host/ui/scripted.ts";
import { isBroodError } from "../../../runtime/errors.ts";
import { rejection } from "../../unit/runtime/support.ts";
import { createBench } from "../support/host.ts";

const bench = createBench();

/** What a program in JavaScript can pass. */
const start = (options: unknown, plugins: Record<string, string> = {}) => bench.start(plugins, options as never);
const thrown = (task: () => unknown): unknown => {
	try {
		return task();
	} catch (error) {
		return error;
	}
};
const ui = scriptedUI([]);

describe("createHost refuses", () => {
	test.each<[string, object, string]>([
		["a folder that is not there", { cwd: "/no/such/folder" }, '"cwd" of createHost cannot be used: /no/such/folder: '],
		["a file as its folder", { cwd: import.meta.path }, "is no directory"],
		["an option that is misspelt", { pluginss: [] }, 'createHost has no option "pluginss"; is it "plugins"?'],
		["an option that there is not", { xyzzy: 1 }, 'createHost has no option "xyzzy"; there are cwd, plugins, places'],
		[
			"a path in the place of a list",
			{ plugins: "x.ts" },
			'"plugins" of createHost is a list of paths, not the text "x.ts"',
		],
		["a list of no paths", { plugins: [1] }, "is a list of paths, not a list of 1"],
		["a text in the place of a switch", { places: "no" }, '"places" of createHost is true or false, not the text "no"'],
		[
			"another failure of gates",
			{ toolCallFailure: "ignore" },
			'"toolCallFailure" of createHost is "reject" or "allow"',
		],
		["a listener that is none", { observe: {} }, '"observe" of createHost is a function, not an object'],
		["a sink that is none", { log: [] }, '"log" of createHost is a function, not a list of 0'],
		[
			"an environment of numbers",
			{ env: { A: 1 } },
			'"env" of createHost is "inherit", "minimal" or an object of texts',
		],
		["a client without a name of its own", { client: { naem: "x" } }, 'client has no option "naem"; is it "name"?'],
		["another form of launch", { launch: { form: "exec" } }, '"form" of launch is "be-bun" or "custom"'],
		[
			"a launch without a list",
			{ launch: { form: "custom", command: "sh" } },
			'"command" of launch is a list of texts',
		],
		["a store that keeps nothing", { enablement: { read() {} } }, "enablement lacks the method write"],
		["an install that is none", { install: "yes" }, 'install is "auto", "off"'],
		["a limit that there is not", { limits: { load: { readyms: 1 } } }, 'limits.load has no "readyms"'],
		["a provider that there is not", { providers: { uii: ui } }, 'providers has no option "uii"; is it "ui"?'],
		[
			"a provider that is a function",
			{ providers: { ai: () => {} } },
			'"ai" of providers is an object, not a function',
		],
		["a list of providers", { providers: [] }, '"providers" of createHost is an object, not a list of 0'],
		[
			"a UI without methods",
			{ providers: { ui: {} } },
			"providers.ui lacks the methods notify, input, confirm, form, select",
		],
		["a UI that lacks one", { providers: { ui: { ...ui, form: 1 } } }, "providers.ui lacks the method form."],
		[
			"a UI that may be there",
			{ providers: { ui: { ...ui, available: "yes" } } },
			"providers.ui.available is true or false",
		],
		[
			"settings that cannot be read",
			{ providers: { configuration: {} } },
			"providers.configuration lacks the method get",
		],
		[
			"threads without the active one",
			{ providers: { threads: { ...createThreads(), activeThread: 1 } } },
			"activeThread",
		],
	])("%s, and says what is allowed", async (_, options, told) => {
		const error = await rejection(start(options));
		expect(isBroodError(error, "usage")).toBe(true);
		expect(String(error)).toContain(told);
	});

	test("anything but an object of options", async () => {
		for (const options of ["x.ts", ["x.ts"], null]) {
			const { createHost } = await import("../../../host/index.ts");
			const error = await rejection(createHost(options as never));
			expect(isBroodError(error, "usage") && error.message).toContain("createHost takes an object of cwd, plugins");
		}
	});

	test("before anything starts", async () => {
		const marks = `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(bench.path("started"))}, "");
			export default () => {};`;
		const seen: string[] = [];
		const observe = ({ type }: { type: string }) => seen.push(type);
		await rejection(start({ providers: { ui: {} }, observe }, { marks }));
		expect({ seen, started: await Bun.file(bench.path("started")).exists() }).toEqual({ seen: [], started: false });
	});
});

test("createHost takes what providers have besides, and options that are left out", async () => {
	class Settings {
		#all = { a: 1 };
		async get() {
			return this.#all;
		}
		more() {}
	}
	const providers = { configuration: new Settings(), ui, ai: undefined, threads: createThreads() };
	const options = {
		providers,
		env: { ...process.env, ABSENT: undefined },
		limits: undefined,
		client: { name: "c", version: "1" },
	};
	const plugin = `export default (amp) => amp.registerTool({ name: "settings", description: "", inputSchema: { type: "object" },
		execute: async () => JSON.stringify(await amp.configuration.get()) });`;
	const { host } = await start(options, { plugin });
	expect((await host.tools.call("settings", {})).text).toBe('{"a":1}');
});

test.each<[string, () => unknown, string]>([
	[
		"createThreads of a list",
		() => createThreads([{ id: "T-1" }] as never),
		"createThreads takes an object of messageExcerptCharsMax, not a list of 1",
	],
	[
		"createThreads with another option",
		() => createThreads({ messages: [] } as never),
		'createThreads has no option "messages"',
	],
	[
		"openAI of a text",
		() => openAI("http://x" as never),
		'openAI takes an object of url, model, key, limits, not the text "http://x"',
	],
	[
		"openAI with a misspelt option",
		() => openAI({ url: "http://x", modle: "m" } as never),
		'openAI has no option "modle"; is it "model"?',
	],
	["openAI without a server", () => openAI({} as never), "openAI needs the url of a server"],
	[
		"openAI with a limit that there is not",
		() => openAI({ url: "http://x", limits: { answer: 1 } as never }),
		'limits.ai has no "answer"',
	],
	[
		"loopbackWebhooks with a misspelt option",
		() => loopbackWebhooks({ publicUrl: "http://x" } as never),
		'loopbackWebhooks has no option "publicUrl"; is it "publicURL"?',
	],
	[
		"loopbackWebhooks of another kind",
		() => loopbackWebhooks({ file: 1 } as never),
		'"file" of loopbackWebhooks is a text, not 1',
	],
])("%s is refused", (_, task, told) => {
	const error = thrown(task);
	expect(isBroodError(error, "usage")).toBe(true);
	expect(String(error)).toContain(told);
});
