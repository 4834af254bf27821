import { failure } from "../../runtime/errors.ts";
import type { JsonObject, ToolItem } from "../../runtime/records.ts";
import { compileSchema, isLargeSchema, type SchemaCheck } from "../base/schema-check.ts";

/**
 * Checks an input against the tool's schema. The schema is compiled before the tool's first call; one too large for
 * that allows every input, which `warn` is told once.
 * @throws BroodError `invalid_input`, or `invalid_schema` for a schema that cannot be compiled
 */
export async function checkInput(plugin: string, tool: ToolItem, input: JsonObject, warn: Warn): Promise<void> {
	const check = await compiled(plugin, tool, warn);
	const problems = check(input);
	if (problems.length === 0) return;
	const reason = problems.join("; ");
	throw failure("invalid_input", {
		plugin,
		subject: tool.name,
		reason,
		hint: `See the tool's inputSchema, which brood info ${plugin} prints.`,
	});
}

type Warn = (text: string) => void;

const checks = new WeakMap<ToolItem, SchemaCheck>();

async function compiled(plugin: string, tool: ToolItem, warn: Warn): Promise<SchemaCheck> {
	const known = checks.get(tool);
	if (known !== undefined) return known;
	const refused = (reason: string) => failure("invalid_schema", { plugin, subject: tool.name, reason });
	const check = isCompiled(tool, warn) ? await compileSchema(tool.inputSchema, refused) : accept;
	checks.set(tool, check);
	return check;
}

/** Whether a schema says anything, and little enough that compiling it holds up nobody. */
function isCompiled({ name, inputSchema }: ToolItem, warn: Warn): boolean {
	for (const key in inputSchema) {
		if (key === "type") continue;
		if (!isLargeSchema(inputSchema)) return true;
		warn(`the inputs of its tool "${name}" are not checked: its schema is too large`);
		return false;
	}
	return false;
}

const accept: SchemaCheck = () => [];
