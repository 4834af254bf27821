// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts for a shell
import { expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { shellCommand } from "../../../child/api/shell-quote.ts";
import { propertyMs, propertyRuns, tally } from "../../support/effort.ts";
import { type Folder, shellFolder } from "./shell-support.ts";

setDefaultTimeout(propertyMs);

/**
 * A piece of a script with a value at `¤`, and what `sh` must do then, said with variables, which cannot inject: `¤w` are
 * the words of the value, `¤q` is its text inside of double quotes. `one` pieces take a single word.
 */
interface Piece {
	written: string;
	meant: string;
	one?: true;
}

const pieces: Piece[] = [
	{ written: "printf '[%s]' ¤", meant: "printf '[%s]' ¤w" },
	{ written: "printf '[%s]' a¤b", meant: "printf '[%s]' a¤wb" },
	{ written: "printf '[%s]' \"a ¤ b\"", meant: "printf '[%s]' \"a ¤q b\"" },
	{ written: "printf '[%s]' 'a ¤ b'", meant: "printf '[%s]' \"a ¤q b\"" },
	{ written: "printf '[%s]' \"$(printf '%s|' ¤)\"", meant: "printf '[%s]' \"$(printf '%s|' ¤w)\"" },
	{ written: "printf '[%s]' \"$(printf '%s|' \"'¤'\")\"", meant: "printf '[%s]' \"$(printf '%s|' \"'¤q'\")\"" },
	{ written: "x=¤; printf '[%s]' \"$x\"", meant: 'x="¤q"; printf \'[%s]\' "$x"' },
	{ written: "x=a¤b; printf '[%s]' \"$x\"", meant: 'x="a¤qb"; printf \'[%s]\' "$x"' },
	{ written: 'X=¤ Y="¤" sh -c \'printf %s "$X$Y"\'', meant: 'X="¤q" Y="¤q" sh -c \'printf %s "$X$Y"\'' },
	{ written: "export X=¤; sh -c 'printf %s \"$X\"'", meant: 'export X="¤q"; sh -c \'printf %s "$X"\'' },
	{ written: "printf x > ¤", meant: "printf x > ¤w", one: true },
	{ written: "printf x >> pre¤", meant: "printf x >> pre¤w", one: true },
	{ written: 'printf x > "in ¤"; cat < "in ¤"', meant: 'printf x > "in ¤q"; cat < "in ¤q"' },
	{ written: "cat <<EOF\nhead ¤ tail\nEOF\n", meant: "cat <<EOF\nhead ¤q tail\nEOF\n" },
	{ written: "cat <<'EOF'\nhead ¤ tail\nEOF\n", meant: "printf 'head %s tail\\n' \"¤q\"" },
	{ written: "cat <<-EOF\n\thead ¤ tail\n\tEOF\n", meant: "cat <<EOF\nhead ¤q tail\nEOF\n", one: true },
	{ written: "cat <<-EOF\n\t¤¤ tail\n\tEOF\n", meant: "cat <<EOF\n¤q¤q tail\nEOF\n", one: true },
	{ written: "cat <<-'EOF'\n\t¤ tail\n\tEOF\n", meant: "printf '%s tail\\n' \"¤q\"", one: true },
	{
		written: "case ¤ in *';'*) echo semicolon;; *) echo none;; esac",
		meant: "case ¤w in *';'*) echo semicolon;; *) echo none;; esac",
		one: true,
	},
	{
		written: "case abc in ¤) echo same;; *) echo other;; esac",
		meant: "case abc in ¤w) echo same;; *) echo other;; esac",
		one: true,
	},
	{ written: "if test x¤ = xa; then echo same; fi", meant: "if test x¤w = xa; then echo same; fi", one: true },
	{ written: "for w in ¤ two; do printf '<%s>' \"$w\"; done", meant: "for w in ¤w two; do printf '<%s>' \"$w\"; done" },
	{
		written: "set -- ¤; printf '%s' $#; printf '<%s>' \"$@\"",
		meant: "set -- ¤w; printf '%s' $#; printf '<%s>' \"$@\"",
	},
	{ written: "f() { printf '{%s}' \"$@\"; }; f ¤", meant: "f() { printf '{%s}' \"$@\"; }; f ¤w" },
	{ written: "printf '[%s]' $¤", meant: "printf '[%s]' '$'¤w", one: true },
	{ written: "# it's ¤\nprintf after", meant: "printf after" },
	{ written: "(printf '[%s]' ¤) | cat", meant: "(printf '[%s]' ¤w) | cat" },
];

const text = fc
	.array(
		fc.constantFrom(
			...["'", '"', "\\", "$", "`", "$(", "${", "(", ")", "\n", " ", "\t", "#", ";", "&", "|", "<", ">", "*", "~"],
			...[
				"touch injected",
				"; touch injected;",
				"$(touch injected)",
				"`touch injected`",
				"\nEOF\n",
				"\n\t\t",
				"EOF",
				"é",
				"-n",
				"!",
			],
		),
		{ maxLength: 6 },
	)
	.map((parts) => parts.join(""))
	// A file cannot be called so.
	.filter((value) => value !== "." && value !== "..");
const value = fc.oneof(text, fc.array(text, { maxLength: 3 }));
const placed = fc.constantFrom(...pieces).chain((piece) => {
	const count = piece.written.split("¤").length - 1;
	return fc.record({
		piece: fc.constant(piece),
		values: fc.array(piece.one ? text : value, { minLength: count, maxLength: count }),
	});
});

// What /bin/sh is here, and what it is on macOS.
const shells = [["/bin/sh"], ["bash", "--posix"]].filter(([name = ""]) => Bun.which(name) !== null);

test("a script with values does what it would do with variables, wherever they stand and whatever they hold", async () => {
	using own = shellFolder();
	using other = shellFolder();
	let refused = 0;
	let compared = 0;
	await fc.assert(
		fc.asyncProperty(fc.array(placed, { minLength: 1, maxLength: 3 }), async (parts) => {
			const written = writtenScript(parts);
			if (written === undefined) {
				refused += 1;
				return;
			}
			compared += 1;
			const meant = meantScript(parts);
			for (const shell of shells) {
				const [seen, expected] = await Promise.all([
					run(shell, own, written),
					run(shell, other, meant.script, meant.variables),
				]);
				expect({ shell, written, ...seen }).toEqual({ shell, written, ...expected });
			}
		}),
		propertyRuns,
	);
	tally("scripts with values that did what they do with variables", compared, `${refused} refused for a value`);
	expect(compared).toBeGreaterThan(refused);
});

type Part = { piece: Piece; values: (string | string[])[] };

/** Undefined when a value is refused at its place, which only a line of a here-document may be. */
function writtenScript(parts: Part[]): string | undefined {
	const literals = parts
		.map(({ piece }) => piece.written)
		.join("\n")
		.split("¤");
	const values = parts.flatMap((part) => part.values);
	try {
		return shellCommand(literals, values);
	} catch (error) {
		expect(String(error)).toMatch(/would end|would take away the tab|goes on with a letter beyond ASCII/);
		return undefined;
	}
}

function meantScript(parts: Part[]): { script: string; variables: Record<string, string> } {
	const variables: Record<string, string> = {};
	const lines = parts.map(({ piece, values }) => {
		let index = 0;
		return piece.meant.replace(/¤([wq])/g, (_, form) => {
			const words = [values[index++] ?? ""].flat();
			const names = words.map((word) => {
				const name = `V${Object.keys(variables).length}`;
				variables[name] = word;
				return `\${${name}}`;
			});
			return form === "q" ? names.join(" ") : names.map((name) => `"${name}"`).join(" ");
		});
	});
	return { script: lines.join("\n"), variables };
}

/** What a script says, and which files are there after it. */
async function run(shell: string[], { path }: Folder, script: string, variables: Record<string, string> = {}) {
	const child = Bun.spawn([...shell, "-c", script], {
		cwd: path,
		env: { PATH: process.env.PATH, ...variables },
		stdin: "ignore",
		stdout: "pipe",
		stderr: "ignore",
	});
	const [stdout, exitCode] = await Promise.all([child.stdout.text(), child.exited]);
	const files = [...new Bun.Glob("**").scanSync({ cwd: path, dot: true })].sort();
	await Promise.all(files.map((file) => Bun.file(`${path}/${file}`).delete()));
	return { stdout, exitCode, files };
}
