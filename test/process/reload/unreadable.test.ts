import { expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { createBench } from "../support/host.ts";
import { report, says, version } from "./support.ts";

const bench = createBench();
// Root may read everything.
const isRoot = process.getuid?.() === 0;

test.skipIf(isRoot)("a module that may not be read fails its plugin, which is loaded once it may be read", async () => {
	const index = bench.write("one/index.ts", `import "./module.ts";\n${version("one", 1)}`);
	const module = index.replace("index.ts", "module.ts");
	writeFileSync(module, "export {};\n");
	chmodSync(module, 0);
	const running = await bench.start({});
	expect(running.host.plugins.get("one").state).toBe("failed");
	await running.host.watch();
	const readable = report(running, "one");
	chmodSync(module, 0o644);
	expect((await readable).outcome).toBe("ready");
	expect(await says(running, "one")).toBe("1");
});

test.skipIf(isRoot)("a plugin that may not be read any more serves on, and is loaded anew once it may be", async () => {
	const running = await bench.start({ "one/index.ts": version("one", 1) });
	await running.host.watch();
	const index = running.host.plugins.get("one").path;
	const next = report(running, "one");
	chmodSync(index, 0);
	// Longer than a file that is away is waited for.
	await Bun.sleep(700);
	expect(await says(running, "one")).toBe("1");
	chmodSync(index, 0o644);
	writeFileSync(index, version("one", 2));
	while ((await says(running, "one")) !== "2") await next;
});
