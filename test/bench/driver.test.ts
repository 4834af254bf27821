import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Answer, Order } from "./driver.ts";

/** Plays a host of a peer whose calls give `answer` for `text`; gives what it answers to each order. */
async function drive(session: string, orders: Order[]): Promise<Answer[]> {
	const folder = await mkdtemp(join(tmpdir(), "brood-driver-"));
	try {
		const program = join(folder, "drive.ts");
		const driver = JSON.stringify(join(import.meta.dir, "driver.ts"));
		await Bun.write(
			program,
			`import { serveOrders } from ${driver};
			await serveOrders({ open: async () => ({ took: { start: 1 }, close: async () => {}, ${session} }) });`,
		);
		const lines = orders.map((order) => `${JSON.stringify(order)}\n`).join("");
		const child = Bun.spawn([process.execPath, program], { stdio: [new Blob([lines]), "pipe", "inherit"] });
		const said = await child.stdout.text();
		return said
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line));
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

const open: Order = { do: "open", plugin: "" };
const calls: Order[] = [
	open,
	{ do: "calls", count: 3, bytes: 100 },
	{ do: "flood", ms: 5, inFlight: 2, bytes: 100 },
	{ do: "echo", bytes: 100 },
];

test("calls that give back their text are timed, be it as text or as bytes", async () => {
	for (const session of ["call: async (text) => text", "call: async (text) => Buffer.from(text)"]) {
		const answers = await drive(session, calls);
		expect(answers.map(({ error }) => error)).toEqual([undefined, undefined, undefined, undefined]);
		expect(answers.map(({ values = {} }) => Object.keys(values))).toEqual([[], [], ["rate"], ["ms"]]);
		expect(answers[1]?.times).toHaveLength(3);
	}
});

test("a peer whose calls give back anything else has no times, however fast it is", async () => {
	for (const given of ["undefined", "text.slice(1)", '"the tool failed"']) {
		const [opened, ...answers] = await drive(`call: async (text) => ${given}`, calls);
		expect(opened).toEqual({});
		for (const { values, times, error } of answers) {
			expect([values, times]).toEqual([undefined, undefined]);
			expect(error).toMatch(/a call with "x{40}"… gave "/);
		}
	}
});

test("bytes of which some were lost have no time", async () => {
	const send: Order = { do: "send", bytes: 1_000 };
	const [, whole] = await drive("send: async (bytes) => bytes.byteLength", [open, send]);
	expect(Object.keys(whole?.values ?? {})).toEqual(["ms"]);
	const [, lost] = await drive("send: async (bytes) => bytes.byteLength - 1", [open, send]);
	expect(lost?.error).toContain("1000 bytes were sent, and 999 came");
});
