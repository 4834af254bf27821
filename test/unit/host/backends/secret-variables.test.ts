import { expect, test } from "bun:test";
import { secretVariables } from "../../../../host/backends/secret-variables.ts";

const secret = [
	"GITHUB_TOKEN",
	"AWS_SECRET_ACCESS_KEY",
	"DB_PASSWORD",
	"npm_config_token",
	"OPENAI_API_KEY",
	"API_KEYS",
];
const plain = ["PATH", "PWD", "OLDPWD", "SSH_AUTH_SOCK", "XDG_SESSION_ID", "MONKEY", "AUTHOR", "KEYBOARD", "GPG_TTY"];

test("a variable is secret by a whole word of its name, and no other is", () => {
	const environment = Object.fromEntries([...secret, ...plain].map((name) => [name, `value of ${name}`]));
	expect(secretVariables(environment)).toEqual(secret.map((name) => `value of ${name}`));
	expect(secretVariables({ TOKEN: undefined, SECRET: "x" })).toEqual(["", "x"]);
});
