/** The values of an environment whose names say that they are secret; what a plugin prints of them is masked. */
export function secretVariables(environment: Record<string, string | undefined>): string[] {
	return Object.entries(environment).flatMap(([name, value = ""]) => (secretName.test(name) ? [value] : []));
}

/** Whether a name of a variable, a setting or a header says that its value is secret; `apiKey` and `api.key` do. */
export function isSecretName(name: string): boolean {
	const words = name.replace(/([a-z0-9])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, "$1$2_").replace(/[^A-Za-z0-9]+/g, "_");
	return secretName.test(words) || /(?:^|_)(?:AUTHORIZATION|COOKIE)$/i.test(words);
}

// Whole words of a name: MONKEY and AUTHOR are none, SSH_AUTH_SOCK and XDG_SESSION_ID name no secret.
const secretName = /(?:^|_)(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|APIKEY|KEY|PAT)(?:S|_ID|_BASE64)?$/i;
