import { expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { createShell } from "../../../child/api/shell.ts";
import { shellFolder } from "./shell-support.ts";

const forms = [
	"true",
	"false",
	"exit 3",
	"",
	":",
	"echo a b  c",
	"printf '%s\\n' one two",
	"echo to stderr 1>&2",
	"echo a; echo b >&2; echo c",
	"{ echo a; echo b >&2; } 2>&1",
	"ls /nowhere/at/all",
	"nosuchprogram --flag",
	"seq 5 | tail -n 2",
	"seq 100 | grep 7 | wc -l",
	"echo a | cat | tr a b; exit 4",
	"false | true",
	"true && echo yes || echo no",
	"false && echo yes || echo no",
	"! true",
	"if [ 1 -eq 1 ]; then echo same; else echo other; fi",
	"if false; then echo a; elif true; then echo b; fi",
	"for i in 1 2 3; do echo $i; done",
	"for f in *.none; do echo $f; done",
	'i=0; while [ $i -lt 3 ]; do i=$((i + 1)); echo "n $i"; done',
	"until true; do :; done; echo $?",
	"case abc in a*) echo starts;; *) echo not;; esac",
	"touch x.one y.one; echo *.one; rm *.one",
	"(cd / && pwd); pwd",
	"echo out > file; cat < file; rm file",
	"echo a > f; echo b >> f; wc -l < f; rm f",
	"cat <<EOF\nhello $((1 + 2))\nEOF",
	"cat <<'EOF'\nhello $HOME `x`\nEOF",
	"cat <<-EOF\n\tindented\n\tEOF\necho after",
	'X=5; echo "$X" \'$X\' \\$X "\\$X"',
	"X=1 Y=2 sh -c 'echo $X$Y'",
	"f() { echo in $1; return 7; }; f a; echo $?; f b",
	"set -- a 'b c'; echo $#; printf '[%s]' \"$@\"",
	'echo "$(echo inner "quoted")" $(echo two)',
	"echo a\\\nb",
	"echo a # echo b\necho c",
	"sh -c 'kill -9 $$'; echo $?",
	"kill -TERM $$",
	"kill -KILL $$",
	"cat",
	'read line; echo "[$line]" $?',
	"readlink /proc/self/fd/0",
	'echo "unterminated',
	"if true; then",
	"set -e; false; echo unreachable",
	"trap 'echo bye' EXIT; echo hi; exit 2",
	"awk 'BEGIN { print \"x\\ty\" }'",
	"printf '\\303\\251\\n'; echo é",
	"env | grep ^BROOD_TEST_SHELL",
	"echo $0; echo $#",
	"-x",
	"exec 2>&1; echo moved >&2",
	"umask 077; echo done; wait",
	"exec sh -c 'echo replaced; exit 9'",
];

test.each(forms)("sh and amp.$ give the same for %j", async (form) => {
	using folder = shellFolder();
	process.env.BROOD_TEST_SHELL = "set after the start";
	const result = await folder.run(form);
	const command = form.startsWith("-") ? ` ${form}` : form;
	const sh = Bun.spawnSync(["/bin/sh", "-c", command], { cwd: folder.path, env: process.env, stdin: "ignore" });
	expect(result.stdout).toBe(sh.stdout.toString());
	expect(result.stderr).toBe(sh.stderr.toString());
	const signals: Record<string, number> = { SIGTERM: 143, SIGKILL: 137 };
	expect(result.exitCode).toBe(sh.exitCode ?? signals[sh.signalCode ?? ""]);
});

test("a command writes to /dev/stdout and /dev/stderr", async () => {
	using folder = shellFolder();
	const result =
		await folder.$`echo one > /dev/stdout; echo two; echo three | tee /dev/stderr; echo four >> /dev/stderr`;
	expect(result).toEqual({ exitCode: 0, stdout: "one\ntwo\nthree\n", stderr: "three\nfour\n" });
});

test("ten megabytes on both outputs at once arrive whole", async () => {
	using folder = shellFolder();
	const size = 10 * 1024 * 1024;
	const result = await folder.$`yes 0123456789 | head -c ${size}; yes abcdefghij | head -c ${size} >&2`;
	expect(Bun.hash(result.stdout)).toBe(Bun.hash("0123456789\n".repeat(size / 11 + 1).slice(0, size)));
	expect(Bun.hash(result.stderr)).toBe(Bun.hash("abcdefghij\n".repeat(size / 11 + 1).slice(0, size)));
});

test("bytes that are no UTF-8 become replacement characters and a byte order mark stays", async () => {
	using folder = shellFolder();
	expect((await folder.$`printf '\357\273\277a\377b\303'`).stdout).toBe("\uFEFFa\uFFFDb\uFFFD");
});

test("a command too long for one argument runs like a short one", async () => {
	using folder = shellFolder();
	const long = 'é"$x`\\\n'.repeat(50_000);
	const result = await folder.$`printf %s ${long}; cat; exit 6`;
	expect(result.stdout === long).toBe(true);
	expect({ ...result, stdout: "" }).toEqual({ exitCode: 6, stdout: "", stderr: "" });
});

test("many commands at once keep their outputs apart", async () => {
	using folder = shellFolder();
	const numbers = Array.from({ length: 30 }, (_, index) => index);
	const results = await Promise.all(
		numbers.map((number) => folder.$`echo ${number}; echo ${-number} >&2; exit ${number}`),
	);
	expect(results).toEqual(
		numbers.map((number) => ({ exitCode: number, stdout: `${number}\n`, stderr: `${-number}\n` })),
	);
});

test("a process left in the background neither holds the result up nor dies when it writes later", async () => {
	using folder = shellFolder();
	await folder.$`mkfifo go gone`;
	const { stdout } = await folder.$`{ read word < go; echo late; echo late >&2; echo $word > gone; } & echo started`;
	expect(stdout).toBe("started\n");
	const { stdout: answer } = await folder.$`echo alive > go; cat gone`;
	expect(answer).toBe("alive\n");
});

test("what a command wrote before it ended is there although a background process keeps writing", async () => {
	using folder = shellFolder();
	const { stdout } = await folder.$`{ while echo noise; do :; done; } & seq 2000 | sed 's/$/ line/'; kill $!`;
	expect(
		stdout
			.split("\n")
			.filter((line) => line.endsWith(" line"))
			.at(-1),
	).toBe("2000 line");
});

test.if(process.platform === "linux")("no descriptor stays open", async () => {
	using folder = shellFolder();
	const open = () => readdirSync("/proc/self/fd").length;
	await folder.$`true`;
	const before = open();
	for (let round = 0; round < 20; round += 1) {
		await folder.$`echo out; echo err >&2`;
		await createShell("/nowhere/at/all")`true`.catch(() => {});
	}
	// Some are closed a moment after the end of their process is known.
	while (open() > before) await Bun.sleep(5);
	await folder.$`mkfifo go`;
	await folder.$`cat go &`;
	await folder.$`: > go`;
	// The event loop has yet to see that the background process ended; a leak would keep this waiting for ever.
	while (open() > before) await Bun.sleep(1);
});

test("a folder that is gone rejects, and a call that is no template says what to write", async () => {
	await expect(createShell("/nowhere/at/all")`true`).rejects.toThrow("ENOENT");
	using folder = shellFolder();
	const called = folder.$ as unknown as (text: string) => Promise<unknown>;
	await expect(called("ls")).rejects.toThrow("template tag");
});

test("backslashes reach sh as they are written", async () => {
	using folder = shellFolder();
	expect((await folder.$`printf 'a\tb\n' | sed 's/\t/\\/'`).stdout).toBe("a\\b\n");
	expect((await folder.$`echo \$HOME \`x\``).stdout).toBe("$HOME `x`\n");
	expect(existsSync(folder.path)).toBe(true);
});
