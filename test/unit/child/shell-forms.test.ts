// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts for a shell
import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { tally } from "../../support/effort.ts";
import { type Folder, shellFolder } from "./shell-support.ts";

/** What a command finds in its folder. */
function furnish({ path }: Folder): void {
	mkdirSync(join(path, "sub dir/.hidden"), { recursive: true });
	for (const name of ["a.txt", "b.txt", ".dot", "sp ace.md", "[x].md", "-dash"]) writeFileSync(join(path, name), name);
	writeFileSync(join(path, "sub dir/c.txt"), "3\n1\n2\n");
	writeFileSync(
		join(path, "bytes"),
		Uint8Array.from({ length: 256 }, (_, index) => index),
	);
}

const forms: Record<string, string[]> = {
	"pipelines and lists": [
		"cat 'sub dir/c.txt' | sort | head -n 1",
		"seq 1000 | sort -rn | sed -n '2p;4q'",
		'echo a | { read x; echo "got $x"; cat; }',
		'echo one | while read w; do echo "<$w>"; done; echo "$w"',
		"printf 'a b\\nc d\\n' | while read x y; do echo \"$y$x\"; done",
		"true | false; echo $?",
		"false || false || echo third",
		"true && false; echo $?",
		"true && { false || true; } && echo grouped",
		"! false && echo negated",
		"{ echo 1; echo 2; } | wc -l",
		"(exit 5) || echo $?",
		"yes | head -n 2",
		"echo err >&2 | cat",
		"{ echo out; echo err >&2; } 2>&1 | sort",
		"echo a;echo b;;",
	],
	"control flow": [
		"if test -f a.txt; then echo file; fi",
		"if [ -d 'sub dir' ] && [ ! -e none ]; then echo both; else echo no; fi",
		"if (exit 3); then :; else echo $?; fi",
		"for i in $(seq 3); do [ $i = 2 ] && continue; echo $i; done",
		"for i in 1 2 3; do [ $i = 2 ] && break; echo $i; done",
		'for f in *.txt; do echo "$f:$(cat "$f")"; done',
		"set -- x y; for a; do echo $a; done",
		"for i in; do echo never; done; echo $?",
		"n=3; until [ $n -eq 0 ]; do n=$((n-1)); echo $n; done",
		"while :; do break; done; echo out",
		"while false; do :; done; echo $?",
		"case x.txt in *.md) echo md;; *.t[xy]t|y) echo text;; esac",
		"case \"a b\" in 'a b') echo quoted;; esac",
		"case z in a) ;; (z) echo parenthesis;; esac",
		"select_me() { return 4; }; select_me && echo no || echo $?",
		"f() { local x=inner; echo $x; }; x=outer; f; echo $x",
		"f() { [ $1 -le 0 ] && return; echo $1; f $(($1 - 1)); }; f 3",
		'f() (cd /; pwd); f; [ "$PWD" = / ] || echo stayed',
	],
	redirects: [
		"echo x 2>/dev/null >new; cat new",
		"ls none 2>&1 >/dev/null | wc -l",
		"cat < a.txt - < b.txt",
		"cat <bytes | wc -c",
		"echo x > 'sub dir/new file' && cat sub\\ dir/new*",
		"exec 3>third; echo to three >&3; exec 3>&-; cat third",
		"exec 4<a.txt; cat <&4",
		"echo x >&-; echo $?",
		"cat < none; echo $?",
		"echo x > none/none; echo $?",
		"set -C; echo x > a.txt; echo $?",
		": > a.txt; wc -c < a.txt",
		"echo quiet >/dev/null 2>&1",
		"{ echo a; echo b >&2; } > both 2>&1; cat both",
		"tee copy < b.txt; cat copy",
	],
	"here-documents": [
		"cat <<A; cat <<B\none\nA\ntwo\nB",
		"x=5; cat <<EOF\n$x ${x} $(echo $x) \\$x \\\\ \"q\" 'q'\nEOF",
		"cat <<\\EOF\n$x `y`\nEOF",
		'while read l; do echo "[$l]"; done <<EOF\n  a  b\nc\\\nd\nEOF',
		"cat <<EOF | tr a-z A-Z\nshout\nEOF",
		"cat <<EOF > here; cat here\n\nEOF",
		"f() { cat; }; f <<EOF\nto a function\nEOF",
		"cat <<EOF\nnever ended",
	],
	"globs, quotes and expansions": [
		"echo *",
		"echo .d* [!ab]*.md",
		"echo '*' \"*\" \\*",
		"echo ?.txt [ab].txt {a,b}.txt",
		"ls -d */",
		"echo ~ | grep -c /",
		"cat -- -dash",
		"x='a  b'; echo $x \"$x\"",
		"IFS=:; x=a:b:c; set -- $x; echo $3",
		"echo ${none:-default} ${none-} ${none:+set}",
		"x=path/to/file.tar.gz; echo ${x##*/} ${x%%.*} ${x#*/} ${x%.*} ${#x}",
		": ${none:?is missing}; echo unreachable",
		"x=$(printf 'a\\n\\n\\n'); echo \"[$x]\"",
		"echo $(echo $(echo deep) | tr d D) `echo old`",
		"echo $((7 / 2)) $((7 % 2)) $((1 << 4)) $((5 > 3 && 2))",
		"echo $((1 / 0)); echo unreachable",
		"echo a'b'\"c\"\\d",
		"echo 'single \"double\" `none` $(none)'",
		"echo \"it's\" 'two\nlines'",
		"echo \"\" '' | wc -c",
		"unset x; set -u; echo $x; echo unreachable",
		"set -f; echo *",
		"alias hi='echo aliased'\nhi",
		"printf '%s|%5d|%-5s|%x\\n' s 42 l 255",
		"printf '\\t\\\\\\101\\n'",
		"eval 'echo \"a b\"'; eval x=1; echo $x",
	],
	"exit codes and signals": [
		"exit 255",
		"exit 256",
		"nosuchprogram; echo $?",
		"./a.txt",
		"'sub dir'",
		"set -e; false | true; echo on; false; echo off",
		"sh -c 'exit 42'",
		"kill -INT $$",
		"kill -HUP $$",
		"kill -USR1 $$",
		"kill -PIPE $$",
		"sh -c 'kill -TERM $$'; echo $?",
		"trap 'echo caught' TERM; kill -TERM $$; echo after",
		"trap '' TERM; kill -TERM $$; echo ignored",
		"trap 'exit 9' EXIT; exit 3",
		"trap 'echo $?' EXIT; (exit 6)",
		"return 3; echo after",
		"wait 99999; echo $?",
		"sleep 9 & kill $!; wait $!; echo $?",
		"(sleep 0; exit 7) & wait $!; echo $?",
		"set -x; echo traced",
		"exec nosuchprogram",
		"exec echo replaced; echo unreachable",
		"fi",
		"echo $(",
		"for",
		"} ",
	],
	"other programs": [
		"bash -c 'a=(1 2 3); echo ${a[1]} <(:) | cut -c1'",
		"bash -c 'set -o pipefail; false | true'",
		"HOME=/nowhere bash -lc 'echo \"login $0\"'",
		"python3 -c '\nimport sys\nfor i in range(2):\n    print(i, \"x\" * i)\nsys.exit(3)\n'",
		"python3 - <<'EOF'\nprint('from a \"here-document\"')\nEOF",
		"awk -F: 'BEGIN { OFS=\"-\" } { print $2, $1; exit }' <<EOF\na:b\nEOF",
		"sed -e 's/\\(.\\)x/\\1y/g' -e '1!d' <<EOF\naxbx\nsecond\nEOF",
		"find . -name '*.txt' -type f | sort | xargs -I{} echo 'file {}'",
		"find . -type f -print0 | tr -cd '\\0' | wc -c",
		"tar cf - a.txt b.txt | tar tf -",
		"od -An -tx1 bytes | head -n 2",
		"env -i /bin/sh -c 'echo \"$HOME\"' | wc -c",
		"A='x y' env | grep '^A='",
		"cd 'sub dir' && pwd | sed 's/.*\\///'; ls",
		'cd none || echo "no: $?"',
		"test -t 0 || test -t 1 || test -t 2 || echo no terminal",
		'read x; echo "$? [$x]"; cat; wc -c',
		"umask 027; umask",
		"ulimit -c 0; ulimit -c",
		"echo $PPID | grep -c '^[0-9]'",
		"head -c 100000 /dev/zero | tr '\\0' x | wc -c",
		"printf '\\377\\376'; cat bytes",
		"type cd; command -v sh",
		"times > /dev/null; date +%Y | grep -c 20",
	],
};

test.each(Object.entries(forms))("sh and amp.$ give the same for %s", async (_, commands) => {
	using own = shellFolder();
	using other = shellFolder();
	for (const command of commands) {
		for (const folder of [own, other]) Bun.spawnSync(["rm", "-rf", ...folderEntries(folder)]);
		for (const folder of [own, other]) furnish(folder);
		const [result, expected] = await Promise.all([own.run(command), plain(other.path, command)]);
		// The folders differ by their names alone.
		const text = JSON.stringify({ command, ...result }).replaceAll(own.path, other.path);
		expect(JSON.parse(text)).toEqual({ command, ...expected });
	}
});

function folderEntries({ path }: Folder): string[] {
	return [...new Bun.Glob("*").scanSync({ cwd: path, dot: true, onlyFiles: false })].map((name) => join(path, name));
}

async function plain(cwd: string, command: string) {
	const child = Bun.spawn(["/bin/sh", "-c", command], {
		cwd,
		env: process.env,
		stdin: "ignore",
		stdout: "pipe",
		stderr: "pipe",
	});
	const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
	const { exitCode, signalCode } = child;
	const signal = Object.entries(constants.signals).find(([name]) => name === signalCode)?.[1] ?? Number.NaN;
	return { exitCode: exitCode ?? 128 + signal, stdout, stderr };
}

test("no form is there twice, and they are many", () => {
	const all = Object.values(forms).flat();
	expect(new Set(all).size).toBe(all.length);
	expect(all.length).toBeGreaterThanOrEqual(120);
	tally("forms of commands that sh and amp.$ answer alike, beside those of shell.test.ts", all.length);
});
