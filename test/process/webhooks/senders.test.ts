import { describe, expect, test } from "bun:test";
import { createProviderBench } from "./provider.ts";
import { holds, post, raw, statuses } from "./support.ts";

const bench = createProviderBench();

async function hook(bounds: Parameters<typeof bench.provider>[1] = {}, headers: string[] = []) {
	return bench.open(bench.provider({}, { burstEventsMax: 1_000, ...bounds }), { headers });
}

describe("a sender", () => {
	test("hears 202 with the id of the event", async () => {
		const { url, seen } = await hook();
		const answer = await post(url, "x");
		expect(answer.status).toBe(202);
		expect(answer.headers.get("cache-control")).toBe("no-store");
		const told = await answer.json();
		await holds(() => seen.length === 1);
		expect(told).toEqual({ id: seen[0]?.id ?? "" });
	});

	test.each(["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH"])(
		"with %s hears 405 and what is allowed",
		async (method) => {
			const { url, seen } = await hook();
			const { status, headers } = await fetch(url, { method });
			expect([status, headers.get("allow")]).toEqual([405, "POST"]);
			expect(seen).toEqual([]);
		},
	);

	test("with another path hears 404, whatever it sends", async () => {
		const { url, seen } = await hook();
		const { origin, pathname } = new URL(url);
		const [, plugin = "", key = ""] = pathname.split("/");
		const paths = ["/", "", `/${plugin}`, `/${plugin}/`, `/${key}`, `/${key}/${plugin}`, `/${plugin}/${key}/`];
		const wrong = [
			`/${plugin}/${key}x`,
			`/${plugin}/${key.slice(1)}`,
			`/${plugin}/%2e%2e/${key}`,
			`/${plugin}//${key}`,
		];
		const cased = [`/${plugin}/${key.toUpperCase()}x`, `/${plugin}/../${key}`, `/..%2f${plugin}/..%2f${key}`];
		for (const path of [...paths, ...wrong, ...cased]) {
			expect([path, (await post(`${origin}${path}`)).status]).toEqual([path, 404]);
			expect((await fetch(`${origin}${path}`)).status).toBe(404);
		}
		expect(
			await raw(
				url,
				(path) =>
					`POST /../..${path}/../../etc/passwd HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
			),
		).toStartWith("HTTP/1.1 404");
		expect(seen).toEqual([]);
	});

	test("behind a proxy with a path of its own, or with a query, reaches the webhook", async () => {
		const { url, seen } = await hook();
		const { origin, pathname } = new URL(url);
		expect((await post(`${origin}/hooks/brood${pathname}?x=1`)).status).toBe(202);
		await holds(() => seen.length === 1);
	});

	test("with a body beyond the bound hears 413, told or not; one at the bound is taken", async () => {
		const { url, seen, sees } = await hook({ bodyBytesMax: 1_000 });
		const chunked = () =>
			new ReadableStream({
				start(controller) {
					for (let chunk = 0; chunk < 11; chunk += 1) controller.enqueue(new Uint8Array(100));
					controller.close();
				},
			});
		expect((await post(url, new Uint8Array(1_000))).status).toBe(202);
		expect((await post(url, new Uint8Array(1_001))).status).toBe(413);
		expect((await post(url, chunked())).status).toBe(413);
		await sees(1);
		expect(seen.map(({ body }) => body.byteLength)).toEqual([1_000]);
	});

	test("in chunks has its bytes stored as one body", async () => {
		const { url, sees } = await hook();
		const head = "HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n";
		const answer = await raw(url, (path) => `POST ${path} ${head}3\r\nabc\r\n4;x=y\r\n\xff\x00de\r\n0\r\n\r\n`);
		expect(answer).toStartWith("HTTP/1.1 202");
		const [event] = await sees(1);
		expect(event?.body).toEqual(new Uint8Array([97, 98, 99, 255, 0, 100, 101]));
	});

	test.each([
		["less than it said, then ends", "Content-Length: 10\r\n\r\nabc", ""],
		["chunks without an end", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", ""],
		["two lengths", "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc", "HTTP/1.1 400"],
		["a length and chunks", "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "HTTP/1.1 400"],
		["a negative length", "Content-Length: -1\r\n\r\nabc", "HTTP/1.1 400"],
		["a huge header", `X: ${"a".repeat(100_000)}\r\n\r\n`, "HTTP/1.1 431"],
	])("that sends %s is not accepted, and others are served", async (_, rest, answered) => {
		const { url, seen } = await hook();
		const answer = await raw(url, (path) => `POST ${path} HTTP/1.1\r\nHost: x\r\n${rest}`, { end: true });
		expect(answer.startsWith(answered)).toBe(true);
		expect(answer).not.toContain("202");
		expect((await post(url, "whole")).status).toBe(202);
		await holds(() => seen.length > 0);
		expect(seen.map(({ body }) => new TextDecoder().decode(body))).toEqual(["whole"]);
	});

	test("that says more than the length it told has that length stored, and the rest refused", async () => {
		const { url, sees } = await hook();
		const answer = await raw(
			url,
			(path) => `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabcdef\r\n\r\n`,
		);
		expect(answer).toStartWith("HTTP/1.1 202");
		expect(answer).toContain("HTTP/1.1 400");
		expect((await sees(1)).map(({ body }) => new TextDecoder().decode(body))).toEqual(["abc"]);
	});

	test("too slow to send its body hears 408; others are served meanwhile", async () => {
		const { url, sees } = await hook({ receiveMs: 200 });
		const slow = raw(url, (path) => `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc`);
		expect((await post(url, "quick")).status).toBe(202);
		expect(await slow).toStartWith("HTTP/1.1 408");
		expect((await sees(1)).map(({ body }) => new TextDecoder().decode(body))).toEqual(["quick"]);
	});

	test("has only the headers passed on that were asked for, by lower-case name", async () => {
		const { url, sees } = await hook({}, ["x-one", "__proto__", "cookie"]);
		const lines = "X-ONE: a\r\nx-one: b\r\n__proto__: p\r\nX-Two: no\r\nContent-Length: 0\r\nConnection: close";
		await raw(url, (path) => `POST ${path} HTTP/1.1\r\nHost: x\r\n${lines}\r\n\r\n`);
		const [event] = await sees(1);
		expect(JSON.stringify(event?.headers)).toBe('{"x-one":"a, b","__proto__":"p"}');
	});
});

describe("the rate", () => {
	test("is a burst of 10 and then 10 a minute; Retry-After tells when there is room", async () => {
		const { time } = bench;
		const { url } = await bench.open(bench.provider());
		expect(await statuses(url, Array(11).fill("x"))).toEqual([...Array(10).fill(202), 429]);
		const refused = await post(url);
		expect(refused.headers.get("retry-after")).toBe("6");
		expect(await refused.json()).toEqual({ error: "too many events" });
		await time.pass(2_500);
		expect((await post(url)).headers.get("retry-after")).toBe("4");
		await time.pass(3_499);
		expect(await statuses(url, ["x"])).toEqual([429]);
		await time.pass(1);
		expect(await statuses(url, ["x", "x"])).toEqual([202, 429]);
		await time.pass(60_000);
		expect(await statuses(url, Array(11).fill("x"))).toEqual([...Array(10).fill(202), 429]);
	});

	test("is that of each webhook, and stays over a restart", async () => {
		const first = await bench.open(bench.provider(), { key: "a" });
		const provider = bench.provider();
		const other = await bench.open(provider, { key: "b" });
		expect(await statuses(first.url, Array(10).fill("x"))).toEqual(Array(10).fill(202));
		expect((await post(other.url)).status).toBe(202);
		await first.close();
		await bench.time.pass(2_000);
		const again = await bench.open(provider, { key: "a" });
		expect((await post(again.url)).status).toBe(429);
	});

	test("is not used up by requests that are refused before, and a hundred that wait are enough", async () => {
		const { url } = await bench.open(bench.provider({}, { burstEventsMax: 3, pendingEventsMax: 2 }), {
			deliver: (_, { signal }) => new Promise((_resolve, reject) => signal.addEventListener("abort", reject)),
		});
		expect((await fetch(url)).status).toBe(405);
		expect((await post(url, "x", { "idempotency-key": "k".repeat(257) })).status).toBe(400);
		expect(await statuses(url, ["x", "x"])).toEqual([202, 202]);
		const full = await post(url);
		expect([full.status, full.headers.get("retry-after"), await full.json()]).toEqual([
			429,
			"60",
			{ error: "too many events wait" },
		]);
	});
});

describe("an Idempotency-Key", () => {
	test("that is known is answered alike and stored once, before and after the delivery, and costs no room", async () => {
		const { url, seen, sees } = await bench.open(bench.provider());
		const headers = { "idempotency-key": "k" };
		const first = await (await post(url, "one", headers)).json();
		await sees(1);
		for (let time = 0; time < 20; time += 1) {
			const again = await post(url, "two", headers);
			expect([again.status, await again.json()]).toEqual([202, first]);
		}
		expect(await statuses(url, Array(10).fill("x"))).toEqual([...Array(9).fill(202), 429]);
		await sees(10);
		expect(seen.filter(({ body }) => new TextDecoder().decode(body) !== "x")).toHaveLength(1);
	});

	test("that comes many times at once is stored once", async () => {
		const { url, seen } = await hook();
		const answers = await Promise.all(Array.from({ length: 20 }, () => post(url, "x", { "idempotency-key": "k" })));
		const told = await Promise.all(answers.map((answer) => answer.text()));
		expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(202));
		expect(new Set(told).size).toBe(1);
		await holds(() => seen.length === 1);
	});

	test("is one of its webhook, and is forgotten after a while", async () => {
		const { time } = bench;
		const provider = bench.provider({}, { rememberedMs: 90 * 60_000 });
		const [a, b] = [await bench.open(provider, { key: "a" }), await bench.open(provider, { key: "b" })];
		const headers = { "idempotency-key": "k" };
		for (const { url } of [a, a, b]) await post(url, "x", headers);
		await Promise.all([a.sees(1), b.sees(1)]);
		await time.pass(80 * 60_000);
		await post(a.url, "x", headers);
		expect(a.seen).toHaveLength(1);
		await time.pass(60 * 60_000);
		await post(a.url, "x", headers);
		await a.sees(2);
	});
});
