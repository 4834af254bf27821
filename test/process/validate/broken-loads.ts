import type { BrokenPlugin } from "./support.ts";

/** Plugins that do not load, each with all that is told of it. */
export const brokenLoads: BrokenPlugin[] = [
	{
		name: "nothing",
		files: { "nothing.ts": "" },
		problems: [
			'error no_default_export import nothing.ts Plugin "nothing" must export a default function: it exports nothing instead',
		],
		hints: ['Write "export default function (amp) { … }"'],
	},
	{
		name: "named-only",
		files: { "named-only.ts": lines("export const register = () => {};", "export const other = 1;") },
		problems: [
			'error no_default_export import named-only.ts Plugin "named-only" must export a default function: it exports only other, register instead',
		],
		hints: ['Write "export default function (amp) { … }"'],
	},
	{
		name: "object",
		files: { "object.ts": lines("// A plugin.", "export default { activate() {} };") },
		problems: [
			'error no_default_export import object.ts:2:1 Plugin "object" must export a default function: its default export is of type object instead',
		],
		hints: ['Write "export default function (amp) { … }"'],
	},
	{
		name: "number",
		files: { "number.ts": lines("", "export default 42;") },
		problems: [
			'error no_default_export import number.ts:2:1 Plugin "number" must export a default function: its default export is of type number instead',
		],
		hints: ['Write "export default function (amp) { … }"'],
	},
	{
		name: "class",
		files: { "class.ts": lines("export default class Plugin {", "\tconstructor(amp) {}", "}") },
		problems: [
			'error no_default_export import class.ts:1:1 Plugin "class" must export a default function: it exports a class instead',
		],
		hints: ['Write "export default function (amp) { … }"'],
	},
	{
		name: "null",
		files: { "null.ts": "export default null;\n" },
		problems: [
			'error no_default_export import null.ts:1:1 Plugin "null" must export a default function: its default export is null instead',
		],
		hints: ['Write "export default function (amp) { … }"'],
	},
	{
		name: "throws",
		files: { "throws.ts": lines("export default function () {", '\tthrow new TypeError("no luck");', "}") },
		problems: ['error load_failed activate throws.ts:2:12 Plugin "throws" failed to load: TypeError: no luck'],
	},
	{
		name: "rejects",
		files: {
			"rejects.ts": lines(
				"export default async function () {",
				"\tawait 1;",
				'\tthrow new RangeError("too far");',
				"}",
			),
		},
		problems: ['error load_failed activate rejects.ts:3:12 Plugin "rejects" failed to load: RangeError: too far'],
	},
	{
		name: "throws-text",
		files: { "throws-text.ts": lines("export default () => {", '\tthrow "just text";', "};") },
		problems: ['error load_failed activate - Plugin "throws-text" failed to load: NonError: just text'],
	},
	{
		name: "throws-below",
		files: {
			"throws-below.ts": lines('import { fail } from "./lib/fail.ts";', "export default () => fail();"),
			"lib/fail.ts": lines("export function fail() {", '\tthrow new Error("below");', "}"),
		},
		problems: ['error load_failed activate lib/fail.ts:2:12 Plugin "throws-below" failed to load: Error: below'],
	},
	{
		name: "throws-at-import",
		files: { "throws-at-import.ts": lines("const { home } = undefined;", "export default () => home;") },
		problems: [
			"error load_failed import throws-at-import.ts:2:22 Plugin \"throws-at-import\" failed to load: TypeError: Cannot destructure property 'home' from null or undefined value",
		],
	},
	{
		name: "exits",
		files: { "exits.ts": lines("export default () => {", "\tprocess.exit(3);", "};") },
		problems: [
			'error exited_before_ready activate exits.ts:2:10 Plugin "exits" ended before it was ready: it exited with code 3 in stage activate',
		],
		hints: ["A plugin must not end its process while it loads."],
	},
	{
		name: "exits-at-import",
		files: { "exits-at-import.ts": lines("process.exit(0);", "export default () => {};") },
		problems: [
			'error exited_before_ready import exits-at-import.ts:1:9 Plugin "exits-at-import" ended before it was ready: it exited with code 0 in stage import',
		],
		hints: ["A plugin must not end its process while it loads."],
	},
	{
		name: "killed",
		files: { "killed.ts": lines("export default () => {", '\tprocess.kill(process.pid, "SIGKILL");', "};") },
		problems: [
			'error exited_before_ready activate - Plugin "killed" ended before it was ready: it was ended by SIGKILL in stage activate',
		],
		hints: ["A plugin must not end its process while it loads."],
	},
	{
		name: "misspelt-member",
		files: { "misspelt-member.ts": lines("export default (amp) => {", "\tamp.registerTol({});", "};") },
		problems: [
			"error load_failed activate misspelt-member.ts:2:6 Plugin \"misspelt-member\" failed to load: TypeError: amp.registerTol is not a function. (In 'amp.registerTol({})', 'amp.registerTol' is undefined)",
		],
		hints: ['Did you mean "registerTool"?'],
	},
	{
		name: "misspelt-below",
		files: { "misspelt-below.ts": lines("export default (amp) => {", '\tamp.ui.notfy("a");', "};") },
		problems: [
			"error load_failed activate misspelt-below.ts:2:9 Plugin \"misspelt-below\" failed to load: TypeError: amp.ui.notfy is not a function. (In 'amp.ui.notfy(\"a\")', 'amp.ui.notfy' is undefined)",
		],
		hints: ['Did you mean "ui.notify"?'],
	},
	{
		name: "no-such-export",
		files: {
			"no-such-export.ts": lines('import { b } from "./lib/a.ts";', "export default () => b;"),
			"lib/a.ts": "export const a = 1;\n",
		},
		problems: [
			"error load_failed import - Plugin \"no-such-export\" failed to load: SyntaxError: Export named 'b' not found in module 'lib/a.ts'.",
		],
		hints: ['Did you mean "a"?'],
	},
	{
		name: "directory",
		path: "directory",
		files: { "directory/index.ts": "export default 1;\n" },
		problems: [
			'error no_default_export import directory/index.ts:1:1 Plugin "directory" must export a default function: its default export is of type number instead',
		],
		hints: ['Write "export default function (amp) { … }".'],
	},
	{
		name: "much-wrong",
		files: {
			"much-wrong.ts": lines(
				'export const description = "a" + "b";',
				"export default function (amp) {",
				'\tamp.registerTool({ name: "no good" });',
				'\tamp.on("agent.stop", () => {});',
				'\tvoid Promise.reject(new Error("left alone"));',
				'\tamp.registerTool({ name: "typed", description: "d", inputSchema: { type: "object", properties: { a: { type: "txt" } } }, execute() {} });',
				'\tthrow new Error("at last");',
				"}",
			),
		},
		problems: [
			'error invalid_registration activate much-wrong.ts:3:6 registerTool("no good") was refused: it lacks description, inputSchema, execute; a tool name has 1 to 128 letters, digits, _ or -',
			"error unhandled_rejection activate much-wrong.ts:5:26 nobody handled a rejected promise: Error: left alone",
			'error load_failed activate much-wrong.ts:7:12 Plugin "much-wrong" failed to load: Error: at last',
			'error invalid_schema fetch much-wrong.ts:6:6 the input schema of tool "typed" cannot be used: schema is invalid: data/properties/a/type must be equal to one of the allowed values, data/properties/a/type must be array, data/properties/a/type must match a schema in anyOf',
			'warning description_ignored discover much-wrong.ts:1 the description is ignored: it must be written as export const description = "…"',
			'warning unknown_event activate much-wrong.ts:4:6 on("agent.stop"): there is no such event; there are session.start, tool.call, tool.result, agent.start, agent.end, changes.prompt',
		],
		hints: [
			"",
			"Await it, or catch it.",
			"",
			"Every call of the tool fails until that is mended",
			"",
			'Did you mean "agent.start"?',
		],
	},
	{
		name: "rejection",
		files: {
			"rejection.ts": lines(
				"export default async function (amp) {",
				'\tvoid Promise.reject(new Error("left alone"));',
				"}",
			),
		},
		problems: [
			"error unhandled_rejection activate rejection.ts:2:26 nobody handled a rejected promise: Error: left alone",
		],
		hints: ["Await it, or catch it."],
	},
	{
		name: "late-rejection",
		files: {
			"late-rejection.ts": lines(
				"export default async function (amp) {",
				"\tvoid (async () => {",
				"\t\tawait Bun.sleep(10);",
				'\t\tthrow new Error("later");',
				"\t})();",
				"}",
			),
		},
		problems: [
			"error unhandled_rejection activate late-rejection.ts:4:13 nobody handled a rejected promise: Error: later",
		],
		hints: ["Await it, or catch it."],
	},
	{
		name: "exception",
		files: {
			"exception.ts": lines(
				"export default async function (amp) {",
				"\tsetTimeout(() => {",
				'\t\tthrow new RangeError("in a timer");',
				"\t}, 1);",
				"}",
			),
		},
		problems: [
			"error uncaught_exception activate exception.ts:3:13 nobody caught an exception: RangeError: in a timer",
		],
		hints: ["Catch it where it is thrown."],
	},
];

function lines(...rows: string[]): string {
	return `${rows.join("\n")}\n`;
}
