import { type BenchStage, stages } from "../stages.ts";

/** What the picture is coloured with, on light ground and on dark. */
const colours: Record<string, readonly [light: string, dark: string]> = {
	paper: ["#ffffff", "#0d1117"],
	ink: ["#1f2328", "#e6edf3"],
	soft: ["#59636e", "#9198a1"],
	grid: ["#e3e7ec", "#262c36"],
	floor: ["#cf222e", "#ff7b72"],
	box: ["#0969da", "#58a6ff"],
	"stage-0": ["#57606a", "#8b949e"],
	"stage-1": ["#0969da", "#58a6ff"],
	"stage-2": ["#bc4c00", "#f0883e"],
	"stage-3": ["#8250df", "#bc8cff"],
	"stage-4": ["#1a7f37", "#3fb950"],
	"stage-5": ["#bf3989", "#f778ba"],
};

/** The style of the picture, which follows what its reader prefers. */
export function styleSheet(): string {
	const variables = (which: 0 | 1) =>
		Object.entries(colours)
			.map(([name, pair]) => `--${name}:${pair[which]}`)
			.join(";");
	const rules = [
		`svg{${variables(0)};color-scheme:light dark}`,
		`@media (prefers-color-scheme:dark){svg{${variables(1)}}}`,
		"text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;font-variant-numeric:tabular-nums;fill:var(--ink)}",
		// What runs below a text does not run through it.
		"text{paint-order:stroke;stroke:var(--paper);stroke-width:4px;stroke-linejoin:round}",
		".soft{fill:var(--soft)}",
		".strong{font-weight:600}",
		".grid{stroke:var(--grid);stroke-width:1}",
		".floor{stroke:var(--floor);stroke-width:1.5;stroke-dasharray:4 3}",
		".floor-text{fill:var(--floor)}",
		".box{fill:var(--box);fill-opacity:.22;stroke:var(--box);stroke-width:1.25}",
		".whisker{stroke:var(--box);stroke-width:1.25}",
		".median{stroke:var(--box);stroke-width:3}",
		".dot{fill:var(--box);fill-opacity:.65}",
		".of-floor .box{fill:var(--floor);stroke:var(--floor)}",
		".of-floor .whisker,.of-floor .median{stroke:var(--floor)}",
		".of-floor .dot{fill:var(--floor)}",
		...stages.map(([stage]) => `.${stageClass(stage)}{fill:var(--stage-${indexOf(stage)})}`),
	];
	return rules.join("\n");
}

/** The class of what stands for a stage. */
export function stageClass(stage: BenchStage): string {
	return `s${indexOf(stage)}`;
}

function indexOf(stage: BenchStage): number {
	return stages.findIndex(([name]) => name === stage);
}
