import { failure } from "../../runtime/errors.ts";
import type { JsonObject, ToolItem } from "../../runtime/records.ts";
import { compileSchema, isLargeSchema } from "../base/schema-check.ts";

/** Checks an input. @throws BroodError `invalid_input`, or `invalid_schema` for a schema that fails as it is used */
export type InputCheck = (input: JsonObject) => void;

/**
 * The check of a tool's inputs. The schema is compiled before the tool's first call; one too large for that allows every
 * input, which `warn` is told once. The promise rejects with `invalid_schema` when it cannot be compiled.
 */
export function inputCheck(plugin: string, tool: ToolItem, warn: Warn): InputCheck | Promise<InputCheck> {
	const known = checks.get(tool);
	if (known !== undefined) return known;
	const check = isCompiled(tool, warn) ? compile(plugin, tool) : () => {};
	checks.set(tool, check);
	if (check instanceof Promise) {
		// Heard before any call that waits, so that none overtakes those: they go on right after this.
		check.then(
			(compiled) => checks.set(tool, compiled),
			() => checks.delete(tool),
		);
	}
	return check;
}

type Warn = (text: string) => void;

const checks = new WeakMap<ToolItem, InputCheck | Promise<InputCheck>>();

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
