import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openWebhookFile } from "../../../../../host/providers/webhooks/file.ts";
import { WebhookStore } from "../../../../../host/providers/webhooks/store.ts";
import { limits } from "../../../../../runtime/limits.ts";

let root = "";
beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), "brood-store-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A webhook for which so many events wait; gives how long it takes to deliver a few. */
function waiting(name: string, events: number) {
	const db = openWebhookFile(join(root, name));
	db.run("PRAGMA synchronous = OFF");
	const store = new WebhookStore(db, limits.webhooks, { wall: Date.now, steady: performance.now.bind(performance) });
	const { id } = store.open("/workspace", "plugin", "key", []);
	store.exclusively(() => {
		const insert = db.query(
			"INSERT INTO event (id, webhook, received_at, due_at, body, headers) VALUES (?, ?, 0, 0, x'00', '{}')",
		);
		for (let event = 0; event < events; event += 1) insert.run(`${event}`, id);
	});
	return {
		/** Takes hold of some and lets go again: nothing is deleted, so that each time is like the one before. */
		msOfSome(): number {
			const before = performance.now();
			for (let times = 0; times < 20; times += 1) {
				const taken = store.take(id);
				if ("event" in taken) store.release(taken.event);
			}
			return performance.now() - before;
		},
		close: () => store.close(),
	};
}

test("an event is had as fast while 10,000 wait as while few do", () => {
	const few = waiting("few", 4);
	const many = waiting("many", 10_000);
	const ratios = [1, 2, 3].map(() => {
		const base = few.msOfSome();
		return many.msOfSome() / base;
	});
	few.close();
	many.close();
	expect(Math.min(...ratios)).toBeLessThan(6);
});
