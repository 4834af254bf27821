import { describe, expect, test } from "bun:test";
import { limits } from "../../../runtime/limits.ts";
import { createTap } from "../../../runtime/tap.ts";

const secret = "correct horse battery staple";
const ask = { id: 1, method: "ui.input", params: { title: "Key", secret: true, initialValue: secret } };

function fed(...messages: ["in" | "out", Record<string, unknown>][]) {
	const tap = createTap();
	for (const [direction, message] of messages) tap.observe({ direction, message, bytes: 1 });
	return tap.frames();
}

describe("a secret", () => {
	test("that an input proposes is not kept, while its title is", () => {
		const [frame] = fed(["in", ask]);
		expect(frame?.message).toEqual({ ...ask, params: { title: "Key", secret: true, initialValue: "[secret]" } });
		expect(ask.params.initialValue).toBe(secret);
		const later = fed(["in", ask], ["in", { method: "log", params: { level: "info", message: secret } }]);
		expect(JSON.stringify(later)).not.toContain("horse");
	});

	test("is not kept either where the plugin logs it or fails with it afterwards", () => {
		const frames = fed(
			["in", { id: 2, method: "ui.input", params: { secret: true } }],
			["out", { id: 2, result: { value: secret } }],
			["in", { method: "log", params: { level: "info", message: `got ${secret}` } }],
			["in", { id: 7, error: { code: 1, message: secret, data: { name: "Error", stack: secret } } }],
			["in", { id: 8, result: { content: [{ type: "text", text: secret }] } }],
		);
		expect(frames).toHaveLength(5);
		expect(JSON.stringify(frames)).not.toContain("horse");
		expect(frames[2]?.message).toMatchObject({ params: { message: "got [secret]" } });
	});

	test("of a frame that has no id, or no object for parameters, is none", () => {
		const odd = [
			{ method: "ui.input", params: null },
			{ id: null, method: "ui.input", params: { secret: true } },
		];
		expect(fed(...odd.map((message): ["in", typeof message] => ["in", message]))).toHaveLength(2);
	});
});

describe("the bytes of a tap", () => {
	const frame = (bytes: number) => ({ direction: "in", message: { method: `of ${bytes}` }, bytes }) as const;

	test("are bounded: the oldest frames go first", () => {
		const tap = createTap({ bytesMax: 100 });
		for (const bytes of [60, 30, 10, 1]) tap.observe(frame(bytes));
		expect(tap.frames().map(({ bytes }) => bytes)).toEqual([30, 10, 1]);
		tap.observe(frame(100));
		expect(tap.frames().map(({ bytes }) => bytes)).toEqual([100]);
	});

	test("are not spent on a message that is larger than all of them, which is told of by its size", () => {
		const tap = createTap({ bytesMax: 100 });
		tap.observe(frame(40));
		tap.observe(frame(101));
		tap.observe(frame(60));
		expect(tap.frames().map(({ message }) => message)).toEqual([
			{ method: "of 40" },
			"[101 bytes, which are not kept]",
			{ method: "of 60" },
		]);
		expect(tap.totals()).toEqual({ messages: 3, bytes: 201 });
	});

	test("have the bound of the limits", () => {
		const tap = createTap();
		for (let count = 0; count < 5; count += 1) tap.observe(frame(limits.text.tapBytesMax / 4));
		expect(tap.frames()).toHaveLength(4);
	});
});
