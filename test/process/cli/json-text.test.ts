import { expect, test } from "bun:test";
import { createDesk, parseLines } from "./support.ts";

const desk = createDesk();

test("JSON holds nothing that a terminal obeys, and says the same", async () => {
	const text = "\u001b[2J\u009b31m\u202e\u2028\u200b\ufeff tab\t é 👩‍💻";
	await desk.write({
		"odd.ts": `const text = ${JSON.stringify(text)};
			export default (amp) => {
				amp.logger.log(text);
				amp.registerTool({ name: "odd", description: text, inputSchema: { type: "object" }, execute: () => text });
			};`,
	});
	const obeyed = /[^\P{Cc}\n]|[\u2028\u202e\u200b\ufeff]/u;
	const called = await desk.run(["-p", "odd.ts", "call", "odd", "--json"]);
	expect(called.stdout + called.stderr).not.toMatch(obeyed);
	expect(called.stdout).toContain("é 👩‍💻");
	expect(JSON.parse(called.stdout)).toMatchObject({ ok: true, text });
	expect(parseLines(called.stderr)[0]?.log).toMatchObject({ plugin: "odd" });
	for (const command of [["list"], ["info", "odd"], ["validate"]]) {
		const { stdout } = await desk.run(["-p", "odd.ts", ...command, "--json"]);
		expect(stdout).not.toMatch(obeyed);
		expect(JSON.stringify(JSON.parse(stdout))).toContain(JSON.stringify(text));
	}
});
