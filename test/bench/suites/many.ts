import type { FigureDefinition } from "../figures.ts";
import type { Prepared, Suite, Variant } from "../suite.ts";
import type { Driver, PeerName, Workbench } from "../workbench.ts";

const peers = ["naive", "node", "vscode", "mcp"] as const;

/** Many plugins in one host, at most as many at once as it lets; `counts` says how many. */
export const manySuite = (counts: readonly number[]): Suite => ({
	title: "many plugins: from createHost() until the first and until all are published",
	rounds: 15,
	quickRounds: 4,
	warmUp: 2,
	figures: [
		all(50, "package", "floor", "bare Bun children that write one byte, under the same limit", 1.6),
		{
			id: "many.first",
			title: "first of 50 published, from createHost() on ÷ a host with a single plugin",
			of: "package 50 first",
			against: "package 1",
			goal: { atMost: 1.2 },
		},
		all(10, "package", "floor", "bare Bun children that write one byte, under the same limit"),
		all(100, "package", "floor", "bare Bun children that write one byte, under the same limit"),
		all(50, "compiled", "floor", "bare Bun children that write one byte, under the same limit"),
		all(10, "package", "naive", "naive Bun children"),
		all(10, "package", "node", "Node children"),
		all(10, "package", "vscode", "vscode-jsonrpc"),
		all(10, "package", "mcp", "official MCP client and server"),
	],
	variants: ["package", "compiled", "floor", ...peers],
	prepare: (bench, wanted) => prepare(counts, bench, wanted),
});

export const many = manySuite([10, 50, 100]);

async function prepare(
	counts: readonly number[],
	bench: Workbench,
	wanted: (name: string) => boolean,
): Promise<Prepared> {
	const skipped: { name: string; reason: string }[] = [];
	const variants: Variant[] = [];
	if (wanted("package")) variants.push(...(await each("package", await bench.ours("package"), [1, ...counts], bench)));
	if (wanted("compiled")) variants.push(...(await each("compiled", await bench.ours("compiled"), [50], bench)));
	if (wanted("floor")) variants.push(...(await each("floor", bench.peer("floor"), counts, bench)));
	for (const name of peers) {
		if (!wanted(name)) continue;
		if (name === "node" && bench.node === null) skipped.push({ name: "node 10", reason: "there is no Node here" });
		else variants.push(...(await each(name, bench.peer(name), [10], bench)));
	}
	return { variants, skipped };
}

function each(name: string, driver: Driver, sizes: readonly number[], bench: Workbench): Promise<Variant[]> {
	return Promise.all(
		sizes.map(async (count): Promise<Variant> => {
			const plugins = await bench.plugins(count, name === "node" ? ".mjs" : ".ts");
			const measured = `${name} ${count}`;
			return {
				name: measured,
				units: { [measured]: "ms", [`${measured} first`]: "ms" },
				async run() {
					const { all = Number.NaN, first = Number.NaN } = await driver.measure({ do: "many", plugins });
					return { [measured]: all, [`${measured} first`]: first };
				},
			};
		}),
	);
}

function all(
	count: number,
	form: "package" | "compiled",
	peer: PeerName,
	title: string,
	atMost?: number,
): FigureDefinition {
	return {
		id: `many.${form === "package" ? "" : "compiled "}${count}/${peer}`,
		title: `${count} plugins all published${form === "package" ? "" : ", compiled"} ÷ ${count} ${title}`,
		of: `${form} ${count}`,
		against: `${peer} ${count}`,
		...(atMost === undefined ? {} : { goal: { atMost } }),
	};
}
