import { failure } from "../../runtime/errors.ts";
import type { JsonObject, ToolItem } from "../../runtime/records.ts";
import { type PlainCheck, plainCheck } from "../base/plain-schema.ts";
import { compileSchema, isLargeSchema } from "../base/schema-check.ts";

/** Checks an input. @throws BroodError `invalid_input`, or `invalid_schema` for a schema that fails as it is used */
export type InputCheck = (input: JsonObject) => void;

/**
 * The check of an input of a tool. A plain schema whose inputs fit needs no validator; at the first input that does not
 * surely fit, and for any other schema, it is loaded and the schema compiled. One too large for that allows every input,
 * which `warn` is told once. The promise rejects with `invalid_schema` when it cannot be compiled.
 */
export function inputCheck(
	plugin: string,
	tool: ToolItem,
	input: JsonObject,
	warn: Warn,
): InputCheck | Promise<InputCheck> {
	// While it is compiled all calls wait for it, so that none overtakes another.
	const known = checks.get(tool);
	if (known !== undefined) return known;
	const surelyFits = plainChecks.get(tool) ?? lookAt(tool, warn);
	plainChecks.set(tool, surelyFits);
	if (surelyFits(input)) return () => {};
	const check = compile(plugin, tool);
	checks.set(tool, check);
	// Heard before any call that waits, so that none overtakes those: they go on right after this.
	check.then(
		(compiled) => checks.set(tool, compiled),
		() => checks.delete(tool),
	);
	return check;
}

type Warn = (text: string) => void;

const checks = new WeakMap<ToolItem, InputCheck | Promise<InputCheck>>();
const plainChecks = new WeakMap<ToolItem, PlainCheck>();

function lookAt(tool: ToolItem, warn: Warn): PlainCheck {
	if (!isCompiled(tool, warn)) return () => true;
	return plainCheck(tool.inputSchema) ?? (() => false);
}

async function compile(plugin: string, tool: ToolItem): Promise<InputCheck> {
	const refused = (reason: string) => failure("invalid_schema", { plugin, subject: tool.name, reason });
	const problemsOf = await compileSchema(tool.inputSchema, refused);
	return (input) => {
		const problems = problemsOf(input);
		if (problems.length > 0) throw misfit(plugin, tool, problems.join("; "));
	};
}

function misfit(plugin: string, { name }: ToolItem, reason: string): Error {
	const hint = `See the tool's inputSchema, which brood info ${plugin} prints.`;
	return failure("invalid_input", { plugin, subject: name, reason, hint });
}

/** Whether a schema says anything, and little enough that reading it holds up nobody. */
function isCompiled({ name, inputSchema }: ToolItem, warn: Warn): boolean {
	for (const key in inputSchema) {
		if (key === "type") continue;
		if (!isLargeSchema(inputSchema)) return true;
		warn(`the inputs of its tool "${name}" are not checked: its schema is too large`);
		return false;
	}
	return false;
}
