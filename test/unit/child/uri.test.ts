import { expect, test } from "bun:test";
import fc from "fast-check";
import { createHelpers } from "../../../child/helpers.ts";
import { fileURI } from "../../../child/uri.ts";
import { propertyRuns } from "../../support/effort.ts";

test("a file URI shows its path and is escaped as text", () => {
	const uri = fileURI("/a b/[id]/ü?#%.ts");
	expect({ scheme: uri.scheme, path: uri.path, fsPath: uri.fsPath }).toEqual({
		scheme: "file",
		path: "/a b/[id]/ü?#%.ts",
		fsPath: "/a b/[id]/ü?#%.ts",
	});
	expect(`${uri}`).toBe("file:///a%20b/%5Bid%5D/%C3%BC%3F%23%25.ts");
	expect(JSON.stringify({ uri })).toBe('{"uri":"file:///a%20b/%5Bid%5D/%C3%BC%3F%23%25.ts"}');
});

test("its text is that of pathToFileURL, and the path comes back from it", () => {
	const segment = fc.string({ unit: "binary", minLength: 1 }).filter((text) => !/[/\0]|^\.{1,2}$/.test(text));
	fc.assert(
		fc.property(fc.array(segment, { minLength: 1 }), (segments) => {
			// The URL parser drops a control character or a blank at the very end.
			const path = `/${segments.join("/")}/end`;
			expect(fileURI(path).toString()).toBe(Bun.pathToFileURL(path).href);
			expect(createHelpers(null).filePathFromURI(fileURI(path).toString())).toBe(path);
		}),
		propertyRuns,
	);
});

test("half a character does not make it throw", () => {
	expect(fileURI("/\uD800").toString()).toBe("file:///%EF%BF%BD");
});
