import type { MeasuredRecord, Series } from "../record.ts";
import { stages } from "../stages.ts";
import { element, fit, text, widthOf } from "./draw.ts";
import { axisHeight, drawAxis, drawHeading, font, frame, type Part, stack } from "./frame.ts";
import { createScale, type Scale } from "./scale.ts";
import { stageClass } from "./theme.ts";

/** The stages of each plugin, each beginning where the one before it ends, with the floor as a line through all. */
export function drawWaterfalls(plugins: readonly MeasuredRecord[], floor: Series): Part {
	const longest = Math.max(floor.median, ...plugins.map(sumOf));
	const scale = createScale(longest * 1.02, frame.left, frame.right);
	const rows = stack(plugins.map((plugin) => drawWaterfall(plugin, scale)));
	const bottom = topHeight + rows.height;
	const x = scale.at(floor.median);
	const words = `bare Bun (floor) ${floor.median.toFixed(1)} ms`;
	// The words stand on the side that has the room.
	const isLeft = x + widthOf(words, font.small) + 6 > frame.right;
	const svg = [
		drawAxis(scale, topHeight - 6, bottom),
		element("line", { x1: x, x2: x, y1: 6, y2: bottom, class: "floor" }),
		text(isLeft ? x - 6 : x + 6, 14, words, {
			"font-size": font.small,
			class: "floor-text",
			...(isLeft ? { "text-anchor": "end" } : {}),
		}),
		element("g", { transform: `translate(0 ${topHeight})` }, rows.svg),
	];
	const heading = drawHeading(
		"From the spawn until the plugin is published",
		"Medians, stage by stage, in milliseconds",
	);
	return stack([heading, drawLegend(), { svg: svg.join("\n"), height: bottom + axisHeight }]);
}

const topHeight = 26;
const lineHeight = 15;
const barHeight = 10;
const labelHeight = 24;
// Room for the longest name of a stage.
const legendStep = 106;

function drawWaterfall(plugin: MeasuredRecord, scale: Scale): Part {
	let begin = 0;
	const bars = stages.map(([stage], index) => {
		const { median } = plugin.stages[stage];
		const [from, to] = [scale.at(begin), scale.at(begin + median)];
		begin += median;
		const y = labelHeight + index * lineHeight;
		const width = Math.max(1.5, to - from);
		const bar = element("rect", { x: from, y, width, height: barHeight, rx: 1.5, class: stageClass(stage) });
		const words = `${stage} ${median.toFixed(2)}`;
		const isLeft = from + width + 6 + widthOf(words, font.small) > frame.right;
		const place = isLeft ? { x: from - 6, "text-anchor": "end" } : { x: from + width + 6 };
		return bar + text(place.x, y + barHeight - 0.5, words, { ...place, "font-size": font.small, class: "soft" });
	});
	const label = drawLabel(
		plugin.name,
		`${plugin.start.median.toFixed(1)} ms, ${plugin.ratio.value.toFixed(2)} × floor`,
	);
	return { svg: label + bars.join(""), height: labelHeight + stages.length * lineHeight + 14 };
}

/** The name of a row on the left, and what is to be said of it on the right; the name gives way. */
export function drawLabel(name: string, words: string): string {
	const room = frame.right - frame.left - widthOf(words, font.text) - 16;
	return (
		text(frame.left, 14, fit(name, room, font.text), { "font-size": font.text, class: "strong" }) +
		text(frame.right, 14, words, { "font-size": font.text, "text-anchor": "end" })
	);
}

function drawLegend(): Part {
	const items = stages.map(([stage], index) => {
		const x = frame.left + index * legendStep;
		const mark = element("rect", { x, y: 0, width: 11, height: 11, rx: 2, class: stageClass(stage) });
		return mark + text(x + 17, 10, stage, { "font-size": font.small });
	});
	return { svg: items.join(""), height: 24 };
}

function sumOf(plugin: MeasuredRecord): number {
	return stages.reduce((sum, [stage]) => sum + plugin.stages[stage].median, 0);
}
