import { functionsOf } from "./functions.ts";

/** Lines; a file that is longer has more than one reason, a function that is longer does more than one thing. */
export const sizeLimits = { file: 300, function: 70, example: 60 };

/** What is too long in one file. */
export function sizeProblems(path: string, source: string): string[] {
	const lines = source.split("\n").length - (source.endsWith("\n") ? 1 : 0);
	const isTest = path.endsWith(".test.ts");
	const allowed = path.startsWith("examples/") && !isTest ? sizeLimits.example : sizeLimits.file;
	const problems = lines > allowed ? [`${path} has ${lines} lines of ${allowed}`] : [];
	for (const found of measured(path, source)) {
		// A suite is a list of tests, not one thing that is done.
		const isSuite = isTest && /^(?:describe|test|it)$/.test(found.handedTo ?? "");
		if (found.lines <= sizeLimits.function || isSuite || found.expression) continue;
		problems.push(`${path}:${found.firstLine} ${found.name} has ${found.lines} lines of ${sizeLimits.function}`);
	}
	return problems;
}

function measured(path: string, source: string) {
	try {
		return functionsOf(source);
	} catch (error) {
		throw new Error(`${path} cannot be measured`, { cause: error });
	}
}
