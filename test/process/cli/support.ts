import { afterEach, beforeEach, expect, setDefaultTimeout } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** What a person starts. */
export const main = resolve(import.meta.dir, "../../../host/cli/main.ts");
export const launcher = resolve(import.meta.dir, "../../../host/cli/bin.js");

const sharedCache = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");

export interface Outcome {
	exitCode: number | null;
	stdout: string;
	stderr: string;
	/** The lines of stderr that are JSON errors. */
	errors: { error: { code: string; message: string; plugin?: string; hint?: string } }[];
}

export interface StartOptions {
	command?: string[];
	env?: Record<string, string>;
	stdin?: string;
}

/**
 * A home, a workspace and nothing else, in which the command line runs; new for each test of a file. Must be called at
 * the top of it. After each test nothing of what was started may be left. What Bun and brood build for every start lies
 * in the cache of whoever runs the tests, or in the home where the cache is what a file is about.
 */
export function createDesk({ ownCache = false } = {}) {
	setDefaultTimeout(20_000);
	let folder = "";
	let mark = "";
	beforeEach(() => {
		folder = realpathSync(mkdtempSync(join(tmpdir(), "brood-cli-")));
		mark = `BROOD_TEST_MARK=${Bun.randomUUIDv7()}`;
		mkdirSync(join(folder, "home"));
		// The root of a work tree: what lies above it is nobody's workspace.
		mkdirSync(join(folder, "workspace/.git"), { recursive: true });
	});
	afterEach(async () => {
		const left = await whatStays(mark);
		rmSync(folder, { recursive: true, force: true });
		expect(left).toEqual([]);
	});

	function environment(more: Record<string, string> = {}): Record<string, string> {
		return {
			PATH: process.env.PATH ?? "",
			HOME: join(folder, "home"),
			XDG_CONFIG_HOME: join(folder, "home/.config"),
			...(ownCache ? {} : { XDG_CACHE_HOME: sharedCache }),
			BROOD_TEST_MARK: mark.slice(mark.indexOf("=") + 1),
			...more,
		};
	}

	function start(parameters: string[], { command = [process.execPath, main], env, stdin }: StartOptions = {}) {
		return Bun.spawn([...command, ...parameters], {
			cwd: join(folder, "workspace"),
			env: environment(env),
			stdin: stdin === undefined ? "ignore" : new Blob([stdin]),
			stdout: "pipe",
			stderr: "pipe",
		});
	}

	return {
		environment,
		start,
		/** A path in the workspace. */
		path: (...parts: string[]) => join(folder, "workspace", ...parts),
		home: (...parts: string[]) => join(folder, "home", ...parts),
		/** Writes files of the workspace. */
		async write(files: Record<string, string>): Promise<void> {
			for (const [path, text] of Object.entries(files)) await Bun.write(join(folder, "workspace", path), text);
		},
		/** Runs the command line to its end. */
		async run(parameters: string[], options?: StartOptions): Promise<Outcome> {
			const child = start(parameters, options);
			const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
			return { exitCode: child.exitCode, stdout, stderr, errors: jsonLines(stderr) };
		},
		/** Processes of this test that run. */
		running: () => marked(mark),
	};
}

/** The processes that do not end; the system needs a moment to take away what was killed. */
async function whatStays(mark: string): Promise<string[]> {
	for (let tries = 0; tries < 100 && marked(mark).length > 0; tries++) await Bun.sleep(20);
	return marked(mark);
}

function jsonLines(text: string): Outcome["errors"] {
	const lines = text.split("\n").filter((line) => line.startsWith('{"error"'));
	return lines.map((line) => JSON.parse(line));
}

/** Every process whose environment holds the mark; children and what they start inherit it. */
function marked(mark: string): string[] {
	if (existsSync("/proc/self/environ")) {
		const ids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
		return ids.filter((id) => readEnvironment(id).split("\0").includes(mark));
	}
	const { stdout } = Bun.spawnSync(["ps", "axeww", "-o", "pid=,command="]);
	return stdout
		.toString()
		.split("\n")
		.filter((line) => line.includes(mark));
}

function readEnvironment(id: string): string {
	try {
		return readFileSync(`/proc/${id}/environ`, "utf8");
	} catch {
		// It has ended meanwhile, or is somebody else's.
		return "";
	}
}

/** The lines of a stderr that is all JSON. */
export function parseLines(stderr: string): Record<string, Record<string, unknown>>[] {
	const lines = stderr.split("\n").filter((line) => line !== "");
	return lines.map((line) => JSON.parse(line));
}

/** A plugin with one of everything that a command can ask for. */
export const helper = `
export const description = "Greets people";
export default function (amp) {
	amp.registerTool({
		name: "greet",
		description: "Greets a person",
		inputSchema: { type: "object", properties: { name: { type: "string" } } },
		async execute({ name, size }, context) {
			console.log("greeting " + name);
			if (name === "nobody") throw new TypeError("there is nobody");
			if (name === "never") await new Promise(() => {});
			if (name === "image") return [{ type: "text", text: "a dot" }, { type: "image", mimeType: "image/png", data: "AAAA" }];
			return size === undefined ? "Hello " + name : "y".repeat(size);
		},
	});
	amp.registerCommand("ask", { title: "Ask" }, async (context) => {
		const sure = await context.ui.confirm({ title: "Sure?" });
		console.log("asked");
		await context.ui.notify("the answer is " + sure);
	});
	amp.registerCommand("fail", { title: "Fail" }, () => { throw new RangeError("out of reach"); });
	amp.registerCommand("hang", { title: "Hang" }, () => new Promise(() => {}));
	amp.on("agent.start", ({ message }) => {
		if (message === "bad") throw new Error("a bad start");
		return { message: { content: "from helper", display: true } };
	});
	amp.onDispose(() => console.error("disposed"));
}
`;
