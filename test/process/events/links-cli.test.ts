import { expect, test } from "bun:test";
import { createDesk } from "../cli/support.ts";

const desk = createDesk();

const issue = `export default (amp) => amp.registerLinkPattern({ id: "issue", pattern: "[A-Z]+-\\\\d+", href: "https://t.test/{{match}}" });`;
const links = (parameters: string[], stdin?: string) =>
	desk.run(["--no-places", ...parameters], stdin === undefined ? {} : { stdin });

test("links shows what the patterns make of a text, from an argument and from stdin", async () => {
	await desk.write({ "issue.ts": issue, "none.ts": "export default () => {};", "broken.ts": "throw new Error('no')" });
	const [people, program, nothing, nobody, broken] = await Promise.all([
		links(["-p", "issue.ts", "links", "see ABC-1 and X-22"]),
		links(["-p", "issue.ts", "links", "-", "--json"], "see ABC-1\n"),
		links(["-p", "issue.ts", "links", "see nothing"]),
		links(["-p", "none.ts", "links", "see ABC-1"]),
		links(["-p", "broken.ts", "links", "see ABC-1"]),
	]);
	expect(people).toMatchObject({
		exitCode: 0,
		stdout: `ABC-1  https://t.test/ABC-1  issue:issue  at 4\nX-22   https://t.test/X-22   issue:issue  at 14\n`,
		stderr: "",
	});
	expect(program.exitCode).toBe(0);
	expect(JSON.parse(program.stdout)).toEqual({
		links: [{ text: "ABC-1", start: 4, end: 9, href: "https://t.test/ABC-1", plugin: "issue", id: "issue" }],
	});
	expect(nothing).toMatchObject({ exitCode: 0, stdout: "", stderr: "No link pattern finds anything in the text.\n" });
	expect(nobody).toMatchObject({ exitCode: 0, stdout: "", stderr: "No plugin has registered a link pattern.\n" });
	expect(broken).toMatchObject({ exitCode: 4, stdout: "" });
});
