import { expect, test } from "bun:test";
import { layOutList } from "../../../../host/cli/commands/list-table.ts";

const row = (registers: string, path: string) => ({ name: "one", state: "ready", ready: "9.0 ms", registers, path });
const many = Array.from({ length: 20 }, (_, index) => `tool-${index}`).join(", ");
const deep = `/${"folder/".repeat(12)}one.ts`;

test("nothing is cut or wrapped where no screen is", () => {
	expect(layOutList([row(many, deep)], undefined)).toEqual([`one  ready  9.0 ms  ${many}  ${deep}`]);
});

test("what fits stays on one line", () => {
	expect(layOutList([row("tools a, b", "/one.ts")], 80)).toEqual(["one  ready  9.0 ms  tools a, b  /one.ts"]);
});

test.each([60, 80, 120])("no line is wider than a screen of %d columns, and no name is lost", (width) => {
	const lines = layOutList([row(`\u001b[2mtools\u001b[22m ${many}`, deep), row("-", "/b.ts")], width);
	for (const line of lines) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(width);
	const plain = Bun.stripANSI(lines.join(" ")).replace(/…\S*/, "").replace(/ +/g, " ");
	expect(plain).toContain(many.slice(-14));
	expect(Bun.stripANSI(lines[0] ?? "")).toMatch(/ {2}…\S*one\.ts$/);
});

test("a short path leaves its room to the registrations", () => {
	const [first = ""] = layOutList([row(many, "/b.ts")], 80);
	expect(first).toMatch(/^one {2}ready {2}9\.0 ms {2}tool-0, .{30,}\/b\.ts$/);
});

test("a screen that is too narrow for anything still has all columns", () => {
	const text = layOutList([row(many, deep)], 10).join("\n");
	expect(text).toContain("tool-19");
	expect(text).toContain("one.ts");
});
