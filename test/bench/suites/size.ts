import type { Prepared, Suite, Variant } from "../suite.ts";
import type { Driver, Workbench } from "../workbench.ts";

const mebibyte = 2 ** 20;

/** Large messages. */
export const size: Suite = {
	title: "size: one large message, there and back; bytes one way, with an answer",
	rounds: 9,
	quickRounds: 3,
	warmUp: 1,
	figures: [
		{
			id: "size.text/concat",
			title: "16 MiB of text to our peer and back ÷ lines of JSON read by adding up texts",
			of: "peer 16 MiB",
			against: "concat 16 MiB",
			goal: { atMost: 0.12 },
		},
		{
			id: "size.bytes/base64",
			title: "16 MiB of bytes to our peer ÷ the same as base64 in JSON",
			of: "peer bytes",
			against: "base64 bytes",
			goal: { atMost: 0.6 },
		},
		{
			id: "size.linear",
			title: "16 MiB of text ÷ 4 MiB of text, to our peer and back",
			of: "peer 16 MiB",
			against: "peer 4 MiB",
			goal: { atMost: 8 },
		},
		{
			id: "size.call/concat",
			title: "16 MiB of text through host.tools.call, input checked ÷ lines of JSON read by adding up texts",
			of: "package 16 MiB",
			against: "concat 16 MiB",
		},
		{ id: "size.text/vscode", title: "16 MiB of text ÷ vscode-jsonrpc", of: "peer 16 MiB", against: "vscode 16 MiB" },
		{ id: "size.text/ipc", title: "16 MiB of text ÷ Bun IPC", of: "peer 16 MiB", against: "ipc 16 MiB" },
		{ id: "size.text/worker", title: "16 MiB of text ÷ Bun Worker", of: "peer 16 MiB", against: "worker 16 MiB" },
	],
	variants: ["package", "peer", "base64", "concat", "vscode", "ipc", "worker"],
	prepare,
};

async function prepare(bench: Workbench, wanted: (name: string) => boolean): Promise<Prepared> {
	const [plugin = ""] = await bench.plugins(1);
	async function open(name: string, start: () => Driver | Promise<Driver>, kind: Kind): Promise<Variant[]> {
		if (!wanted(name)) return [];
		const driver = await start();
		await driver.ask({ do: "open", plugin });
		return [sized(name, driver, kind)];
	}
	const opened = await Promise.all([
		open("peer", () => bench.peer("own"), "texts and bytes"),
		open("base64", () => bench.peer("own-lines"), "bytes"),
		open("concat", () => bench.peer("concat"), "text"),
		open("package", () => bench.ours("package"), "text"),
		...(["vscode", "ipc", "worker"] as const).map((name) => open(name, () => bench.peer(name), "text")),
	]);
	return { variants: opened.flat() };
}

type Kind = "text" | "bytes" | "texts and bytes";

function sized(name: string, driver: Driver, kind: Kind): Variant {
	const orders = {
		[`${name} 16 MiB`]: { do: "echo", bytes: 16 * mebibyte },
		[`${name} 4 MiB`]: { do: "echo", bytes: 4 * mebibyte },
		[`${name} bytes`]: { do: "send", bytes: 16 * mebibyte },
	} as const;
	const names = Object.keys(orders).filter(
		(order) => kind === "texts and bytes" || order.endsWith(kind === "bytes" ? "bytes" : "16 MiB"),
	);
	return {
		name,
		units: Object.fromEntries(names.map((order) => [order, "ms"])),
		async run() {
			const values: Record<string, number> = {};
			for (const [order, task] of Object.entries(orders)) {
				if (names.includes(order)) values[order] = (await driver.measure(task)).ms ?? Number.NaN;
			}
			return values;
		},
	};
}
