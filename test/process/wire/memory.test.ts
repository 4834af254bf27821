import { describe, expect, test } from "bun:test";
import { dirname, join } from "node:path";
import { createBench } from "../support/host.ts";

/** Memory is measured in a program of its own, so that neither other tests nor their garbage count. */
const bench = createBench();

const program = join(import.meta.dir, "../../fixtures/wire/host-program.ts");

interface Measured {
	grown: number;
	longestGapMs: number;
	outcomes: unknown[];
	state: string;
	error?: string;
	lines: number;
	log: string[];
}

/** What a scenario did to a program that embeds a host. */
async function measure(scenario: string, source: string, queueBytesMax = ""): Promise<Measured> {
	const folder = dirname(bench.write(`${crypto.randomUUID()}/one`, source));
	const command = [process.execPath, program, folder, scenario, queueBytesMax];
	const child = Bun.spawn(command, { stdout: "pipe", stderr: "inherit" });
	const text = await new Response(child.stdout).text();
	expect(await child.exited).toBe(0);
	return JSON.parse(text);
}

const fake = (tool: string) => `import { writeSync } from "node:fs";
	export default { tool(wire, id, { text }) { if (text === "warm") wire.answer(id, text); ${tool} } };`;

describe("the memory of a host stays bounded and its timers fire", () => {
	test("with 50 calls of 2 MB to a child that reads none, which all end in their time (case 029)", async () => {
		const { grown, outcomes } = await measure("deaf", fake("Bun.sleepSync(60_000);"), "8000000");
		const codes = outcomes.map((outcome) => (outcome as { code: string }).code);
		expect(new Set(codes)).toEqual(new Set(["timeout", "busy"]));
		expect(codes.filter((code) => code === "busy").length).toBeGreaterThan(40);
		// Without a limit it is more than 300 MiB.
		expect(grown).toBeLessThan(150);
	});

	test("with a line without an end, whose child is ended at the limit, by name and number (case 024)", async () => {
		const endless = `if (text !== "warm") for (const part = "x".repeat(1 << 20); ; ) wire.raw(part);`;
		const { grown, outcomes, state, log } = await measure("once", fake(endless));
		expect(outcomes).toEqual([
			{ code: "plugin_exited", message: expect.stringContaining("over 67108864 bytes in one line") },
		]);
		expect({ state, told: log.some((line) => line.includes("over 67108864 bytes in one line")) }).toEqual({
			state: "failed",
			told: true,
		});
		expect(grown).toBeLessThan(200);
	});

	test("with 100 MB of output, of which the log and the failure keep the end", async () => {
		const noisy = `if (text !== "warm") {
			const line = Buffer.from(("e".repeat(99) + "\\n").repeat(1_000));
			for (let n = 0; n < 1_000; n++) for (let done = 0; done < line.length; ) {
				try { done += writeSync(2, line, done); } catch (error) { if (error.code !== "EAGAIN") throw error; Bun.sleepSync(1); }
			}
			writeSync(2, "the last line\\n");
			wire.answer(id, "drained");
		}`;
		const { grown, outcomes, lines } = await measure("once", fake(noisy));
		expect(outcomes).toEqual(["drained"]);
		expect(lines).toBe(1_000);
		expect(grown).toBeLessThan(100);
	});

	test("with a message of 32 MiB to a plugin and back", async () => {
		const echo = `export default (amp) => amp.registerTool({
			name: "t", description: "", inputSchema: { type: "object" }, execute: ({ text }) => text });`;
		const { grown, outcomes, longestGapMs } = await measure("large", echo);
		expect(outcomes).toEqual([32 * 1024 * 1024]);
		expect(grown).toBeLessThan(400);
		expect(longestGapMs).toBeLessThan(1_000);
	});
});
