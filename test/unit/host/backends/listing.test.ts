import { expect, test } from "bun:test";
import { createListing } from "../../../../host/backends/listing.ts";
import { limits } from "../../../../runtime/limits.ts";
import type { Kind } from "../../../../runtime/records.ts";

test("what it takes to load the explanation of a first mistake is not counted against the plugin", async () => {
	const changed: string[] = [];
	const listing = createListing(
		async (kind) => (kind === "command" ? "no list" : { revision: 1, items: [] }),
		{ fact() {}, changed: (kind) => changed.push(kind), loadedMore() {}, log() {}, responsive() {} },
		{ ...limits.wire, listingMsPerSecondMax: 10 },
	);
	await listing.first();
	listing.changed("command");
	await listing.settled(undefined);
	const begun = performance.now();
	listing.changed("tool");
	await listing.settled(undefined);
	expect(changed).toEqual(["tool"]);
	// Once the allowance is spent it is there again with the next second.
	expect(performance.now() - begun).toBeLessThan(300);
});

test("a list that is wrong is told of, and keeps none that was fetched with it from being visible", async () => {
	const changed: string[] = [];
	const logged: string[] = [];
	const fetch = async (kind: Kind) =>
		kind === "command" ? "no list" : { revision: 1, items: kind === "tool" ? [tool] : [] };
	const tool = { name: "t", description: "", inputSchema: { type: "object" } };
	const listing = createListing(
		fetch,
		{
			fact() {},
			changed: (kind, items) => changed.push(`${kind} ${items.length}`),
			loadedMore() {},
			log: ({ message }) => logged.push(message),
			responsive() {},
		},
		limits.wire,
	);
	await listing.first();
	// While that is fetched, two more wait for the next round.
	listing.changed("mode");
	listing.changed("command");
	listing.changed("tool");
	await listing.settled(undefined);
	expect(changed).toEqual(["mode 0", "tool 1"]);
	expect(logged).toHaveLength(1);
	expect(logged[0]).toContain("what the plugin registered could not be fetched");
});

test("a listener that throws is told of, keeps nobody waiting, and later changes are still fetched", async () => {
	const changed: string[] = [];
	const logged: string[] = [];
	const listing = createListing(
		async () => ({ revision: 1, items: [] }),
		{
			fact() {},
			changed(kind) {
				changed.push(kind);
				if (changed.length === 1) throw new Error("no room");
			},
			loadedMore() {},
			log: ({ message }) => logged.push(message),
			responsive() {},
		},
		limits.wire,
	);
	await listing.first();
	listing.changed("tool");
	await listing.settled(undefined);
	expect(logged).toEqual([expect.stringContaining("no room")]);
	listing.changed("mode");
	await listing.settled(undefined);
	expect(changed).toEqual(["tool", "mode"]);
});
