import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, posix, relative, resolve } from "node:path";
import { buildPart } from "../../host/backends/child-build.ts";
import { openByteChannel } from "../../runtime/channel.ts";
import { ndjson } from "../../runtime/codec/ndjson.ts";
import { limits } from "../../runtime/limits.ts";
import { protocolVersion, socketWireFlag } from "../../runtime/protocol.ts";
import { socketWire } from "../../runtime/wire-socket.ts";
import { measureStart } from "./support/bundle.ts";
import { eager, reachFrom } from "./support/graph.ts";
import { childStartProblems, streamProblems } from "./support/start.ts";
import { readSources, root, type Sources } from "./support/tree.ts";

/** Minified bytes that a child loads before it can speak. */
const startBytesMax = 12_000;
const entry = "child/entry.ts";
const recorder = resolve(import.meta.dir, "support/start-recorder.ts");
/** Strings of child/ that name a standard stream without touching it, as `path: the trimmed line`. */
const allowedStrings: ReadonlySet<string> = new Set();

/** Functions and constants alone. */
const statelessModules = [
	"child/api/lazy.ts",
	"child/api/register.ts",
	"child/guard.ts",
	"child/line.ts",
	"child/observable-symbol.ts",
	"runtime/codec/bytes.ts",
	"runtime/disposable.ts",
	"runtime/protocol.ts",
	"runtime/records.ts",
	"runtime/stream-reader.ts",
];

const sources = readSources("{runtime,child}/**/*.ts");
const folder = mkdtempSync(join(tmpdir(), "brood-start-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a child", () => {
	test("loads no slow builtin at its start and no package of the host ever", () => {
		expect(sources.has(entry)).toBe(true);
		expect(childStartProblems(entry, sources)).toEqual([]);
	});

	test("touches no standard stream", () => {
		expect(streamProblems(sources, allowedStrings)).toEqual([]);
	});

	test("is at most 12 kB when it starts", async () => {
		const { startBytes, totalBytes, startModules } = await measureStart(entry);
		console.log(
			`child start path: ${startBytes} bytes minified in ${startModules.length} modules, ${totalBytes} in all`,
		);
		// What the bundler drops as unused is not loaded; nothing else may be missing from the scan.
		expect(startModules.filter((path) => !reachFrom([entry], sources, eager).files.has(path))).toEqual([]);
		expect(startBytes).toBeLessThanOrEqual(startBytesMax);
	});

	test("has modules in both of its parts only where they hold no state, since each part has its own", async () => {
		const folder = await mkdtemp(join(tmpdir(), "brood-parts-"));
		try {
			const parts = await Promise.all(
				["core", "rest"].map(async (name) => {
					const built = await buildPart(resolve(root, "child"), name, folder);
					const [output] = Object.values(built.metafile?.outputs ?? {});
					const inputs = Object.entries(output?.inputs ?? {}).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
					return new Set(inputs.map(([path]) => relative(root, resolve(process.cwd(), path))));
				}),
			);
			const [core = new Set(), rest = new Set()] = parts;
			expect([...core.intersection(rest)].sort()).toEqual(statelessModules);
			expect(rest.size).toBeGreaterThan(core.size);
		} finally {
			await rm(folder, { recursive: true });
		}
	});

	test("loads, when it really runs a plugin with a tool, a command and a handler, only its start path until it is ready", async () => {
		await Bun.write(
			join(folder, "plugin.ts"),
			`export default (amp) => {
				amp.registerTool({ name: "a", description: "a", inputSchema: { type: "object" }, execute: () => "" });
				amp.registerCommand("a", { title: "a" }, () => {});
				amp.on("tool.call", () => {});
				amp.logger.log("loaded");
			};`,
		);
		const { modules, streams, methods } = await recordLoad(resolve(root, entry), join(folder, "plugin.ts"));
		expect(methods).toEqual(["client.info", "runtime.stage", "runtime.stage", "log", "runtime.ready"]);
		expect(modules).toContain(entry);
		expect(modules.filter((path) => !reachFrom([entry], sources, eager).files.has(path))).toEqual([]);
		expect(streams).toEqual([]);
	});
});

describe("the start gate", () => {
	const map = (files: Record<string, string>): Sources => new Map(Object.entries(files));

	test("sees a slow builtin behind a static import, under either name, and not behind a lazy one", () => {
		const files = map({
			[entry]:
				'import "../runtime/a.ts"; import type { S } from "node:stream"; const p = () => import("node:readline");',
			"runtime/a.ts":
				'import { read } from "fs/promises"; import { spawn } from "node:child_process"; import "./b.ts";',
			"runtime/b.ts": 'const b = () => import("./c.ts");',
			"runtime/c.ts": 'import "node:stream";',
		});
		expect(childStartProblems(entry, files)).toEqual([
			"runtime/a.ts loads node:fs/promises at the start of a child",
			"runtime/a.ts loads node:child_process at the start of a child",
		]);
	});

	test("sees a package of the host in whatever way it is loaded", () => {
		const files = map({
			[entry]: 'const z = () => import("zod/mini"); const t = require("tar"); import type { A } from "ajv";',
			"child/api/late.ts": 'import "../../runtime/codec/msgpack.ts"; import { log } from "@clack/prompts";',
			"runtime/codec/msgpack.ts": 'import { encode } from "@msgpack/msgpack";',
		});
		expect(childStartProblems(entry, files).sort()).toEqual([
			"child/api/late.ts brings @clack/prompts into the child",
			"child/entry.ts brings tar into the child",
			"child/entry.ts brings zod into the child",
			"runtime/codec/msgpack.ts brings @msgpack/msgpack into the child",
		]);
	});

	test("sees each way to a stream, and takes only strings that are listed", () => {
		const uses = ["process.stdout.write(a);", 'process["stdin"].on(a);', "const { exit, stderr } = process;"];
		const files = map({
			[entry]: `import "../runtime/a.ts";\n// process.stdout\n${uses.join("\n")}\nconst hint = "not process.stdin";\n`,
			"runtime/a.ts": "export const a = process?.stderr;",
			"runtime/b.ts": "export const unreached = process.stdout;",
		});
		const seen = uses.map((use, index) => `${entry}:${index + 3} touches a standard stream: ${use}`);
		const inString = `${entry}:6 touches a standard stream: const hint = "not process.stdin";`;
		const inRuntime = "runtime/a.ts:1 touches a standard stream: export const a = process?.stderr;";
		expect(streamProblems(files, new Set())).toEqual([...seen, inString, inRuntime]);
		const allowed = new Set([`${entry}: const hint = "not process.stdin";`, `${entry}: ${uses[0]}`]);
		expect(streamProblems(files, allowed)).toEqual([...seen, inRuntime]);
	});

	test("weighs what loads at once apart from what loads later", async () => {
		await Bun.write(join(folder, "child/entry.ts"), 'import "./a.ts"; export const b = () => import("./b.ts");');
		await Bun.write(join(folder, "child/a.ts"), `console.log("${"a".repeat(2000)}");`);
		await Bun.write(join(folder, "child/b.ts"), `console.log("${"b".repeat(5000)}");`);
		const { startBytes, totalBytes, startModules } = await measureStart(entry, folder);
		expect(startModules).toEqual(["child/a.ts", "child/entry.ts"]);
		expect(startBytes).toBeWithin(2000, 3000);
		expect(totalBytes).toBeGreaterThan(7000);
	});

	test("records modules and streams of a real process", async () => {
		const path = join(folder, "run/entry.ts");
		await Bun.write(path, 'import "./a.ts"; console.log("{}"); process.stdin; await import("./b.ts");');
		await Bun.write(join(folder, "run/a.ts"), "export {};");
		await Bun.write(join(folder, "run/b.ts"), "export {};");
		const { modules, streams, firstLine } = await record(path, folder);
		expect(modules).toEqual(["run/entry.ts", "run/a.ts", "run/b.ts"]);
		expect(streams).toHaveLength(1);
		expect(firstLine).toBe("{}");
	});
});

/** Loads a plugin in a child under the recorder, as a host would, until it is ready. */
async function recordLoad(path: string, plugin: string) {
	const file = join(folder, `${Bun.randomUUIDv7()}.ndjson`);
	const command = [process.execPath, "--preload", recorder, path, plugin, socketWireFlag];
	const child = Bun.spawn(command, {
		stdio: ["ignore", "ignore", "inherit", "socket-fd"],
		cwd: folder,
		env: { ...process.env, BROOD_TEST_RECORD: file },
	});
	const wire = socketWire(child.stdio[3] ?? -1);
	const methods: string[] = [];
	const ready = Promise.withResolvers<void>();
	const listener = {
		message(value: unknown) {
			const { method, id } = value as { method: string; id?: number };
			methods.push(method);
			if (id !== undefined) channel.send({ jsonrpc: "2.0", id, result: hello(plugin) });
			if (method === "runtime.ready") ready.resolve();
		},
		sent() {},
		noise: (excerpt: string) => ready.reject(new Error(`no message: ${excerpt}`)),
		closed: () => ready.reject(new Error(`it ended after ${methods.join()}`)),
	};
	const channel = openByteChannel({ wire, codec: ndjson, limits: limits.wire, listener });
	await ready.promise;
	wire.end();
	await child.exited;
	return { ...(await readNotes(file, root)), methods };
}

function hello(path: string) {
	return { protocol: protocolVersion, codec: "ndjson", plugin: { name: "plugin", path, root: folder } };
}

/** Runs `path` under the recorder until it has written a line or ended, then closes its stdin and waits for its end. */
async function record(path: string, base: string) {
	const file = join(folder, `${Bun.randomUUIDv7()}.ndjson`);
	const started = Bun.spawn([process.execPath, "--preload", recorder, path, join(folder, "plugin.ts")], {
		stdin: "pipe",
		stdout: "pipe",
		stderr: "ignore",
		env: { ...process.env, BROOD_TEST_RECORD: file },
	});
	let output = "";
	for await (const chunk of started.stdout.pipeThrough(new TextDecoderStream())) {
		output += chunk;
		if (output.includes("\n")) void started.stdin.end();
	}
	await started.exited;
	return { ...(await readNotes(file, base)), firstLine: output.split("\n")[0] ?? "" };
}

async function readNotes(file: string, base: string) {
	const noted = (await Bun.file(file).text()).trimEnd().split("\n").map(parseNote);
	const files = noted.filter(({ kind, name }) => kind === "module" && /^[./]/.test(name));
	return {
		modules: files
			.map(({ name, by }) => relative(base, posix.resolve(posix.dirname(by), name)))
			.filter((path) => !path.startsWith("..")),
		streams: noted.filter(({ kind }) => kind === "stream"),
	};
}

function parseNote(line: string): { kind: string; name: string; by: string } {
	const { kind, name, by } = JSON.parse(line);
	return { kind: String(kind), name: String(name), by: String(by) };
}
