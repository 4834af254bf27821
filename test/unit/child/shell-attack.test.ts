// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts for a shell
import { afterAll, expect, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { shellCommand } from "../../../child/api/shell-quote.ts";
import { shellFolder } from "./shell-support.ts";

// Where a value can stand, marked with @; what follows shows whether the reading of the text has lost its place.
const places = [
	"echo @",
	"echo a@b",
	'echo "a @ b"',
	"echo 'a @ b'",
	"@ x",
	"X=@ true",
	"echo x > @",
	"echo $@",
	'echo "$@"',
	"echo $$@",
	"cat <<EOF\n$@\nEOF\necho @",
	"cat <<EOF\n@\nEOF\n",
	"cat <<EOF\nE@\nEOF\n",
	"cat <<EOF\n$(echo @)\nEOF\n",
	"cat <<EOF\n$(echo a\necho b)\n@\nEOF\n",
	"cat <<EOF\n`echo a`\n@\nEOF\n",
	"cat <<EOF\n$(echo '\nEOF\necho ')'\n@\nEOF\n",
	"cat <<EOF $(echo a\nEOF\necho b)\n@\nEOF\n",
	"cat <<'EOF'\n@\nEOF\n",
	'cat <<"E F"\n@\nE F\necho @',
	"cat <<-\\EOF\n\t@\n\tEOF\necho @",
	"cat <<A <<B\n@\nA\n@\nB\necho @",
	"cat <<@\nx\nEOF\necho @",
	"cat <<EOF$@\nx\nEOF\n",
	'cat <<EOF; echo "@"\nbody\nEOF\n',
	'cat <<EOF $(echo a\necho b)\n@\nEOF\necho "@"',
	'echo "$(cat <<EOF\n@\nEOF\n) @"',
	'echo "$(cat <<EOF) @"\nbody @\nEOF\n',
	"# it's a comment: @\necho @",
	"echo a#@ '@'",
	"echo \\# @ \\' @ \\\" @",
	'echo "\\"@" "\\\\" @',
	"echo '\\' @ '@'",
	'echo "$(echo "@" \'@\' @)" @',
	'echo "$( (echo @) )" "@"',
	"echo \"$(echo ')' @)\" @",
	'echo "$(case x in x) echo @;; esac)" "@"',
	'x=$(echo "case" @) ; echo "@"',
	"case @ in @) echo a;; *) echo b;; esac",
	"echo $((1 + @))",
	"echo $(((@) + $@))",
	"((echo @); echo '@')",
	"((cat <<EOF); echo a)\n@\nEOF\n",
	"echo $((cat <<E); echo a)\n@\nE\n",
	"echo `echo @` @",
	'echo "`echo @`" @',
	"echo ${x:-@} @",
	'echo "${x:-@}" @',
	'echo "${x:-\'}" @ "\'" @',
	"echo ${#x} ${x} ${?} @",
	"echo $'a\\'@' @",
	'echo $"@" @',
	"echo $[1+@] @",
	"if [ @ = a ]; then echo @; fi",
	"for i in @ b; do echo @; done",
	"f() { echo @; }; f @",
	"echo a | cat - @ && echo @ || echo @ & echo @",
	"echo a\\\n@ b",
	"echo \\@",
	'echo "\\@"',
	"echo @# '@'",
	"x=@#'@'",
	"cat <<<@ ; echo @",
	"echo 2>&@ @",
	"echo @ '",
	'echo @ "',
];

const command = "touch injected";
const attacks = [
	`'; ${command}; '`,
	`"; ${command}; "`,
	`; ${command};`,
	`$(${command})`,
	`\`${command}\``,
	`(${command})`,
	`{x:-$(${command})}`,
	`'$(${command})'`,
	`"$(${command})"`,
	`\n${command}\n`,
	`'\n${command}\n'`,
	`EOF\n${command}\n`,
	`OF\n${command}\n`,
	`\nEOF\n${command}\n`,
	`\n\tEOF\n${command}\n`,
	`\nA\nB\nE F\nE\n${command}\n`,
	`\\'; ${command}; \\'`,
	`\\"; ${command}; \\"`,
	`\\`,
	`) ; ${command} ; (`,
	`)"; ${command}; "$(`,
	`)); ${command}; ((`,
	`;; esac; ${command};`,
	`x[$(${command})]`,
	`# \n${command}`,
];

// What /bin/sh is here, and what it is on macOS.
const shells = [["/bin/sh"], ["bash", "--posix"]].filter(([name = ""]) => Bun.which(name) !== null);
const folder = shellFolder();
afterAll(() => folder[Symbol.dispose]());

test.each(places)("no value escapes from %j", (place) => {
	const literals = place.split("@");
	rmSync(join(folder.path, "injected"), { force: true });
	for (const attack of attacks) {
		const script = quoted(literals, attack);
		if (script === undefined) continue;
		for (const shell of shells) {
			Bun.spawnSync([...shell, "-c", script], {
				cwd: folder.path,
				stdin: "ignore",
				stdout: "ignore",
				stderr: "ignore",
			});
			expect({ script, injected: existsSync(join(folder.path, "injected")) }).toEqual({ script, injected: false });
		}
	}
});

test("these attacks are real: without quotes most of them run their command", () => {
	const harmful = attacks.filter((attack) => {
		using own = shellFolder();
		Bun.spawnSync(["/bin/sh", "-c", `echo ${attack}`], {
			cwd: own.path,
			stdin: "ignore",
			stdout: "ignore",
			stderr: "ignore",
		});
		return existsSync(join(own.path, "injected"));
	});
	expect(harmful.length).toBeGreaterThan(attacks.length / 2);
});

const safe = [
	"echo @ 'a' \"@\"",
	"echo costs $@",
	"cat <<EOF\n@\nEOF\necho @",
	"cat <<-'EOF'\n\t@\n\tEOF\necho @",
	'echo "$(cat <<EOF\n@\nEOF\n)" "@"',
	"cat <<EOF\n$(date) @\nEOF\n",
	"case @ in a) echo @;; esac",
	"echo $(echo @ | tr a b) ${x} $? $# $$ @",
	"# it's\necho @",
	"echo a#' @'",
	"x=@; [ -n @ ] && echo @ > @ 2>&1",
];

test.each(safe)("a value is taken in %j", (place) => {
	expect(quoted(place.split("@"), "it's a value")).toContain("value");
});

const unsafe: [string, string, string][] = [
	["echo `echo @`", "a", "backquote"],
	["echo ${x:-@}", "a", "parameter expansion"],
	['echo "$(case x in x) echo @;; esac)"', "a", "case"],
	["cat <<@\nEOF\n", "EOF", "not plain text"],
	["cat <<'EOF'\n@\nEOF\n", "a\nEOF\nb", 'its line "EOF" would end'],
	["cat <<-'EOF'\n\t@\n\tEOF\n", "\ta", "take away the tab"],
	["cat <<-'EOF'\n\ta @\n\tEOF\n", "b\n\tc", "take away the tab"],
	["cat <<'EOF'\n@\nEOF\n", "Eé", "beyond ASCII"],
	["cat <<EOF\n$(echo @)\nEOF\n", "a", "in a substitution"],
	["echo $((@))", "x", "integer"],
	["echo \\@", "a", "backslash"],
];

test.each(unsafe)("%j refuses the value %j and says why", (place, value, reason) => {
	expect(() => shellCommand(place.split("@"), [value])).toThrow(reason);
	expect(() => shellCommand(place.split("@"), [value])).toThrow(TypeError);
});

const heredocs: [string, string, string][] = [
	["cat <<-EOF\n\ta @\n\tEOF\n", "b\n\t\tc", "a b\n\t\tc\n"],
	["cat <<-EOF\n\t@\n\tEOF\n", "\ta", "\ta\n"],
	["cat <<EOF\n@\nEOF\n", "a\nEOF\nb", "a\nEOF\nb\n"],
	["cat <<EOF\nE@\nEOF\n", "Oé", "EOé\n"],
	["cat <<EOF\n@é\nEOF\n", "EOF", "EOFé\n"],
];

test.each(heredocs)("%j holds the value %j as it is", async (place, value, output) => {
	using folder = shellFolder();
	expect((await folder.run(shellCommand(place.split("@"), [value]))).stdout).toBe(output);
});

test("several words are no file to redirect to", () => {
	expect(() => shellCommand(["echo > ", " ls"], [["a", "b"]])).toThrow("one word");
	expect(() => shellCommand(["echo > ", " ls"], [[]])).toThrow("one word");
	expect(shellCommand(["echo > ", " ", ""], [["a"], ["b", "c"]])).toBe("echo > 'a' 'b' 'c'");
});

function quoted(literals: string[], attack: string): string | undefined {
	try {
		return shellCommand(
			literals,
			literals.slice(1).map(() => attack),
		);
	} catch (error) {
		expect(error).toBeInstanceOf(TypeError);
		return undefined;
	}
}
