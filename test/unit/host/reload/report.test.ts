import { expect, test } from "bun:test";
import { type Capabilities, noCapabilities } from "../../../../host/contracts/backend.ts";
import { differenceOf } from "../../../../host/reload/report.ts";

const tool = (name: string, description = "") => ({ name, description, inputSchema: { type: "object" } as const });
const having = (some: Partial<Capabilities>): Capabilities => ({ ...noCapabilities(), ...some });

test("registrations that came, went and changed are told by kind and name", () => {
	const before = having({
		tool: [tool("stays"), tool("changes"), tool("goes")],
		mode: [{ key: "deep", label: "Deep", agent: {} }],
	});
	const after = having({
		tool: [tool("comes"), tool("changes", "new"), tool("stays")],
		command: [{ id: "go", title: "Go", availability: { type: "enabled" } }],
		mode: [{ key: "deep", label: "Deeper", agent: {} }],
	});
	expect(differenceOf(before, after)).toEqual({
		added: ["command go", "tool comes"],
		removed: ["tool goes"],
		changed: ["tool changes", "mode deep"],
	});
});

test("a handler is the same one in the next process, whatever its number; another one for the same event is a change", () => {
	const handlers = (...numbers: number[]) =>
		having({ event: numbers.map((handler) => ({ name: "tool.call" as const, handler })) });
	expect(differenceOf(handlers(1), handlers(7))).toEqual({ added: [], removed: [], changed: [] });
	expect(differenceOf(handlers(1), handlers(1, 2)).changed).toEqual(["event tool.call"]);
	expect(differenceOf(handlers(1), handlers()).removed).toEqual(["event tool.call"]);
});
