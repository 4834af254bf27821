/** The values of an environment whose names say that they are secret; what a plugin prints of them is masked. */
export function secretVariables(environment: Record<string, string | undefined>): string[] {
	return Object.entries(environment).flatMap(([name, value = ""]) => (secretName.test(name) ? [value] : []));
}

// Whole words of a name: MONKEY and AUTHOR are none, SSH_AUTH_SOCK and XDG_SESSION_ID name no secret.
const secretName = /(?:^|_)(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|APIKEY|KEY|PAT)(?:S|_ID|_BASE64)?$/i;
