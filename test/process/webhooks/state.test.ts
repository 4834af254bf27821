import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { chmodSync, closeSync, constants, mkdirSync, openSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { createProviderBench } from "./provider.ts";
import { post } from "./support.ts";

const bench = createProviderBench();
const file = () => bench.path("state/webhooks.sqlite");

/** What an open rejects with. */
async function refusal(options = {}): Promise<{ code?: string; message: string }> {
	try {
		await bench.open(bench.provider(options));
	} catch (error) {
		return error as { code?: string; message: string };
	}
	throw new Error("it was opened");
}

function put(content: string | Uint8Array): void {
	mkdirSync(bench.path("state"), { recursive: true });
	writeFileSync(file(), content);
}

/** A program of somebody else that has a port. */
async function foreign(port = 0): Promise<{ port: number; server: Server }> {
	const server = createServer((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n"));
	await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
	const address = server.address();
	return { port: typeof address === "object" && address !== null ? address.port : 0, server };
}

describe("a file that cannot be used is told by name, and stays as it is:", () => {
	test.each([
		["no database", () => put("this is no database, however long it may be".repeat(50)), "is damaged"],
		[
			"a database of another program",
			() => {
				put("");
				new Database(file()).run("CREATE TABLE theirs (a)");
			},
			"is a database of another program",
		],
		[
			"a newer version",
			() => {
				put("");
				const db = new Database(file());
				db.run("CREATE TABLE webhook (a)");
				db.run(`PRAGMA application_id = ${0x62726477}`);
				db.run("PRAGMA user_version = 99");
				db.close();
			},
			"was written by another version of brood",
		],
		["a file that is a folder", () => mkdirSync(file(), { recursive: true }), "cannot be written"],
		["a folder that is a file", () => writeFileSync(bench.path("state"), "x"), "cannot be written"],
	])("%s", async (_, make, reason) => {
		make();
		const before = await Bun.file(file())
			.bytes()
			.catch(() => "none");
		const { code, message } = await refusal();
		expect(code).toBe("webhooks_unavailable");
		expect(message).toContain(`their file ${file()} ${reason}`);
		expect(
			await Bun.file(file())
				.bytes()
				.catch(() => "none"),
		).toEqual(before);
	});

	test("one whose pages are damaged, also once it is in use", async () => {
		const provider = bench.provider();
		const opened = await bench.open(provider);
		await opened.close();
		const bytes = readFileSync(file());
		bytes.fill(0xff, 100);
		writeFileSync(file(), bytes);
		expect((await refusal()).code).toBe("webhooks_unavailable");
		expect(readFileSync(file()).equals(bytes)).toBe(true);
	});
});

test("what is no file is told by name without a wait for it, and keeps its mode", async () => {
	mkdirSync(bench.path("state"));
	Bun.spawnSync(["mkfifo", "-m", "644", file()]);
	// Whoever opens it would wait for a reader without end.
	const reader = openSync(file(), constants.O_RDONLY | constants.O_NONBLOCK);
	const { message } = await refusal();
	closeSync(reader);
	expect(message).toContain(`their file ${file()} cannot be written (it is a FIFO)`);
	expect(statSync(file()).mode & 0o777).toBe(0o644);
});

test("once the file is mended, the next webhook can be had", async () => {
	const provider = bench.provider();
	put("this is no database, however long it may be".repeat(50));
	await expect(bench.open(provider)).rejects.toThrow("is damaged");
	put("");
	const { url, sees } = await bench.open(provider);
	expect((await post(url)).status).toBe(202);
	await sees(1);
});

test("where nothing can be stored the sender hears 503 and when to come again, and the log says why once", async () => {
	const { url, problems, seen } = await bench.open(bench.provider());
	const other = new Database(file());
	other.run("BEGIN EXCLUSIVE");
	const answers = [await post(url), await post(url)];
	other.run("ROLLBACK");
	other.close();
	expect(answers.map(({ status, headers }) => [status, headers.get("retry-after")])).toEqual([
		[503, "5"],
		[503, "5"],
	]);
	expect(problems.filter((problem) => problem.includes("is held by another program"))).toHaveLength(1);
	expect(seen).toEqual([]);
	expect((await post(url)).status).toBe(202);
}, 20_000);

describe("the port", () => {
	test("is the same after a restart", async () => {
		const first = await bench.open(bench.provider());
		await first.close();
		await expect(post(first.url)).rejects.toThrow();
		const second = await bench.open(bench.provider());
		expect([second.url, second.problems]).toEqual([first.url, []]);
	});

	test("is another one when somebody else has it by then, which the log says; that one stays", async () => {
		const first = await bench.open(bench.provider());
		const port = Number(new URL(first.url).port);
		await first.close();
		const { server } = await foreign(port);
		const second = await bench.open(bench.provider());
		server.close();
		expect(new URL(second.url).pathname).toBe(new URL(first.url).pathname);
		expect(second.problems).toEqual([`webhook "key": another program has port ${port}, so its URL has changed`]);
		expect((await post(second.url)).status).toBe(202);
		await second.close();
		expect((await bench.open(bench.provider())).url).toBe(second.url);
	});

	test("is another one when somebody took it as the host that listened ended", async () => {
		const [a, b] = [await bench.open(bench.provider()), await bench.open(bench.provider())];
		const port = Number(new URL(a.url).port);
		await a.close();
		const { server } = await foreign(port);
		for (let turns = 0; b.problems.length === 0 && turns < 100; turns += 1) {
			await bench.time.pass(2_000);
			await Bun.sleep(20);
		}
		server.close();
		expect(b.problems).toEqual([`webhook "key": another program has port ${port}, so its URL has changed`]);
		expect(b.url).not.toBe(a.url);
		expect((await post(b.url)).status).toBe(202);
		await b.sees(1);
	});

	test("can be chosen; where it is taken the log says so", async () => {
		const { port, server } = await foreign();
		const taken = await bench.open(bench.provider({ port, file: bench.path("one.sqlite") }));
		expect(taken.problems).toHaveLength(1);
		server.close();
		await taken.close();
		const chosen = await bench.open(bench.provider({ port, file: bench.path("two.sqlite") }));
		expect([new URL(chosen.url).port, chosen.problems]).toEqual([String(port), []]);
	});

	test("is one of this machine alone", async () => {
		const { url } = await bench.open(bench.provider());
		const { port, hostname } = new URL(url);
		expect(hostname).toBe("127.0.0.1");
		const answer = new Promise((resolve) => {
			const socket = connect(Number(port), "127.0.0.2", () => resolve("connected"));
			socket.on("error", () => resolve("refused"));
		});
		expect(await answer).toBe("refused");
	});
});

test("a public URL stands before the path, with a path of its own or without", async () => {
	const one = await bench.open(bench.provider({ publicURL: "https://hooks.example.com" }));
	const two = await bench.open(bench.provider({ publicURL: "https://example.com/a/b/", file: bench.path("b.sqlite") }));
	expect(one.url).toMatch(/^https:\/\/hooks\.example\.com\/[\w-]{22}\/[\w-]{22}$/);
	expect(two.url).toMatch(/^https:\/\/example\.com\/a\/b\/[\w-]{22}\/[\w-]{22}$/);
});

test.each([
	{ port: -1 },
	{ port: 1.5 },
	{ port: 70_000 },
	{ publicURL: "ftp://x" },
	{ publicURL: "x" },
	{ publicURL: "http://x/?a" },
])("options that cannot be used are refused: %j", (options) => {
	expect(() => bench.provider(options)).toThrow(/port is 0 to 65535|publicURL begins with/);
});

test("a file that others could read is closed to them", async () => {
	const opened = await bench.open(bench.provider());
	await opened.close();
	chmodSync(file(), 0o644);
	await bench.open(bench.provider());
	expect((await Bun.file(file()).stat()).mode & 0o777).toBe(0o600);
});
