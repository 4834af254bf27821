import type { BrokenPlugin } from "./support.ts";

/** Plugins that load, and of which a part does not work. */
export const brokenParts: BrokenPlugin[] = [
	{
		name: "half-a-tool",
		files: {
			"half-a-tool.ts": lines("export default async function (amp) {", '\tamp.registerTool({ name: "half" });', "}"),
		},
		problems: [
			'error invalid_registration activate half-a-tool.ts:2:6 registerTool("half") was refused: it lacks description, inputSchema, execute',
		],
	},
	{
		name: "tool-name",
		files: {
			"tool-name.ts": lines(
				"export default async function (amp) {",
				'\tamp.registerTool({ name: "no good!", description: "d", inputSchema: { type: "object" }, execute() {} });',
				"}",
			),
		},
		problems: [
			'error invalid_registration activate tool-name.ts:2:6 registerTool("no good!") was refused: a tool name has 1 to 128 letters, digits, _ or -',
		],
	},
	{
		name: "tool-schema",
		files: {
			"tool-schema.ts": lines(
				"export default async function (amp) {",
				'\tamp.registerTool({ name: "t1", description: "d", inputSchema: { type: "string" }, execute: 1 });',
				"}",
			),
		},
		problems: [
			'error invalid_registration activate tool-schema.ts:2:6 registerTool("t1") was refused: execute is a function; inputSchema is a JSON Schema whose type is "object"',
		],
	},
	{
		name: "tool-nothing",
		files: { "tool-nothing.ts": lines("export default async function (amp) {", "\tamp.registerTool();", "}") },
		problems: [
			"error invalid_registration activate tool-nothing.ts:2:6 registerTool was refused: it takes an object, not undefined",
		],
	},
	{
		name: "three-refused",
		files: {
			"three-refused.ts": lines(
				"export default async function (amp) {",
				'\tamp.registerTool({ name: "x y" });',
				'\tamp.registerCommand("", {}, 1);',
				'\tamp.on("tool.call", "no function");',
				"}",
			),
		},
		problems: [
			'error invalid_registration activate three-refused.ts:2:6 registerTool("x y") was refused: it lacks description, inputSchema, execute; a tool name has 1 to 128 letters, digits, _ or -',
			'error invalid_registration activate three-refused.ts:3:6 registerCommand("") was refused: an id is a text that is not empty; the third argument is the handler function',
			'error invalid_registration activate three-refused.ts:4:6 on("tool.call") was refused: the second argument is the handler function',
		],
	},
	{
		name: "link-rules",
		files: {
			"link-rules.ts": lines(
				"export default async function (amp) {",
				'\tamp.registerLinkPattern({ id: "no good", pattern: "(?<=a)(b)\\\\1|", href: "ftp://x" });',
				"}",
			),
		},
		problems: [
			'error invalid_registration activate link-rules.ts:2:6 registerLinkPattern("no good") was refused: id has 1 to 64 letters, digits or hyphens; pattern may not look behind; pattern may not refer back to a group; pattern may not match the empty text; href begins with http://, https:// or a single /',
		],
	},
	{
		name: "link-pattern",
		files: {
			"link-pattern.ts": lines(
				"export default async function (amp) {",
				'\tamp.registerLinkPattern({ id: "a", pattern: "(", href: "https://a.example/" });',
				'\tamp.registerLinkPattern({ id: "b", pattern: "B-1", href: "/b/{{c}}" });',
				"}",
			),
		},
		problems: [
			'error invalid_registration activate link-pattern.ts:2:6 registerLinkPattern("a") was refused: pattern is no regular expression: Invalid regular expression: missing ); href has a placeholder: {{match}}, or {{name}} of a named group',
			'error invalid_registration activate link-pattern.ts:3:6 registerLinkPattern("b") was refused: href names {{c}}, and pattern has no group of that name',
		],
	},
	{
		name: "mode-rules",
		files: {
			"mode-rules.ts": lines(
				"export default async function (amp) {",
				'\tamp.registerAgentMode({ key: "", label: "A label that is far too long to show", color: "reddish", agent: amp.createAgent({ model: "a/b", instructions: "c" }) });',
				"}",
			),
		},
		problems: [
			'error invalid_registration activate mode-rules.ts:2:6 registerAgentMode("") was refused: key is a text that is not empty; a label has at most 24 characters, not 36; color is a hexadecimal colour such as "#3af", not "reddish"',
		],
	},
	{
		name: "agent-refused",
		files: {
			"agent-refused.ts": lines(
				'// @amp-agent-mode {"key":"k","label":"K"}',
				"export default async function (amp) {",
				'\tconst agent = amp.createAgent({ name: "n" });',
				'\tamp.registerAgentMode({ key: "k", label: "K", agent });',
				"}",
			),
		},
		problems: [
			"error invalid_registration activate agent-refused.ts:3:20 createAgent was refused: model is required unless extends is given",
		],
	},
	{
		name: "builtin-agent",
		files: {
			"builtin-agent.ts": lines("export default async function (amp) {", '\tamp.getBuiltinAgent("middling");', "}"),
		},
		problems: [
			'error invalid_registration activate builtin-agent.ts:2:6 getBuiltinAgent was refused: there is no mode "middling"; there are low, medium, high, ultra, smart, deep, rush',
		],
	},
	{
		name: "webhook",
		files: {
			"webhook.ts": lines("export default async function (amp) {", '\tvoid amp.createWebhook({ key: " a " });', "}"),
		},
		problems: [
			'error invalid_registration activate webhook.ts:2:11 createWebhook(" a ") was refused: key has 1 to 128 characters and no space at either end; handler is a function',
		],
	},
	{
		name: "skill-in-a-file",
		files: {
			"skill-in-a-file.ts": lines(
				"export default async function (amp) {",
				'\tawait amp.registerSkill({ path: "skills/a" });',
				"}",
			),
		},
		problems: [
			'error invalid_skill activate skill-in-a-file.ts:2:12 Skill "skills/a" of plugin "skill-in-a-file" was refused: only a directory plugin can have skills',
		],
		hints: ["Move it to skill-in-a-file/index.ts."],
	},
	{
		name: "mode-case",
		files: {
			"mode-case.ts": lines(
				'// @amp-agent-mode {"key":"Fast","label":"F"}',
				"export default async function (amp) {",
				'\tamp.registerAgentMode({ key: "Fast", label: "F", agent: amp.createAgent({ model: "a/b", instructions: "c" }) });',
				'\tamp.registerAgentMode({ key: "fast", label: "G", agent: amp.createAgent({ model: "a/b", instructions: "c" }) });',
				"}",
			),
		},
		problems: [
			'error invalid_registration activate mode-case.ts:4:6 registerAgentMode("fast") was refused: keys differ by more than case, and "Fast" is registered beside "fast"',
		],
	},
	{
		name: "bad-schema",
		files: {
			"bad-schema.ts": lines(
				"export default async function (amp) {",
				'\tamp.registerTool({ name: "t4", description: "d", inputSchema: { type: "object", properties: { a: { type: "txt" } } }, execute() {} });',
				"}",
			),
		},
		problems: [
			'error invalid_schema fetch bad-schema.ts:2:6 the input schema of tool "t4" cannot be used: schema is invalid: data/properties/a/type must be equal to one of the allowed values, data/properties/a/type must be array, data/properties/a/type must match a schema in anyOf',
		],
		hints: ["Every call of the tool fails until that is mended"],
	},
	{
		name: "skills",
		path: "skilled",
		files: {
			"skilled/index.ts": lines(
				"export default async function (amp) {",
				'\tfor (const name of ["none", "unnamed", "other", "good", "good", "../out"]) await amp.registerSkill({ path: "skills/" + name });',
				"}",
			),
			"skilled/skills/unnamed/SKILL.md": lines("---", "description: a", "---", "Text"),
			"skilled/skills/other/SKILL.md": lines("---", "name: another", "description: a", "---", "Text"),
			"skilled/skills/good/SKILL.md": lines("---", "name: good", "description: Use when: asked", "---", "Text"),
		},
		problems: [
			'error invalid_skill activate skilled/index.ts:2:87 Skill "skills/none" of plugin "skilled" was refused: it does not exist',
			'error invalid_skill activate skilled/index.ts:2:87 Skill "skills/unnamed" of plugin "skilled" was refused: the front matter of SKILL.md has no name',
			'error invalid_skill activate skilled/index.ts:2:87 Skill "skills/other" of plugin "skilled" was refused: its name is "another", but its folder is called "other"',
			'error invalid_skill activate skilled/index.ts:2:87 Skill "skilled:good" of plugin "skilled" was refused: this plugin has registered it already',
			'error invalid_skill activate skilled/index.ts:2:87 Skill "skills/../out" of plugin "skilled" was refused: the path holds .., which could leave the plugin\'s folder',
			'warning warned activate skilled/index.ts skill "skills/good": line 3 of SKILL.md is no YAML (a value that holds ": " needs quotes); it was read as if each value stood in quotes',
		],
		hints: ["", "", "", "skilled/skills/good; unsubscribe that first.", "", ""],
	},
];

function lines(...rows: string[]): string {
	return `${rows.join("\n")}\n`;
}
