/** Whether a name of a variable, a setting or a header says that its value is secret; `apiKey` and `api.key` do. */
export function isSecretName(name: string): boolean {
	const words = name.replace(/([a-z0-9])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, "$1$2_").replace(/[^A-Za-z0-9]+/g, "_");
	return secretWord.test(words) || /(?:^|_)(?:AUTHORIZATION|COOKIE)$/i.test(words);
}

/** The texts of settings that a name on the way to them says to be secret. */
export function secretTexts(settings: unknown): string[] {
	const found: string[] = [];
	const collect = (value: unknown, isSecret: boolean, depth: number): void => {
		if (typeof value === "string") {
			if (isSecret) found.push(value);
		} else if (typeof value === "object" && value !== null && depth < depthMax) {
			const isList = Array.isArray(value);
			for (const [name, member] of Object.entries(value)) {
				collect(member, isSecret || (!isList && isSecretName(name)), depth + 1);
			}
		}
	};
	collect(settings, false, 0);
	return found;
}

// Whole words of a name: MONKEY and AUTHOR are none, SSH_AUTH_SOCK and XDG_SESSION_ID name no secret.
export const secretWord =
	/(?:^|_)(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|APIKEY|KEY|PAT)(?:S|_ID|_BASE64)?$/i;

// Deeper than anybody nests settings; an object of an embedder may hold itself.
const depthMax = 64;
