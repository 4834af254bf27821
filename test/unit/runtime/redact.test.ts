import { describe, expect, test } from "bun:test";
import { failure } from "../../../runtime/errors.ts";
import { createRedactor } from "../../../runtime/redact.ts";

function knowing(...secrets: string[]) {
	const redactor = createRedactor();
	secrets.forEach(redactor.learn);
	return redactor;
}

describe("a text", () => {
	test("of which nothing is secret stays as it is", () => {
		expect(createRedactor().text("hunter2-canary")).toBe("hunter2-canary");
		expect(knowing("hunter2-canary").text("hunter2-dog")).toBe("hunter2-dog");
	});

	test("loses a secret wherever it stands, in the forms of JSON and URLs too", () => {
		const secret = 'p"a\\ss/wörd $&.*';
		const { text } = knowing(secret);
		expect(text(`<${secret}><${secret}>`)).toBe("<[secret]><[secret]>");
		expect(text(JSON.stringify({ key: secret }))).toBe('{"key":"[secret]"}');
		expect(text(`https://host/?key=${encodeURIComponent(secret)}`)).toBe("https://host/?key=[secret]");
	});

	test("loses each line of a secret, and one that was typed with spaces around it", () => {
		const { text } = knowing("-----BEGIN KEY-----\r\nMIIEowIBAAKC\n\nx\n", "  padded-secret \n");
		expect(text("MIIEowIBAAKC padded-secret x")).toBe("[secret] [secret] x");
	});

	test("loses the longer of two secrets of which one holds the other, in whatever order they came", () => {
		expect(knowing("secret-one", "secret-one-and-more").text("secret-one-and-more")).toBe("[secret]");
		expect(knowing("secret-one-and-more", "secret-one").text("secret-one")).toBe("[secret]");
	});

	test("keeps what stands in ordinary text by chance", () => {
		expect(knowing("", "a", "12").text("a 12")).toBe("a 12");
	});

	test("that was cut loses the half of a secret at that end, and only there", () => {
		const { text } = knowing("hunter2-canary");
		expect(text("log hunter2-ca", { end: true })).toBe("log [secret]");
		expect(text("er2-canary log", { start: true })).toBe("[secret] log");
		expect(text("log hunter2-ca")).toBe("log hunter2-ca");
		expect(text("log hunter", { end: true })).toBe("log [secret]");
		expect(text("log hunt", { end: true })).toBe("log hunt");
	});
});

describe("a value", () => {
	test("that holds no secret is the same value", () => {
		const value = { a: ["fine", 1, null] };
		expect(knowing("hunter2-canary").value(value)).toBe(value);
	});

	test("is copied without secrets, however deep they lie, and is itself not changed", () => {
		const value = { a: [{ b: "my hunter2-canary" }], n: 5 };
		expect(knowing("hunter2-canary").value(value)).toEqual({ a: [{ b: "my [secret]" }], n: 5 });
		expect(value.a[0]?.b).toBe("my hunter2-canary");
	});

	test("that cannot be searched is not shown", () => {
		const cycle: Record<string, unknown> = { secret: "hunter2-canary" };
		cycle.self = cycle;
		expect(JSON.stringify(knowing("hunter2-canary").value(cycle))).not.toContain("hunter2-canary");
	});
});

describe("an error", () => {
	// The source of this file is part of what is inspected.
	const secret = ["hunter2", "canary"].join("-");

	test("loses a secret in its texts, its causes, what it holds and its exit facts, and stays the same error", () => {
		const inner = Object.assign(new TypeError(`inner ${secret}`), { code: secret });
		const listed = new AggregateError([new Error(`listed ${secret}`)], `all ${secret}`, { cause: inner });
		const exit = { code: 1, signal: null, stderrTail: `tail ${secret}` };
		const positions = [{ file: "a.ts", line: 1, column: 1, lineText: `const key = "${secret}"` }];
		const reason = `outer ${secret}`;
		const hint = `not ${secret}`;
		const error = failure("plugin_exited", { plugin: "p", reason, exit, cause: listed, positions, hint });
		expect(knowing(secret).error(error)).toBe(error);
		expect(Bun.inspect(error) + String(error.stack) + JSON.stringify(error)).not.toContain(secret);
		expect(error.exit?.stderrTail).toBe("tail [secret]");
		expect(inner.code).toBe("[secret]");
		expect(error.message).toContain("outer [secret]");
	});

	test("in a cycle of causes is no trap", () => {
		const one = new Error("one");
		one.cause = new Error(`two ${secret}`, { cause: one });
		expect(Bun.inspect(knowing(secret).error(one).cause)).not.toContain(secret);
	});
});

test("what a plugin makes secret without end costs no more than its bound", () => {
	const redactor = createRedactor();
	for (let number = 0; number < 2_000; number += 1) redactor.learn(`${number}`.repeat(2_000));
	expect(redactor.text("0".repeat(10))).toBe("0".repeat(10));
	expect(redactor.text("1".repeat(8_000), { start: true, end: true })).not.toContain("1".repeat(4_000));
});
