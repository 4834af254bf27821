import { posix } from "node:path";
import { type Edge, edgesOf, loading, reachFrom } from "./graph.ts";
import type { Sources } from "./tree.ts";

interface Layer {
	name: string;
	height: number;
	/** A file of this layer; what the group `folder` matches are folders that do not know each other. */
	files: RegExp;
}

/** The rooms from the ground up. A file imports what is lower, or its own folder. */
const layers: readonly Layer[] = [
	{
		name: "L0",
		height: 0,
		files:
			/^runtime\/(?:bytes|limits|errors|error-table|wire-error|near|redact|installed-child|protocol|protocol-load|protocol-providers|protocol-validation|records|threads|disposable)\.ts$/,
	},
	{ name: "L1", height: 1, files: /^runtime\/codec\// },
	{ name: "L1'", height: 1, files: /^runtime\/schema\// },
	{
		name: "L2",
		height: 2,
		files:
			/^runtime\/(?:answers|call|depth|channel|channel-memory|peer|pending|running|turn|typed|tap|wire|wire-socket|stream-reader|wire-stream|wire-switch|write-queue|index)\.ts$/,
	},
	{ name: "L3", height: 3, files: /^child\// },
	// Within L3' everything may name a plugin's spec.
	{ name: "L3'", height: 3, files: /^host\/(?<folder>spec\.ts)$/ },
	{ name: "L3'", height: 3.5, files: /^host\/(?<folder>contracts\/|base\/)/ },
	{ name: "L4", height: 4, files: /^host\/(?<folder>backends|packages|install|ui|providers|sources)\// },
	{ name: "L5", height: 5, files: /^host\/registry\.ts$/ },
	{ name: "L5'", height: 5, files: /^host\/lifecycle\// },
	{ name: "L6", height: 6, files: /^host\/(?<folder>calls\/|reload\/|validate\/|plugin\.ts)/ },
	// It looks at snapshots of plugins.
	{ name: "L6'", height: 6.5, files: /^host\/doctor\// },
	{ name: "L7", height: 7, files: /^host\/(?:host|host-api|host-options|plugin-set|watching|diagnose|index)\.ts$/ },
	// What commands do with whole hosts.
	{ name: "L7'", height: 7.5, files: /^host\/(?<folder>devtools)\// },
	{ name: "L8", height: 8, files: /^host\/(?<folder>cli|mcp)\// },
	{ name: "L9", height: 9, files: /^test\/kit\// },
];

/** Imports that lead up or sideways, between child and host, out of the rooms, or from the child to a schema. */
export function layerProblems(sources: Sources): string[] {
	const problems: string[] = [];
	for (const [path, source] of sources) {
		if (placeOf(path) === undefined) problems.push(`${path} has no layer; give it one in test/house/support/layers.ts`);
		else problems.push(...edgesOf(path, source).flatMap(edgeProblem));
	}
	const childFiles = [...sources.keys()].filter((path) => path.startsWith("child/"));
	for (const [path, by] of reachFrom(childFiles, sources, [...loading, "type"]).files) {
		if (path.startsWith("runtime/schema/")) problems.push(`${by} brings ${path} into the child`);
	}
	return problems;
}

/** Each circle of imports once, types included, as the path around it. */
export function cycleProblems(sources: Sources): string[] {
	const done = new Set<string>();
	const problems: string[] = [];
	const trail: string[] = [];
	function visit(path: string): void {
		const start = trail.indexOf(path);
		if (start !== -1) problems.push([...trail.slice(start), path].join(" → "));
		const source = sources.get(path);
		if (start !== -1 || done.has(path) || source === undefined) return;
		trail.push(path);
		const next = edgesOf(path, source).flatMap(({ target }) => (target.kind === "file" ? [target.path] : []));
		for (const to of new Set(next)) visit(to);
		trail.pop();
		done.add(path);
	}
	for (const path of sources.keys()) visit(path);
	return problems;
}

/** Imports of examples that a plugin author could not write in a folder of their own. */
export function exampleProblems(sources: Sources): string[] {
	const edges = [...sources].flatMap(([path, source]) => edgesOf(path, source));
	return edges.filter((edge) => !isForAuthors(edge)).map((edge) => `${where(edge)} may not import "${edge.specifier}"`);
}

function isForAuthors({ from, specifier, target }: Edge): boolean {
	if (/^brood(?:\/|$)/.test(specifier) || specifier === "@ampcode/plugin") return true;
	if (target.kind !== "file") return target.kind === "builtin";
	const [room, folder, ...rest] = from.split("/");
	const own = rest.length > 0 ? `${room}/${folder}/` : `${room}/`;
	return target.path.startsWith(own);
}

interface Place {
	layer: Layer;
	/** What may import each other within a layer. */
	folder: string;
}

function placeOf(path: string): Place | undefined {
	for (const layer of layers) {
		const match = layer.files.exec(path);
		if (match !== null) return { layer, folder: `${layer.name} ${match.groups?.folder ?? ""}` };
	}
	return undefined;
}

/** What sources read beside them: the version, and what the package alone has, not as code. */
const besides: ReadonlySet<string> = new Set(["package.json", "dist/child.sources", "dist/child-print.json"]);

function edgeProblem(edge: Edge): string[] {
	const from = placeOf(edge.from);
	if (edge.target.kind !== "file" || from === undefined) return [];
	const path = posix.normalize(edge.target.path);
	const to = placeOf(path);
	if (to === undefined) return besides.has(path) ? [] : [`${where(edge)} imports ${path}, which has no layer`];
	const rooms = new Set([edge.from.split("/")[0], path.split("/")[0]]);
	if (rooms.has("child") && rooms.has("host")) return [`${where(edge)} imports ${path}: child and host never meet`];
	if (from.folder === to.folder || to.layer.height < from.layer.height) return [];
	return [`${where(edge)} (${from.layer.name}) imports ${path} (${to.layer.name}): not lower, not its own folder`];
}

function where({ from, line }: Edge): string {
	return `${from}:${line}`;
}
