import { expect, test } from "bun:test";
import { join } from "node:path";
import { deep, tally } from "../support/effort.ts";

test("long work leaves no descriptor, process or memory behind, and loses or doubles no answer", async () => {
	const command = [process.execPath, join(import.meta.dir, "main.ts"), ...(deep ? [] : ["--short"])];
	const soak = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "inherit" });
	const table = await soak.stdout.text();
	expect({ table, exitCode: await soak.exited }).toEqual({ table, exitCode: 0 });
	const rows = table.split("\n").flatMap((line) => /^(\S.*?) {2,}(\d+) /.exec(line)?.slice(1, 3) ?? []);
	expect(rows).toHaveLength(8);
	for (let at = 0; at < rows.length; at += 2) tally(`soak, ${rows[at]}`, Number(rows[at + 1]));
}, 1_200_000);
