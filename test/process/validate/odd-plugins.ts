import type { BrokenPlugin } from "./support.ts";

/** Plugins that work, and most likely not as meant. */
export const oddPlugins: BrokenPlugin[] = [
	{
		name: "event-name",
		files: {
			"event-name.ts": lines(
				"export default async function (amp) {",
				'\tamp.on("tool.calls", () => {});',
				'\tamp.on("whatever.happens", () => {});',
				"}",
			),
		},
		problems: [
			'warning unknown_event activate event-name.ts:2:6 on("tool.calls"): there is no such event; there are session.start, tool.call, tool.result, agent.start, agent.end, changes.prompt',
			'warning unknown_event activate event-name.ts:3:6 on("whatever.happens"): there is no such event; there are session.start, tool.call, tool.result, agent.start, agent.end, changes.prompt',
		],
		hints: ['Did you mean "tool.call"?', "The handler is never called; take one of those."],
	},
	{
		name: "no-description",
		files: {
			"no-description.ts": lines(
				"export default async function (amp) {",
				'\tamp.registerTool({ name: "t2", inputSchema: { type: "object" }, execute() {} });',
				'\tamp.registerCommand("c", {}, () => {});',
				"}",
			),
		},
		problems: [
			'warning odd_registration activate no-description.ts:2:6 registerTool("t2"): a tool without a description is hard to choose',
			'warning odd_registration activate no-description.ts:3:6 registerCommand("c"): without a title the palette shows the id',
		],
	},
	{
		name: "availability",
		files: {
			"availability.ts": lines(
				"export default async function (amp) {",
				'\tamp.registerCommand("c", { title: "C", availability: { type: "off" } }, () => {});',
				"}",
			),
		},
		problems: [
			'warning odd_registration activate availability.ts:2:6 registerCommand("c"): availability.type is enabled, disabled or hidden; it is taken as enabled',
		],
	},
	{
		name: "twice",
		files: {
			"twice.ts": lines(
				"export default async function (amp) {",
				'\tconst make = () => amp.registerTool({ name: "t3", description: "d", inputSchema: { type: "object" }, execute() {} });',
				"\tmake();",
				"\tmake();",
				"}",
			),
		},
		problems: [
			'warning duplicate_registration activate twice.ts:4:2 tool "t3" was registered before at twice.ts:3; this one takes its place',
		],
		hints: ["Remove one of them, or unsubscribe the first before."],
	},
	{
		name: "case",
		files: {
			"case.ts": lines(
				"export default async function (amp) {",
				'\tamp.registerTool({ name: "Search_it", description: "d", inputSchema: { type: "object" }, execute() {} });',
				'\tamp.registerTool({ name: "search_it", description: "d", inputSchema: { type: "object" }, execute() {} });',
				"}",
			),
		},
		problems: ['warning case_clash fetch case.ts:3:6 tool "search_it" differs from "Search_it" only by case'],
		hints: ["Rename one of them."],
	},
	{
		name: "mode-drift",
		files: {
			"mode-drift.ts": lines(
				'// @amp-agent-mode {"key":"review","label":"Review"}',
				'// @amp-agent-mode {"key":"ghost","label":"Ghost"}',
				"// @amp-agent-mode not json",
				"export default async function (amp) {",
				'\tamp.registerAgentMode({ key: "review", label: "Renamed", agent: amp.createAgent({ model: "a/b", instructions: "c" }) });',
				'\tamp.registerAgentMode({ key: "secret", label: "Secret", agent: amp.createAgent({ model: "a/b", instructions: "c" }) });',
				"}",
			),
		},
		problems: [
			'warning mode_comment_ignored discover mode-drift.ts:3 the comment @amp-agent-mode is ignored: expected {"key":"…","label":"…"} after it',
			'warning mode_label_differs fetch mode-drift.ts:1 mode "review" is announced as "Review" and was registered as "Renamed"',
			'warning mode_not_registered fetch mode-drift.ts:2 mode "ghost" is announced by a comment and was not registered',
			'warning mode_not_announced fetch mode-drift.ts:6:6 mode "secret" was registered and no comment announces it',
		],
		hints: [
			"",
			'Write // @amp-agent-mode {"key":"review","label":"Renamed"}',
			"Register it, or remove the comment.",
			'Add // @amp-agent-mode {"key":"secret","label":"Secret"}',
		],
	},
	{
		name: "description-dynamic",
		files: {
			"description-dynamic.ts": lines(
				'export const description = "a".concat("b");',
				"export default async function (amp) {",
				"",
				"}",
			),
		},
		problems: [
			'warning description_ignored discover description-dynamic.ts:1 the description is ignored: it must be written as export const description = "…"',
		],
	},
	{
		name: "description-long",
		files: {
			"description-long.ts": lines(
				'export const description = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";',
				"export default async function (amp) {",
				"",
				"}",
			),
		},
		problems: [
			"warning description_ignored discover description-long.ts:1 the description is ignored: it has 301 characters, and 300 are allowed",
		],
	},
	{
		name: "description-let",
		files: {
			"description-let.ts": lines('export let description = "a";', "export default async function (amp) {", "", "}"),
		},
		problems: [
			'warning description_ignored discover description-let.ts:1 the description is ignored: it must be written as export const description = "…"',
		],
	},
	{
		name: "ignored-parts",
		files: {
			"ignored-parts.ts": lines(
				"export default async function (amp) {",
				'\tamp.registerTool({ name: "t5", description: "d", inputSchema: { type: "object", properties: { mail: { type: "string", format: "email" }, id: { type: "string", pattern: "^a" } }, required: ["mial"] }, execute() {} });',
				"}",
			),
		},
		problems: [
			'warning schema_part_ignored fetch ignored-parts.ts:2:6 the input schema of tool "t5" has parts that are not checked: properties.mail.format, properties.id.pattern',
			'warning schema_part_ignored fetch ignored-parts.ts:2:6 the input schema of tool "t5" requires mial, which properties does not have',
		],
		hints: ["Check them in execute.", "Every input must have it all the same"],
	},
	{
		name: "late-import",
		files: {
			"late-import.ts": lines(
				"export default async function (amp) {",
				'\tamp.registerCommand("c", { title: "C" }, async () => {',
				'\t\tawait import("left-out-later");',
				'\t\tawait import("./gone.ts");',
				"\t});",
				"}",
			),
		},
		problems: [
			'warning missing_package import late-import.ts:3:16 the package "left-out-later" is not installed',
			'warning missing_file import late-import.ts:4:16 "./gone.ts" leads to no file: there is no gone.ts',
		],
		hints: ['"bun add left-out-later"', "late-import holds late-import.ts."],
	},
	{
		name: "api-refused",
		files: { "api-refused.ts": lines("export default async function (amp) {", '\tvoid amp.ai.ask("a?");', "}") },
		problems: [
			"warning warned activate api-refused.ts amp call ai.ask failed and nobody awaited it: ai.ask has no provider in this host. Set BROOD_AI_URL to a server that speaks OpenAI's protocol, or let the host pass providers.ai to createHost. (api-refused.ts:2:14)",
		],
	},
	{
		name: "dispose-fails",
		files: {
			"dispose-fails.ts": lines(
				"export default async function (amp) {",
				"\tamp.onDispose(() => {",
				'\t\tthrow new Error("not today");',
				"\t});",
				"}",
			),
		},
		problems: ["warning warned stop dispose-fails.ts a dispose callback failed: not today"],
	},
];

function lines(...rows: string[]): string {
	return `${rows.join("\n")}\n`;
}
