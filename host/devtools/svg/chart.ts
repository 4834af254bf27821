import { type BenchRecord, measuredOf } from "../record.ts";
import { drawBoxes } from "./boxes.ts";
import { element, escapeText, fit, text } from "./draw.ts";
import { font, frame, type Part, stack } from "./frame.ts";
import { styleSheet } from "./theme.ts";
import { drawWaterfalls } from "./waterfall.ts";

/** A measurement as one SVG file that needs nothing else, and is readable on light and on dark ground. */
export function drawBench(record: BenchRecord): string {
	const plugins = measuredOf(record);
	const { floor } = record;
	const parts: Part[] = [space(24), drawTitle(record)];
	if (floor !== null && plugins.length > 0) {
		parts.push(space(14), drawWaterfalls(plugins, floor), space(28), drawBoxes(plugins, floor));
	}
	const { svg, height } = stack([...parts, ...drawFailed(record), space(16)]);
	const size = { width: frame.width, height: Math.ceil(height) };
	return `${element(
		"svg",
		{ xmlns: "http://www.w3.org/2000/svg", ...size, viewBox: `0 0 ${size.width} ${size.height}`, role: "img" },
		`\n<title>${escapeText(titleOf(record))}</title>\n<style>\n${styleSheet()}\n</style>\n`,
		element("rect", { ...size, rx: 8, style: "fill:var(--paper)" }),
		`\n${svg}\n`,
	)}\n`;
}

function titleOf(record: BenchRecord): string {
	const plugins = measuredOf(record).length;
	return `Start-up of ${plugins} plugin${plugins === 1 ? "" : "s"} next to a bare Bun`;
}

function drawTitle(record: BenchRecord): Part {
	const { brood, bun, cpu, cores, os } = record.machine;
	const words = `brood ${brood}, Bun ${bun}, ${cpu}, ${cores} cores, ${os}, ${record.date.slice(0, 10)}`;
	const room = frame.right - frame.left;
	const svg =
		text(frame.left, 16, titleOf(record), { "font-size": font.title, class: "strong" }) +
		text(frame.left, 36, fit(words, room, font.small), { "font-size": font.small, class: "soft" });
	return { svg, height: 44 };
}

function drawFailed({ plugins }: BenchRecord): Part[] {
	const failed = plugins.filter(({ ok }) => !ok);
	if (failed.length === 0) return [];
	const words = `Did not load: ${failed.map(({ name }) => name).join(", ")}`;
	const shown = fit(words, frame.right - frame.left, font.text);
	return [{ svg: text(frame.left, 26, shown, { "font-size": font.text, class: "floor-text" }), height: 36 }];
}

function space(height: number): Part {
	return { svg: "", height };
}
