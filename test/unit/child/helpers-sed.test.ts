// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts for a shell
import { expect, test } from "bun:test";
import fc from "fast-check";
import { createHelpers } from "../../../child/helpers.ts";
import { propertyRuns } from "../../support/effort.ts";

const helpers = createHelpers("/w");

function edited(command: string): string[] | null {
	const uris = helpers.filesModifiedByToolCall({ tool: "shell_command", input: { command } });
	return uris?.map((uri) => uri.fsPath) ?? null;
}

const rows: [string, string[] | null][] = [
	// The ways of saying "in place".
	["sed -i s/a/b/ f", ["/w/f"]],
	["sed -i.bak s/a/b/ f", ["/w/f"]],
	["sed -i '' s/a/b/ f", ["/w/f"]],
	["sed -i.bak '' f", ["/w/f"]],
	['sed -i "" s/a/b/ f', ["/w/f"]],
	["sed --in-place s/a/b/ f", ["/w/f"]],
	["sed --in-place=.orig s/a/b/ f", ["/w/f"]],
	["sed -Ei s/a/b/ f", ["/w/f"]],
	["sed -ni p f", ["/w/f"]],
	["sed -nEi.bak p f", ["/w/f"]],
	["sed -E -i s/a/b/ f", ["/w/f"]],
	["sed -ie s/a/b/ f", ["/w/f"]],
	["sed -i -E 's/(a)/\\1/' f", ["/w/f"]],
	["sed s/a/b/ -i f", ["/w/f"]],
	["sed s/a/b/ f -i", ["/w/f"]],
	["/usr/bin/sed -i s/a/b/ f", ["/w/f"]],
	["gsed -i s/a/b/ f", ["/w/f"]],
	// Where the script is.
	["sed -i -e s/a/b/ -e s/c/d/ f g", ["/w/f", "/w/g"]],
	["sed -i -es/a/b/ f", ["/w/f"]],
	["sed -i '' -e s/a/b/ f", ["/w/f"]],
	["sed -ne p -i f", ["/w/f"]],
	["sed -i --expression=s/a/b/ --expression s/c/d/ f", ["/w/f"]],
	["sed -i -f script.sed f", ["/w/f"]],
	["sed -i -fscript.sed f", ["/w/f"]],
	["sed -i --file script.sed f", ["/w/f"]],
	["sed -i --file=script.sed f", ["/w/f"]],
	["sed -l 5 -i s/a/b/ f", ["/w/f"]],
	["sed --line-length 5 -i s/a/b/ f", ["/w/f"]],
	["sed -i -- s/a/b/ -odd", ["/w/-odd"]],
	["sed -i s/a/b/ f - g", ["/w/f", "/w/g"]],
	["sed -i s/a/b/ f f", ["/w/f"]],
	// Not in place, or nothing to edit.
	["sed s/a/b/ f", null],
	["sed -n p f", null],
	["sed -e i f", null],
	["sed -f i f", null],
	["sed -i s/a/b/", null],
	["sed -i", null],
	["echo sed -i s/a/b/ f", null],
	["mysed -i s/a/b/ f", null],
	["grep -i x f", null],
	["", null],
	// What may stand before it.
	["LC_ALL=C sed -i s/a/b/ f", ["/w/f"]],
	["A=1 B='x y' sed -i s/a/b/ f", ["/w/f"]],
	["if true; then sed -i s/a/b/ f; else sed -i s/a/b/ g; fi", ["/w/f", "/w/g"]],
	["for x in 1 2; do sed -i s/$x/b/ f; done", ["/w/f"]],
	["{ sed -i s/a/b/ f; }", ["/w/f"]],
	["! sed -i s/a/b/ f", ["/w/f"]],
	// Chains and folders.
	["sed -i s/a/b/ f; sed -i s/a/b/ g", ["/w/f", "/w/g"]],
	["sed -i s/a/b/ f && sed -i s/a/b/ g || sed -i s/a/b/ h", ["/w/f", "/w/g", "/w/h"]],
	["sed -i s/a/b/ f\nsed -i s/a/b/ g & sed -i s/a/b/ h", ["/w/f", "/w/g", "/w/h"]],
	["cat x | sed s/a/b/ > f", null],
	["cat x | sed -i s/a/b/ f", ["/w/f"]],
	["cd sub && sed -i s/a/b/ f", ["/w/sub/f"]],
	["cd sub; cd ../other; sed -i s/a/b/ f", ["/w/other/f"]],
	["cd -- /abs && sed -i s/a/b/ f ./g ../h", ["/abs/f", "/abs/g", "/h"]],
	["cd -P 'a b' && sed -i s/a/b/ f", ["/w/a b/f"]],
	["(cd sub && sed -i s/a/b/ f); sed -i s/a/b/ g", ["/w/sub/f", "/w/g"]],
	["cd sub | cat; sed -i s/a/b/ f", ["/w/f"]],
	["cd && sed -i s/a/b/ f /g", ["/g"]],
	["cd ~/x && sed -i s/a/b/ f /g", ["/g"]],
	["cd - && sed -i s/a/b/ f", null],
	["cd && cd /x && sed -i s/a/b/ f", ["/x/f"]],
	["sed -i s/a/b/ /abs/f sub/../g", ["/abs/f", "/w/g"]],
	// Quotes, escapes, expansions that stay as they are.
	["sed -i 's/a b/c;d/' 'f g'", ["/w/f g"]],
	['sed -i "s/\\"a\\"/b | c/" "f \\"g\\""', ['/w/f "g"']],
	["sed -i s/a/b/ f\\ g", ["/w/f g"]],
	["sed -i 's/it'\\''s/x/' f", ["/w/f"]],
	["sed -i s/a/b/ *.ts src/**/?.js", ["/w/*.ts", "/w/src/**/?.js"]],
	['sed -i "s/x/$(date "+%Y (%m)")/" f', ["/w/f"]],
	["sed -i s/x/`echo ;`/ f", ["/w/f"]],
	["sed -i s/x/${y:-a b;}/ f", ["/w/f"]],
	['sed -i s/a/b/ "$dir/f"', ["/w/$dir/f"]],
	["sed -i \\\n  s/a/b/ \\\n  f", ["/w/f"]],
	["sed -i s/a/b/ f#g # h", ["/w/f#g"]],
	["# sed -i s/a/b/ f\nsed -i s/a/b/ g", ["/w/g"]],
	["sed -i 's/a/b/' f \"unterminated g", ["/w/f", "/w/unterminated g"]],
	// Redirections and here-documents are no operands.
	["sed -i s/a/b/ f > out 2>/dev/null", ["/w/f"]],
	["sed -i s/a/b/ f 2>&1 >>log <in g", ["/w/f", "/w/g"]],
	["sed -i s/a/b/ f &> log", ["/w/f"]],
	["cat <<EOF\nsed -i s/a/b/ f\nEOF\nsed -i s/a/b/ g", ["/w/g"]],
	["cat > x <<-'E F' && sed -i s/a/b/ h\nsed -i s/a/b/ f\n\tE F\nsed -i s/a/b/ g", ["/w/h", "/w/g"]],
	["cat <<A <<B\nsed -i 1 f\nA\nsed -i 1 g\nB\nsed -i 1 h", ["/w/h"]],
	["cat <<EOF\nsed -i s/a/b/ f", null],
	["cat <<< word; sed -i s/a/b/ f", ["/w/f"]],
];

test.each(rows)("%j edits %j", (command, expected) => {
	expect(edited(command)).toEqual(expected);
});

test("any text is read without an error, and files are absolute", () => {
	const piece = fc.constantFrom(
		"sed ",
		"-i ",
		"cd ",
		"'",
		'"',
		"$(",
		"`",
		"${",
		"}",
		"(",
		")",
		"<<E",
		"\n",
		"E",
		"\\",
		"|",
		"&",
		";",
		"#",
		"a ",
	);
	fc.assert(
		fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
			for (const file of edited(pieces.join("")) ?? []) expect(file).toStartWith("/");
		}),
		propertyRuns,
	);
});

test("a long command with deep nesting is read in one go", () => {
	expect(edited(`sed -i "${"$(".repeat(500)}${")".repeat(500)}" f`)).toEqual(["/w/f"]);
	expect(edited(`${"sed -i s/a/b/ f; ".repeat(20_000)}sed -i s/a/b/ g`)).toEqual(["/w/f", "/w/g"]);
	expect(edited("'\"$(`".repeat(50_000))).toBeNull();
});
