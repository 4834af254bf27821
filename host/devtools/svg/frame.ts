import { element, text } from "./draw.ts";
import type { Scale } from "./scale.ts";

/** The picture, in pixels. */
export const frame = { width: 860, left: 28, right: 832 } as const;

export const font = { title: 18, heading: 15, text: 13, small: 11.5 } as const;

/** Part of the picture, drawn from `y` = 0 on. */
export interface Part {
	svg: string;
	height: number;
}

/** The lines of an axis from `top` to `bottom`, and its numbers below. */
export function drawAxis({ ticks, digits, at }: Scale, top: number, bottom: number): string {
	const lines = ticks.map((tick) =>
		element("line", { x1: at(tick), x2: at(tick), y1: top, y2: bottom, class: "grid" }),
	);
	const numbers = ticks.map((tick, index) => {
		const isLast = index === ticks.length - 1;
		const words = `${tick.toFixed(digits)}${isLast ? " ms" : ""}`;
		return text(at(tick), bottom + 16, words, {
			"font-size": font.small,
			class: "soft",
			"text-anchor": isLast ? "end" : index === 0 ? "start" : "middle",
		});
	});
	return lines.join("") + numbers.join("");
}

/** What an axis needs below its lines. */
export const axisHeight = 24;

/** A line for people above a part. */
export function drawHeading(words: string, remark: string): Part {
	const svg =
		text(frame.left, 16, words, { "font-size": font.heading, class: "strong" }) +
		text(frame.left, 34, remark, { "font-size": font.small, class: "soft" });
	return { svg, height: 46 };
}

/** Parts below each other. */
export function stack(parts: readonly Part[]): Part {
	let y = 0;
	const drawn = parts.map(({ svg, height }) => {
		const group = element("g", { transform: `translate(0 ${Number(y.toFixed(2))})` }, svg);
		y += height;
		return group;
	});
	return { svg: drawn.join("\n"), height: y };
}
