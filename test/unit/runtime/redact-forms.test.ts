import { describe, expect, test } from "bun:test";
import { failure } from "../../../runtime/errors.ts";
import { createRedactor } from "../../../runtime/redact.ts";

function knowing(...secrets: string[]) {
	const redactor = createRedactor();
	secrets.forEach(redactor.learn);
	return redactor;
}

describe("a short secret", () => {
	test.each(["123", "1234", "a1b2c", "wör"])("%j is masked as a word, wherever it stands", (secret) => {
		const { text } = knowing(secret);
		for (const around of ["", " ", '"', "=", "-", "_", "/", "\n"]) {
			expect(text(around + secret + around)).toBe(`${around}[secret]${around}`);
		}
		expect(text(`${secret},${secret}`)).toBe("[secret],[secret]");
	});

	test("stays within longer words and numbers", () => {
		const { text, value } = knowing("1234", "wör");
		for (const longer of ["12345", "01234", "a1234", "1234b", "1234é", "wört", "éwör"]) {
			expect(text(`<${longer}>`)).toBe(`<${longer}>`);
		}
		const given = { port: "12345" };
		expect(value(given)).toBe(given);
	});

	test("is a word behind the letters of an escape and of a colour", () => {
		const { text, value } = knowing("1234");
		expect(text(JSON.stringify("pin\n1234\t1234\u00011234"))).toBe('"pin\\n[secret]\\t[secret]\\u0001[secret]"');
		expect(text(encodeURIComponent("pin=1234 1234"))).toBe("pin%3D[secret]%20[secret]");
		expect(text("\u001b[33m1234\u001b[0m")).toBe("\u001b[33m[secret]\u001b[0m");
		expect(value({ lines: ["pin\n1234", "n1234"] })).toEqual({ lines: ["pin\n[secret]", "n1234"] });
	});

	test("of which every character means something in a pattern is taken as it is", () => {
		expect(knowing(".*+").text("abc .*+ abc")).toBe("abc [secret] abc");
	});

	test("changes neither the code nor the plugin of an error, which programs branch on", () => {
		const error = failure("busy", { plugin: "demo", subject: 'tool "x"', reason: "busy demo" });
		knowing("busy", "demo").error(error);
		expect(error).toMatchObject({ code: "busy", plugin: "demo" });
		expect(error.message).toContain("[secret] [secret]");
	});

	test("is none of two characters, nor a short line of a long one", () => {
		expect(knowing("12").text("12")).toBe("12");
		expect(knowing("{ a long one\nend\n}").text("the end")).toBe("the end");
	});
});

describe("the base64 of a secret", () => {
	test.each(["hunter2", "hunter2-canary", "12345678?>~~~", "pässwörd✓"])(
		"of %j is masked in each alphabet",
		(secret) => {
			const { text } = knowing(secret);
			const bytes = Buffer.from(secret);
			expect(text(`<${bytes.toString("base64")}>`)).toBe("<[secret]>");
			expect(text(`<${bytes.toString("base64").replace(/=+$/, "")}>`)).toBe("<[secret]>");
			expect(text(`<${bytes.toString("base64url")}>`)).toBe("<[secret]>");
		},
	);

	test("is that of the whole secret, and stays when the secret is short", () => {
		expect(knowing("12345").text(btoa("12345"))).toBe(btoa("12345"));
		expect(knowing("123456").text(btoa("123456"))).toBe("[secret]");
		expect(knowing("first line\nsecond line").text(btoa("first line\nsecond line"))).toBe("[secret]");
	});
});
