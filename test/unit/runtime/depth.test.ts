import { expect, test } from "bun:test";
import { withinDepth } from "../../../runtime/depth.ts";
import { limits, messageDepthMax } from "../../../runtime/limits.ts";

const nested = (levels: number): unknown => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);

function checked(message: unknown) {
	const dropped: string[] = [];
	const bytes = limits.wire.lineBytesMax;
	return { kept: withinDepth(message, bytes, (what) => dropped.push(what)), dropped };
}

test("a message whose members nest as deep as allowed is given as it is", () => {
	const message = { id: 1, result: nested(messageDepthMax), params: { "": [] } };
	expect(checked(message)).toEqual({ kept: message, dropped: [] });
});

test("members that nest one level deeper, or without end, are told of and undefined; their siblings stay", () => {
	const message = { id: 1, result: nested(messageDepthMax + 1), error: { data: nested(100_000) }, ok: [] };
	expect(checked(message)).toEqual({
		kept: { id: 1, result: undefined, error: undefined, ok: [] },
		dropped: ['"result" of a message', '"error" of a message'],
	});
});

test("an array is a batch all the same, and what is no object is no message", () => {
	expect(checked([nested(100_000)]).kept).toEqual([]);
	for (const message of [null, 5, "text", true]) expect(checked(message)).toEqual({ kept: message, dropped: [] });
});

test("a member that nests too deep keeps its name, so that its message is refused and not taken for another", () => {
	const { kept } = checked({ id: 1, method: nested(2_000), result: {}, error: nested(2_000) });
	expect(Object.keys(kept as object)).toEqual(["id", "method", "result", "error"]);
});
