import { expect, test } from "bun:test";
import { describeForPeople } from "../../../../host/cli/failure.ts";
import { failure } from "../../../../runtime/errors.ts";

const paint = { note: (_: string, text: string) => text, result: (_: string, text: string) => text };
const plain = { paint, wasNoted: () => false };

test("an error that quotes a plugin does not drive the terminal", () => {
	const error = failure("plugin_error", { subject: "Tool", reason: "\u001b[31mred\u0007", hint: "Try \u009b2J." });
	const text = describeForPeople(error, plain);
	expect(text).toContain("red");
	expect(text).toContain("hint: Try");
	for (const character of ["\u0007", "\u001b", "\u009b"]) expect(text).not.toContain(character);
});
