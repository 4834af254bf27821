import { expect, test } from "bun:test";
import { createBench } from "../support/host.ts";

const bench = createBench();

/** A child that says all of this at once and ends. */
function startSaying(messages: object[], exitCode: number) {
	const text = messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("");
	bench.write("said.txt", text);
	const script = `
		const { readFileSync, writeSync } = require("node:fs");
		const said = readFileSync(require("node:path").join(process.cwd(), "said.txt"));
		for (let begin = 0; begin < said.length; ) begin += writeSync(1, said, begin);
		${exitCode < 0 ? "setInterval(() => {}, 1_000);" : `process.exit(${exitCode});`}
	`;
	return bench.start({ one: "" }, { launch: { form: "custom", command: [process.execPath, "-e", script] } });
}

const hello = (id: number, protocol: string) => ({ id, method: "client.info", params: { protocol } });
const log = (message: string) => ({ method: "log", params: { level: "info", message } });

test("a process that ends is not told of before its last words were heard", async () => {
	const words = Array.from({ length: 2_000 }, (_, index) => log(`word ${index}`));
	const last = { method: "runtime.stage", params: { stage: "activate", ms: 1 } };
	const { host } = await startSaying([hello(1, "1.0.0"), ...words, last], 3);
	const { error } = host.plugins.get("one");
	expect(error).toMatchObject({ code: "exited_before_ready", stage: "activate", exit: { code: 3 } });
	expect(host.plugins.log("one").some(({ message }) => message === "word 1999")).toBe(true);
});

test("a second hello of another protocol ends the load although ready stands right behind it", async () => {
	const timings = { imported: 1, activated: 2, registered: 3, ready: 4 };
	const ready = { method: "runtime.ready", params: { timings } };
	const { host } = await startSaying([hello(1, "1.0.0"), hello(2, "9.0.0"), ready], -1);
	expect(host.plugins.get("one").state).toBe("incompatible");
});
