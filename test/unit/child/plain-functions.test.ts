import { expect, test } from "bun:test";
import { plainCommand, plainTool } from "../../../child/api/plain.ts";
import { commandItem, toolItem } from "../../../child/api/validate.ts";

const tool = { name: "t", description: "", inputSchema: { type: "object" }, execute: () => "" };
const command = { title: "T" };

/** A function with these members. */
const asFunction = (members: object) => Object.defineProperties(() => {}, Object.getOwnPropertyDescriptors(members));

test("a function with the members of a tool or of a command is refused, and is not plain either", () => {
	const refusal = "it takes an object";
	expect(plainTool(tool)).toEqual(toolItem(tool, () => {}));
	expect(plainTool(asFunction(tool))).toBeUndefined();
	expect(() => toolItem(asFunction(tool), () => {})).toThrow(refusal);
	expect(plainCommand("c", command, () => {})).toEqual(
		commandItem(
			"c",
			command,
			() => {},
			() => {},
		),
	);
	expect(plainCommand("c", asFunction(command), () => {})).toBeUndefined();
	expect(() =>
		commandItem(
			"c",
			asFunction(command),
			() => {},
			() => {},
		),
	).toThrow(refusal);
});
