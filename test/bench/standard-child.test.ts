import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createHost } from "brood";
import { childVariables } from "../../runtime/protocol.ts";
import { canLook } from "./memory.ts";
import { trivialPlugin } from "./plugin.ts";
import { buildStandardChild } from "./standard-child.ts";
import { openWorkbench } from "./workbench.ts";

setDefaultTimeout(30_000);

test("what a plugin prints lands on a wire that is its stdout, and not on one that was moved away", async () => {
	await using bench = await openWorkbench();
	const plugin = join(bench.folder, "prints.ts");
	await Bun.write(plugin, `import { writeSync } from "node:fs";\nwriteSync(1, "no message\\n");\n${trivialPlugin}`);
	const wrong: string[] = [];
	for (const standard of ["open", "moved"] as const) {
		const launch = { form: "custom", command: await buildStandardChild(standard, bench.folder) } as const;
		const host = await createHost({
			plugins: [plugin],
			places: false,
			enablement: false,
			launch,
			log: ({ message }) => {
				if (message.includes("something that is no message")) wrong.push(standard);
			},
		});
		expect(host.plugins.list().map(({ state }) => state)).toEqual(["ready"]);
		await host.stop();
	}
	expect(wrong).toEqual(["open"]);
});

test.skipIf(!canLook)("children of the bench alone get the variables of any child", async () => {
	await using bench = await openWorkbench();
	const launch = { form: "custom", command: await buildStandardChild("open", bench.folder) } as const;
	const driver = await bench.ours("package", { host: { launch, variables: childVariables } });
	const { pids } = await driver.ask({ do: "hold", plugins: await bench.plugins(1) });
	const variables = readFileSync(`/proc/${pids?.[0]}/environ`, "utf8").split("\0");
	for (const [name, value] of Object.entries(childVariables)) expect(variables).toContain(`${name}=${value}`);
	expect(variables).toContain(`XDG_CACHE_HOME=${join(bench.folder, "cache")}`);
});
