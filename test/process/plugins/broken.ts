/** A plugin that does not load, and what must be said of it. */
export interface BrokenPlugin {
	source: string;
	code: string;
	stage: string;
	/** What the message must say. */
	says: string;
}

const registers = (call: string) => `export default async (amp) => {\n\tawait amp.${call};\n};\n`;
const tool = (name: string, schema: string) =>
	registers(`registerTool({ name: ${name}, description: "d", inputSchema: ${schema}, execute: () => "" })`);

/** One a kind, by the name of the plugin. */
export const brokenPlugins: Record<string, BrokenPlugin> = {
	"broken-agent": {
		source: registers('createAgent({ model: "no provider", instructions: "x" })'),
		code: "invalid_registration",
		stage: "activate",
		says: "createAgent",
	},
	"broken-class": {
		source: "export default class Plugin { activate() {} }",
		code: "no_default_export",
		stage: "import",
		says: "it exports a class",
	},
	"broken-command": {
		source: registers('registerCommand("deploy", { title: "Deploy" })'),
		code: "invalid_registration",
		stage: "activate",
		says: 'registerCommand("deploy")',
	},
	"broken-empty": { source: "", code: "no_default_export", stage: "import", says: "it exports nothing" },
	"broken-exit": {
		source: 'console.error("not today");\nprocess.exit(3);\n',
		code: "exited_before_ready",
		stage: "import",
		says: "exited with code 3",
	},
	"broken-hang": {
		source: "export default () => new Promise(() => {});",
		code: "ready_timeout",
		stage: "activate",
		says: "was not ready within",
	},
	"broken-hang-at-import": {
		source: "await new Promise(() => {});\nexport default () => {};\n",
		code: "ready_timeout",
		stage: "import",
		says: "was not ready within",
	},
	"broken-killed": {
		source: 'process.kill(process.pid, "SIGKILL");\nexport default () => {};\n',
		code: "exited_before_ready",
		stage: "import",
		says: "SIGKILL",
	},
	"broken-link": {
		source: registers('registerLinkPattern({ id: "x", pattern: "(", href: "https://example.com/{{match}}" })'),
		code: "invalid_registration",
		stage: "activate",
		says: 'registerLinkPattern("x")',
	},
	"broken-missing-file": {
		source: 'import { part } from "./no-such-part";\nexport default () => part;\n',
		code: "load_failed",
		stage: "import",
		says: "./no-such-part",
	},
	"broken-missing-package": {
		source: 'import pad from "brood-test-no-such-package";\nexport default () => pad;\n',
		code: "load_failed",
		stage: "import",
		says: "brood-test-no-such-package",
	},
	"broken-no-default": {
		source: "export function activate() {}",
		code: "no_default_export",
		stage: "import",
		says: "it exports only activate",
	},
	"broken-object": {
		source: "export default { activate() {} };",
		code: "no_default_export",
		stage: "import",
		says: "its default export is of type object",
	},
	"broken-rejection": {
		source: 'export default async () => {\n\tawait 1;\n\tthrow new RangeError("too late");\n};\n',
		code: "load_failed",
		stage: "activate",
		says: "RangeError: too late",
	},
	"broken-schema": {
		source: tool('"odd"', "[]"),
		code: "invalid_registration",
		stage: "activate",
		says: "inputSchema",
	},
	"broken-syntax": {
		source: "export default () => {\n\tconst a = ;\n};\n",
		code: "load_failed",
		stage: "import",
		says: "Unexpected ;",
	},
	"broken-throw": {
		source: 'throw new TypeError("too early");\n',
		code: "load_failed",
		stage: "import",
		says: "TypeError: too early",
	},
	"broken-throw-of-text": {
		source: 'export default () => {\n\tthrow "just text";\n};\n',
		code: "load_failed",
		stage: "activate",
		says: "just text",
	},
	"broken-tool-name": {
		source: tool('"two words"', '{ type: "object" }'),
		code: "invalid_registration",
		stage: "activate",
		says: 'registerTool("two words")',
	},
	"broken-unhandled": {
		source:
			'export default () => {\n\tvoid Promise.reject(new RangeError("nobody awaits this"));\n\treturn new Promise((resolve) => setTimeout(resolve, 60_000));\n};\n',
		code: "load_failed",
		stage: "activate",
		says: "nobody awaits this",
	},
};

/** What lies among plugins and is none, with a part of the reason. */
export const noPlugins: Record<string, string> = {
	".hidden.ts": "hidden",
	"README.md": "does not end in",
	"data.json": "does not end in",
	"globals.d.ts": "declaration file",
	"guard.test.ts": "it is a test",
	"legacy.cjs": "explicitly",
	"node_modules/pad/index.js": "packages, not plugins",
	"prompts/brief.md": "no index.ts",
};
