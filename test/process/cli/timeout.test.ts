import { expect, test } from "bun:test";
import { createDesk, helper } from "./support.ts";

const desk = createDesk();

const handlerHint = "Its handler may watch context.signal; it goes on otherwise.";

test.each<string[]>([
	["call", "greet", '{"name":"never"}'],
	["run", "hang"],
])("brood %s that was given up for its time says what helps", async (...command) => {
	await desk.write({ "helper.ts": helper });
	const all = ["-q", "--no-places", "-p", "helper.ts", ...command, "--timeout", "200"];
	const [people, programs] = await Promise.all([desk.run(all), desk.run([...all, "--json"])]);
	expect([people.exitCode, programs.exitCode]).toEqual([6, 6]);
	expect(people.stderr).toContain("did not answer within 200 ms.\n");
	expect(people.stderr).toContain(`  hint: ${handlerHint} Give it more time with --timeout.\n`);
	expect(programs.errors[0]?.error).toMatchObject({ code: "timeout", plugin: "helper" });
	expect(programs.errors[0]?.error.hint).toStartWith(handlerHint);
});
