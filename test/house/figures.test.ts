import { expect, test } from "bun:test";
import { withFigures } from "../bench/readme.ts";
import { readResults } from "../bench/results.ts";
import { readText } from "./support/tree.ts";

test("the figures of the README are those of the saved results", () => {
	const page = readText("README.md");
	// bun run bench readme
	expect(page).toBe(withFigures(page, readResults()));
});
