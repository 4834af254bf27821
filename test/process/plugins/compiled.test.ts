import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type CompileBench, createCompileBench, examples, runToEnd } from "../examples-support.ts";
import { layOutWorkspace } from "./workspace.ts";

setDefaultTimeout(60_000);
const program = join(examples, "embed/compiled.ts");

/** Where a single binary carries the host, plugins lie on the disk all the same. */
let bench: CompileBench;
let binary = "";
let plugins = "";
beforeAll(async () => {
	bench = await createCompileBench();
	binary = await bench.compile(program);
	const workspace = await bench.write("workspace", {});
	layOutWorkspace(workspace);
	plugins = join(workspace, ".amp/plugins");
	// One takes its three seconds at the end of each run, the other's tool may come after the list.
	for (const name of ["signal-handlers.ts", "registers-late.ts"]) rmSync(join(plugins, name));
});
afterAll(() => bench[Symbol.asyncDispose]());

/** Runs the program over one plugin or all, and gives the tools that it lists and what the asked one answers. */
async function run(command: string[], path: string, tool: string, input: object) {
	const home = await bench.write("home", {});
	const env = { PATH: process.env.PATH ?? "", HOME: home };
	const { exitCode, lines } = await runToEnd([...command, path, tool, JSON.stringify(input)], home, env);
	return { tools: lines.flatMap((line) => /^(\w+): /.exec(line)?.[1] ?? []), exitCode, answer: lines.at(-1) };
}

test("a compiled host has every tool and gate of the samples that a host from source has", async () => {
	const compiled = await run([binary], plugins, "primes", { below: 1_000 });
	expect(compiled.tools.length).toBeGreaterThan(20);
	expect(compiled).toEqual(await run([process.execPath, program], plugins, "primes", { below: 1_000 }));
	// One of them wants to tell a person of each call, and there is none.
	expect(compiled).toMatchObject({ exitCode: 1, answer: "Nobody is here to ask." });
});

test("a plugin of a compiled host has its worker", async () => {
	const { answer } = await run([binary], join(plugins, "worker-thread"), "primes", { below: 1_000 });
	expect(answer).toBe("168");
});

test("a plugin of a compiled host that starts process.execPath gets the host, which starts none in turn", async () => {
	const plugin = join(plugins, "spawns-the-host.ts");
	const { answer } = await run([binary], plugin, "ask_another", { args: [plugin, "ask_another", "{}"] });
	expect(answer).toBe("nested at depth 1");
});
