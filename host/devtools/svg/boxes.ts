import { type MeasuredRecord, type Series, wholeRoundsOf } from "../record.ts";
import { element } from "./draw.ts";
import { axisHeight, drawAxis, drawHeading, frame, type Part, stack } from "./frame.ts";
import { createScale, type Scale } from "./scale.ts";
import { drawLabel } from "./waterfall.ts";

/** How the times of all rounds are spread, for the floor and each plugin. */
export function drawBoxes(plugins: readonly MeasuredRecord[], floor: Series): Part {
	const all = [floor, ...plugins.map(({ start }) => start)];
	const furthest = Math.max(...all.map((series) => series.max));
	// A single slow round must not press all boxes together.
	const shown = Math.min(
		furthest,
		1.25 * Math.max(...all.map((series) => Math.max(whiskersOf(series).high, series.p90))),
	);
	const scale = createScale(shown * 1.02, frame.left, frame.right);
	const rows = stack([
		drawRow("bare Bun (floor)", floor, scale, "of-floor"),
		...plugins.map(({ name, start }) => drawRow(name, start, scale, "of-plugin")),
	]);
	const x = scale.at(floor.median);
	const svg = [
		drawAxis(scale, 0, rows.height),
		element("line", { x1: x, x2: x, y1: 0, y2: rows.height, class: "floor" }),
		rows.svg,
	];
	const rounds = wholeRoundsOf({ plugins: [...plugins] });
	const remark = `${rounds} rounds: the box holds the middle half, the thick line is the median, dots are single rounds further out`;
	const heading = drawHeading("All rounds", remark);
	return stack([heading, { svg: svg.join("\n"), height: rows.height + axisHeight }]);
}

/** The times furthest out that still belong to the many: within one and a half box lengths of the box. */
export function whiskersOf({ times, q1, q3 }: Series): { low: number; high: number } {
	const reach = 1.5 * (q3 - q1);
	const within = times.filter((ms) => ms >= q1 - reach && ms <= q3 + reach);
	return { low: Math.min(q1, ...within), high: Math.max(q3, ...within) };
}

const labelHeight = 22;
const boxHeight = 16;

function drawRow(name: string, series: Series, scale: Scale, group: string): Part {
	const { q1, q3, median, p90, times } = series;
	const { low, high } = whiskersOf(series);
	const middle = labelHeight + boxHeight / 2;
	const horizontal = (from: number, to: number) =>
		element("line", { x1: scale.at(from), x2: scale.at(to), y1: middle, y2: middle, class: "whisker" });
	const vertical = (ms: number, half: number, style: string) =>
		element("line", { x1: scale.at(ms), x2: scale.at(ms), y1: middle - half, y2: middle + half, class: style });
	const outside = times.filter((ms) => ms < low || ms > high);
	const dots = outside
		.filter((ms) => ms <= scale.max)
		.map((ms) => element("circle", { cx: scale.at(ms), cy: middle, r: 2.25, class: "dot" }));
	const box = {
		x: scale.at(q1),
		y: labelHeight,
		width: Math.max(1, scale.at(q3) - scale.at(q1)),
		height: boxHeight,
		rx: 2,
	};
	const svg = [
		horizontal(low, q1),
		horizontal(q3, high),
		vertical(low, 4, "whisker"),
		vertical(high, 4, "whisker"),
		element("rect", { ...box, class: "box" }),
		vertical(median, boxHeight / 2, "median"),
		...dots,
	];
	const beyond = describeBeyond(outside.filter((ms) => ms > scale.max));
	const label = drawLabel(name, `median ${median.toFixed(1)}, p90 ${p90.toFixed(1)} ms${beyond}`);
	return { svg: label + element("g", { class: group }, svg.join("")), height: labelHeight + boxHeight + 16 };
}

/** Says how many rounds the axis does not reach. */
function describeBeyond(times: readonly number[]): string {
	return times.length === 0 ? "" : `, ${times.length} beyond, up to ${Math.max(...times).toFixed(0)} ms`;
}
