import { expect, test } from "bun:test";
import { describeForPeople } from "../../../host/cli/failure.ts";
import { type BroodError, failure } from "../../../runtime/errors.ts";
import { createDesk, parseLines } from "../cli/support.ts";

const desk = createDesk();

const dying = `export default (amp) => {
	amp.registerTool({ name: "die", description: "", inputSchema: { type: "object" }, execute: async () => {
		setTimeout(() => { throw new TypeError("boom"); }, 1);
		await new Promise(() => {});
	} });
};`;

test("a log line in JSON is what an embedder's JSON log has, its time included", async () => {
	await desk.write({ "p.ts": `export default (amp) => amp.logger.log("said");` });
	const { stdout, stderr } = await desk.run(["-p", "p.ts", "info", "p", "--json"]);
	const log = {
		time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
		level: "info",
		plugin: "p",
		source: "plugin",
	};
	expect(parseLines(stderr)).toEqual([{ log: { ...log, message: "said" } }]);
	expect(JSON.parse(stdout).log).toEqual([{ ...log, message: "said" }]);
});

test("what a plugin printed last is shown once: by its log, or else by the error", async () => {
	await desk.write({ "p.ts": dying });
	const call = ["-p", "p.ts", "call", "die"];
	const [loud, quiet] = await Promise.all([desk.run(call), desk.run(["-q", ...call])]);
	expect(loud.stderr.match(/^.*uncaught exception:$/gm)).toEqual(["[p] uncaught exception:"]);
	expect(loud.stderr).toMatch(/^error: Plugin "p" ended: it exited with code 1 before tool "die" was done\.$/m);
	expect(quiet.stderr).toContain("[p] error: uncaught exception: TypeError: boom\n");
	expect(quiet.stderr).toMatch(
		/; the end of its output:\nuncaught exception:\nTypeError: boom\n {6}at .*p\.ts:3:\d+\)/,
	);
	expect([loud.exitCode, quiet.exitCode]).toEqual([5, 5]);
});

test("a failed load tells programs where, and its hint once", async () => {
	await desk.write({ "p.ts": `throw new Error("no");`, "none.ts": "" });
	const { stdout } = await desk.run(["-p", "p.ts", "-p", "none.ts", "list", "--json"]);
	const [{ error: thrown }, { error: none }] = JSON.parse(stdout).plugins;
	expect(thrown.positions).toEqual([{ file: desk.path("p.ts"), line: 1, column: expect.any(Number) }]);
	expect(none.hint).toStartWith("Write ");
	expect(none.message).not.toContain(none.hint);
	expect(none).not.toHaveProperty("positions");
});

test("an excerpt is left out only where all of it was shown", () => {
	const paint = { note: (_: string, text: string) => text, result: (_: string, text: string) => text };
	const error: BroodError = failure("plugin_exited", {
		plugin: "p",
		reason: "it exited; the end of its output:\none\n\ntwo\n",
	});
	const shown = (...notes: string[]) => describeForPeople(error, { paint, wasNoted: (text) => notes.includes(text) });
	expect(shown("[p] one", "[p] two")).toBe('error: Plugin "p" ended: it exited.');
	expect(shown("[p] one", "[other] two")).toContain("the end of its output:\none\n\ntwo");
});
