import { expect, test } from "bun:test";
import { createDesk } from "./support.ts";

const desk = createDesk();
const imports = { star: 'import * as it from "p"', default: 'import it from "p"', named: 'import { it } from "p"' };

test.each(Object.entries(imports))(
	"the error of a CommonJS package that throws as it loads can be found: %s",
	async (name, line) => {
		await desk.write({
			"node_modules/p/package.json": '{ "name": "p", "version": "1.0.0", "main": "it\'s.js" }',
			"node_modules/p/it's.js": 'throw new Error("no such key: " + [1,2,3,4,5].length);\n',
			[`${name}.ts`]: `${line};\nexport default () => it;\n`,
		});
		for (const command of [
			["-p", `${name}.ts`, "list"],
			["validate", `${name}.ts`],
		]) {
			const { exitCode, stdout, stderr } = await desk.run(command);
			expect(exitCode).toBe(4);
			const told = stdout + stderr;
			if (name === "star") expect(told).toContain("no such key: 5");
			else {
				const advised = /see (bun -e .*\))'\./.exec(told)?.[1];
				const { stderr: seen } = Bun.spawnSync(["sh", "-c", `${advised}'`.replace("bun", process.execPath)]);
				expect(seen.toString()).toContain("no such key: 5");
			}
		}
	},
);

test("a module that lacks an export and has others is not said to have thrown", async () => {
	await desk.write({
		"one.ts": 'import { a } from "./two.ts";\nexport default () => a;\n',
		"two.ts": "export const b = 1;\n",
	});
	const { stderr } = await desk.run(["-p", "one.ts", "list"]);
	expect(stderr).toContain("Export named 'a' not found");
	expect(stderr).not.toContain("may have thrown");
});
