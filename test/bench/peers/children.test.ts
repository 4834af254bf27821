import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findNode } from "../../process/support/node.ts";
import { canLook } from "../memory.ts";
import { trivialPlugin } from "../plugin.ts";
import { openWorkbench, type PeerName } from "../workbench.ts";
import { childFile } from "./child-file.ts";
import { createLink, registered } from "./link.ts";

setDefaultTimeout(30_000);

let folder = "";
let plugin = "";

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "brood-bench-children-"));
	plugin = join(folder, "plugin.mjs");
	await Bun.write(plugin, `console.error("imported");\n${trivialPlugin}`);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const node = findNode();
const others = ["naive.ts", "birpc.ts", "vscode.ts", "ipc.ts", ...(node === null ? [] : ["node.mjs"])];

describe("as ours do, the children of others", () => {
	test.each(others)("import while hello is under way, and wait for its answer: %s", async (name) => {
		const program = name === "node.mjs" && node !== null ? node : process.execPath;
		const heard: unknown[] = [];
		const child = Bun.spawn([program, childFile(name), plugin], {
			stdio: ["pipe", "pipe", "pipe"],
			...(name === "ipc.ts" ? { ipc: (message) => void heard.push(message), serialization: "json" } : {}),
		});
		try {
			// Nobody answers it.
			const { value } = await child.stderr.getReader().read();
			expect(new TextDecoder().decode(value)).toBe("imported\n");
		} finally {
			child.kill();
			await child.exited;
		}
		const said = JSON.stringify(heard) + (await child.stdout.text());
		expect(said).toMatch(/client\.?info/i);
		expect(said).not.toMatch(/runtime\.?ready/i);
	});

	test("in a thread too", async () => {
		const threaded = join(folder, "threaded.mjs");
		await Bun.write(threaded, `postMessage("imported");\n${trivialPlugin}`);
		const worker = new Worker(childFile("worker.ts"), { argv: [threaded] });
		const imported = Promise.withResolvers<void>();
		const heard: unknown[] = [];
		worker.onmessage = ({ data }) => {
			if (data === "imported") imported.resolve();
			else heard.push(data.method);
		};
		await imported.promise;
		worker.terminate();
		expect(heard).toEqual(["client.info"]);
	});
});

describe("the host of another peer", () => {
	const none = { tools: [], commands: [], events: [] };
	const all = { tools: [{}], commands: [{}], events: [{}] };

	test("asks nothing while a plugin loads: what it registered comes with ready", async () => {
		const posted: unknown[] = [];
		const link = createLink("plugin.ts", (message) => posted.push(message));
		link.hear({ id: 1, method: "client.info" });
		link.hear({ method: "runtime.ready", params: { lists: all } });
		await registered(link.ready);
		expect(posted).toEqual([expect.objectContaining({ id: 1, result: expect.anything() })]);
	});

	test("takes a child that registered too little for no start", async () => {
		const link = createLink("plugin.ts", () => {});
		link.hear({ method: "runtime.ready", params: { lists: { ...all, commands: none.commands } } });
		expect(registered(link.ready)).rejects.toThrow("the child has registered 1, 0, 1 instead of one each");
	});

	test("takes an error for no answer", async () => {
		const link = createLink("plugin.ts", () => {});
		const [failed, answered] = [link.request("tool.execute", {}), link.request("tool.execute", {})];
		link.hear({ id: 1, error: { message: "no such tool" } });
		link.hear({ id: 2, result: { content: "text" } });
		expect(failed).rejects.toThrow("no such tool");
		expect(answered).resolves.toEqual({ content: "text" });
	});
});

const processes: PeerName[] = ["naive", "ipc", "birpc", "vscode", "mcp"];

test.skipIf(!canLook)("whatever the child of a peer caches lies in the folder of the bench", async () => {
	await using bench = await openWorkbench();
	const plugins = await bench.plugins(1);
	for (const name of processes) {
		const { pids: [pid] = [] } = await bench.peer(name).ask({ do: "hold", plugins });
		const variables = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
		const cache = variables.find((variable) => variable.startsWith("XDG_CACHE_HOME="));
		expect([name, cache]).toEqual([name, `XDG_CACHE_HOME=${join(bench.folder, "cache")}`]);
	}
});
