import { secretWord } from "../base/secret-names.ts";

/** The values of an environment whose names say that they are secret; what a plugin prints of them is masked. */
export function secretVariables(environment: Record<string, string | undefined>): string[] {
	return Object.entries(environment).flatMap(([name, value = ""]) => (secretWord.test(name) ? [value] : []));
}
