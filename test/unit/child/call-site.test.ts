import { describe, expect, test } from "bun:test";
import { describeSite, placeAt } from "../../../child/call-site.ts";
import { failure } from "../../../runtime/errors.ts";

const own = "/cache/entry.js";
const asked = (...lines: string[]) => Object.assign(new Error(), { stack: ["Error", ...lines].join("\n") });

describe("the stack of a rejected call", () => {
	test("begins where the plugin asked, without the runtime's own places, and the rest of the error stays", () => {
		const error = failure("provider_missing", { subject: "ai.ask", cause: "why" });
		const { message } = error;
		placeAt(error, asked(`    at ask (${own}:1:2)`, "    at go (/p/one.ts:3:4)", `    at async run (${own}:5:6)`), [
			own,
		]);
		expect(error.stack).toBe(`BroodError: ${message}\n    at go (/p/one.ts:3:4)`);
		expect(error).toMatchObject({ name: "BroodError", code: "provider_missing", message, cause: "why" });
	});

	test("stays as it was where no line of the plugin is known, and where it cannot be changed", () => {
		const unplaced = new Error("x");
		const before = unplaced.stack;
		placeAt(unplaced, asked(`    at ask (${own}:1:2)`), [own]);
		expect(unplaced.stack).toBe(before);
		const frozen = Object.freeze(new Error("y"));
		expect(() => placeAt(frozen, asked("    at go (/p/one.ts:3:4)"), [own])).not.toThrow();
		const odd = asked();
		Object.defineProperty(odd, "stack", {
			get() {
				throw new Error("no");
			},
		});
		expect(() => placeAt(unplaced, odd, [own])).not.toThrow();
		expect(describeSite(odd)).toBe("");
	});
});

test("a site is the first place of a stack", () => {
	expect(describeSite(asked("    at go (/p q/one.ts:3:4)", "    at /p/two.ts:5:6"))).toBe(" (/p q/one.ts:3:4)");
	expect(describeSite(asked("    at async /p/two.ts:5:6"))).toBe(" (/p/two.ts:5:6)");
	expect(describeSite(asked())).toBe("");
	expect(describeSite("text")).toBe("");
});
