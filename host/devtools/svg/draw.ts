import { cleanLine } from "../../ui/clean.ts";

/** One element, with what stands in it; numbers are cut to hundredths. */
export function element(name: string, attributes: Record<string, string | number>, ...content: string[]): string {
	const given = Object.entries(attributes).map(([key, value]) => {
		return ` ${key}="${typeof value === "number" ? Number(value.toFixed(2)) : escapeText(value)}"`;
	});
	const head = `<${name}${given.join("")}`;
	return content.length === 0 ? `${head}/>` : `${head}>${content.join("")}</${name}>`;
}

/** A line of text, from any source. */
export function text(x: number, y: number, words: string, attributes: Record<string, string | number> = {}): string {
	return element("text", { x, y, ...attributes }, escapeText(words));
}

/** Text that may stand anywhere in a picture: nothing in it is markup, and nothing controls a reader. */
export function escapeText(words: string): string {
	return cleanLine(words, charsMax).replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** Cuts a text so that it fits, whatever font draws it. @param pixels the room @param size of the font, in pixels */
export function fit(words: string, pixels: number, size: number): string {
	return Bun.sliceAnsi(cleanLine(words, charsMax), 0, Math.floor(pixels / (size * widestEm)), { ellipsis: "…" });
}

/** The most pixels that a text may need. */
export function widthOf(words: string, size: number): number {
	return Bun.stringWidth(words) * size * widestEm;
}

// Of the fonts that systems use for surfaces, the mean of a text is below.
const widestEm = 0.62;
const charsMax = 4_096;
