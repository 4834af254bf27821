import { expect, test } from "bun:test";
import fc from "fast-check";
import { limits } from "../../../runtime/limits.ts";
import { deep, tally } from "../../support/effort.ts";
import { createBench } from "../support/host.ts";
import { script } from "./messages.ts";
import { politeUI, roundTrip, startHostile, watchForUnhandled } from "./support.ts";

const bench = createBench();
const runs = deep ? { numRuns: 20_000 } : { seed: 20_260_102, numRuns: 400 };

test("whatever a child plays in the middle of a call, the call has its own first answer, and nobody else notices", async () => {
	const unhandled = watchForUnhandled();
	const ui = politeUI();
	const ai = { ask: async () => ({ a: 1 }) as never, generate: async () => ({ a: 1 }) };
	const attachments = { upload: async () => ({ url: "https://files.example/1" }) };
	let lastID = 0;
	let last = { right: "", read: () => {} };
	const running = await startHostile(
		bench,
		{ bad: {} },
		{
			providers: { ui: ui.provider, system: { open: async () => {} }, ai, attachments },
			limits: { wire: { listingMsPerSecondMax: 1e9 } },
			observe: () => {},
			wire(plugin, { direction, message }) {
				const { id, method } = message as { id?: number; method?: string };
				if (plugin === "bad" && direction === "out" && method === "tool.execute") lastID = Number(id);
				if (plugin === "bad" && direction === "in" && id === lastID && saysText(message, last.right)) last.read();
			},
		},
	);
	const { host } = running;
	let played = 0;
	const before = process.memoryUsage.rss();
	const outcome = await fc.check(
		fc.asyncProperty(script, async (pieces) => {
			played += 1;
			const right = `right ${played}`;
			const { promise: allRead, resolve: read } = Promise.withResolvers<void>();
			last = { right, read };
			const call = host.tools.call("play", { pieces, answer: right }, { events: false });
			const [answered] = await Promise.all([
				call.catch((error: unknown) => ({ ok: false, error })),
				roundTrip(running),
			]);
			// A forged answer that is read only later may have the id of the next call.
			await allRead;
			expect({ right, ...answered }).toMatchObject(expectedOf(pieces, lastID, right));
			expect(unhandled.seen).toEqual([]);
			expect(host.plugins.get("bad")).toMatchObject({ state: "ready", launches: 1, tools: [{ name: "play" }] });
			expect(host.statusItems.list().length).toBeLessThanOrEqual(limits.text.statusItemsMax);
			expect(host.plugins.log("bad").length).toBeLessThanOrEqual(limits.text.logEntriesMax);
			expect("polluted" in {}).toBe(false);
		}),
		{ ...runs, endOnFailure: true },
	);
	tally("hostile scripts in the middle of a call", played, `seed ${outcome.seed}`);
	unhandled.end();
	expect(outcome.failed ? `${outcome.errorInstance} ${fc.defaultReportMessage(outcome)}` : "").toBe("");
	expect(ui.most()).toBeLessThanOrEqual(limits.wire.pendingCallsMax);
	expect((process.memoryUsage.rss() - before) / 2 ** 20).toBeLessThan(300);
}, 900_000);

/** What the call must come to: the first answer with its very id, or else what the child says at last. */
function expectedOf(pieces: string[], id: number, right: string): object {
	// As the child does it, piece by piece.
	const played = pieces.map((piece) => Buffer.from(piece, "base64").toString("latin1").replaceAll('"@id"', String(id)));
	const lines = played.join("").split("\n").slice(0, -1);
	for (const line of lines) {
		const forged = readAnswer(line, id);
		if (forged === undefined) continue;
		const content = (forged.result as { content?: unknown } | null | undefined)?.content;
		return Object.hasOwn(forged, "error") || !isContent(content) ? { ok: false } : { ok: true, content };
	}
	return { ok: true, text: right };
}

function saysText(message: unknown, text: string): boolean {
	const content = (message as { result?: { content?: unknown } } | null)?.result?.content;
	return Array.isArray(content) && content[0]?.text === text;
}

function readAnswer(line: string, id: number): Record<string, unknown> | undefined {
	try {
		const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(line, "latin1"));
		const value: unknown = JSON.parse(text);
		if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
		const message = value as Record<string, unknown>;
		return message.id === id && !Object.hasOwn(message, "method") ? message : undefined;
	} catch {
		return undefined;
	}
}

function isContent(value: unknown): boolean {
	return Array.isArray(value) && value.every((block) => isText(block) || isImage(block));
}

const isText = (block: Record<string, unknown> | null) => block?.type === "text" && typeof block.text === "string";
const isImage = (block: Record<string, unknown> | null) =>
	block?.type === "image" && typeof block.mimeType === "string" && typeof block.data === "string";
