import { cleanLine } from "../../ui/clean.ts";
import type { Output } from "../output.ts";
import { alignColumns } from "../style.ts";
import type { Setting } from "./settings-layers.ts";

/** Settings in columns; on a screen values are cut so that a line fits, if it can. */
export function layOutSettings(rows: readonly Setting[], { width, paint }: Pick<Output, "width" | "paint">): string[] {
	const heading = ["key", "value", "layer", "file"].map((title) => paint.result("bold", title));
	const cells = rows.map(({ key, value, layer, file, over }) => ({
		key: oneLine(key),
		value: oneLine(JSON.stringify(value)),
		layer: over.length === 0 ? layer : `${layer} over ${over.map((other) => other.layer).join(", ")}`,
		file: oneLine(file),
	}));
	const widest = (column: "key" | "layer" | "file") => Math.max(...cells.map((row) => Bun.stringWidth(row[column])));
	const room = (width ?? Number.POSITIVE_INFINITY) - widest("key") - widest("layer") - widest("file") - 3 * gapChars;
	const valueChars = Math.max(charsMin, room);
	const fit = (text: string) =>
		Bun.stringWidth(text) <= valueChars ? text : Bun.sliceAnsi(text, 0, valueChars, { ellipsis: "…" });
	return alignColumns([
		heading,
		...cells.map(({ key, value, layer, file }) => [key, fit(value), layer, paint.result("dim", file)]),
	]);
}

// Between two columns.
const gapChars = 2;
// Less says nothing; a narrower screen wraps the lines itself.
const charsMin = 24;

function oneLine(text: string): string {
	return cleanLine(text, 4_096);
}
