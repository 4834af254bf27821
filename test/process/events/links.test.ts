import { describe, expect, test } from "bun:test";
import { rejection } from "../../unit/runtime/support.ts";
import { createBench } from "../support/host.ts";

const bench = createBench();

const linking = (...links: [id: string, pattern: string, href: string][]) =>
	`export default (amp) => {
		for (const [id, pattern, href] of ${JSON.stringify(links)}) amp.registerLinkPattern({ id, pattern, href });
		amp.registerTool({ name: "alive-${links[0]?.[0]}", description: "Answers", inputSchema: { type: "object" }, execute: () => "yes" });
	};`;
const issue = linking(["issue", "[A-Z]{2,5}-\\d+", "https://tracker.test/{{match}}"]);

describe("links of a text", () => {
	test("are found with their place, text, plugin and address", async () => {
		const { host } = await bench.start({
			issue,
			pull: linking(["pull", "(?<repo>[\\w/]+)#(?<number>\\d+)(?<part>~\\d)?", "/{{repo}}/pull/{{number}}{{part}}"]),
		});
		const text = "😀 ABC-1 fixes brood/core#22, see XY-33.";
		const links = await host.links.resolve(text);
		expect(links).toEqual([
			{ text: "ABC-1", start: 3, end: 8, href: "https://tracker.test/ABC-1", plugin: "issue", id: "issue" },
			{ text: "brood/core#22", start: 15, end: 28, href: "/brood%2Fcore/pull/22", plugin: "pull", id: "pull" },
			{ text: "XY-33", start: 34, end: 39, href: "https://tracker.test/XY-33", plugin: "issue", id: "issue" },
		]);
		expect(links.map(({ start, end }) => text.slice(start, end))).toEqual(links.map((link) => link.text));
		expect(await host.links.resolve("nothing here")).toEqual([]);
		expect(await host.links.resolve("")).toEqual([]);
	});

	test.each<[string, string[]]>([
		["ABC-1", ["ABC-1"]],
		["(ABC-1), ABC-2. “ABC-3”", ["ABC-1", "ABC-2", "ABC-3"]],
		["xABC-1 éABC-2 _ABC-3 7ABC-4", []],
		["ABC-1x ABC-2é ABC-3_", []],
		["ABC-1\nABC-2", ["ABC-1", "ABC-2"]],
		["ABCDEFG-1", []],
	])("begin and end where a word does: %j", async (text, found) => {
		const { host } = await bench.start({ issue });
		expect((await host.links.resolve(text)).map((link) => link.text)).toEqual(found);
	});

	test("carry what they matched only in coded form, also what no address may hold", async () => {
		const { host } = await bench.start({ any: linking(["any", "<[^>]+>", "https://x.test/?q={{match}}"]) });
		const [coded, alone] = await host.links.resolve("<a b/?&#%ü> <\ud800>");
		expect(coded?.href).toBe("https://x.test/?q=%3Ca%20b%2F%3F%26%23%25%C3%BC%3E");
		expect(alone?.href).toBe("https://x.test/?q=%3C%EF%BF%BD%3E");
	});

	test("lie never over one another: the leftmost counts, then the longest, then the better rank", async () => {
		const { host } = await bench.start({
			a: linking(["short", "ABC", "/a/{{match}}"], ["ahead", "(?=ABC)", "/never/{{match}}"]),
			b: linking(["long", "ABC-1", "/b/{{match}}"], ["inner", "1 DEF", "/inner/{{match}}"]),
			c: linking(["same", "ABC-1", "/c/{{match}}"], ["tail", "DEF", "/tail/{{match}}"]),
		});
		const links = await host.links.resolve("ABC-1 DEF");
		expect(links.map(({ href }) => href)).toEqual(["/b/ABC-1", "/tail/DEF"]);
	});

	test("of a hostile pattern block only its plugin, for a while, and are left out and told of", async () => {
		const limits = { call: { linkResolveMs: 300 } };
		const hostile = linking(["hostile", "(a+)+!", "/hostile/{{match}}"]);
		const { host, logged, frames } = await bench.start({ hostile, issue }, { limits });
		const text = `ABC-1 ${"a".repeat(40)}?`;
		const asked = () => frames("hostile").filter(({ method, kind }) => method === "link.resolve" && kind === "call");
		const resolving = host.links.resolve(text);
		expect((await host.tools.call("alive-issue", {}, { timeoutMs: 5_000 })).ok).toBe(true);
		expect((await resolving).map(({ href }) => href)).toEqual(["https://tracker.test/ABC-1"]);
		await logged(
			"hostile",
			'its links were left out: The link patterns of plugin "hostile" did not answer within 300 ms',
		);
		expect((await host.links.resolve("ABC-2")).map(({ href }) => href)).toEqual(["https://tracker.test/ABC-2"]);
		expect(asked()).toHaveLength(1);
	});

	test("are those of now: of what is registered later, and not of what is gone", async () => {
		const { host, next } = await bench.start({
			late: `export default (amp) => {
				let link;
				amp.registerCommand("add", { title: "" }, () => { link = amp.registerLinkPattern({ id: "l", pattern: "x+", href: "/{{match}}" }); });
				amp.registerCommand("remove", { title: "" }, () => link.unsubscribe());
			};`,
		});
		const found = async () => (await host.links.resolve("xx")).map(({ href }) => href);
		expect(await found()).toEqual([]);
		const added = next("registry", ({ change }) => change.added.some(({ kind }) => kind === "link"));
		await host.commands.run("add");
		await added;
		expect(await found()).toEqual(["/xx"]);
		expect(host.links.list().map(({ item }) => item)).toEqual([{ id: "l", pattern: "x+", href: "/{{match}}" }]);
		const removed = next("registry", ({ change }) => change.removed.some(({ kind }) => kind === "link"));
		await host.commands.run("remove");
		await removed;
		expect(await found()).toEqual([]);
		await host.commands.run("add");
		await host.disable("late");
		expect(await found()).toEqual([]);
	});

	test("are given up with their signal, and a text too long is refused", async () => {
		const { host } = await bench.start({ issue }, { limits: { text: { linkTextCharsMax: 10 } } });
		expect(await rejection(host.links.resolve("x".repeat(11)))).toMatchObject({ code: "usage" });
		expect(await rejection(host.links.resolve(7 as never))).toMatchObject({ code: "usage" });
		expect(await rejection(host.links.resolve("ABC-1", { signal: AbortSignal.abort() }))).toMatchObject({
			code: "cancelled",
		});
		expect(await host.links.resolve("ABC-1 long")).toHaveLength(1);
		await host.stop();
		expect(await rejection(host.links.resolve("ABC-1"))).toMatchObject({ code: "host_stopped" });
	});
});

describe("a child that answers what no pattern can make", () => {
	const lying = (
		matches: string,
	) => `const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
process.stdin.on("data", (chunk) => {
	for (const line of String(chunk).split("\\n").filter(Boolean)) {
		const { id, method, result } = JSON.parse(line);
		if (id === 1 && result) {
			send({ method: "links.changed", params: { revision: 1 } });
			send({ method: "runtime.ready", params: { timings: { imported: 1, activated: 1, registered: 1, ready: 1 } } });
		}
		const items = method === "link.list" ? [{ id: "l", pattern: "x", href: "/{{match}}" }] : [];
		if (method === "link.resolve") send({ id, result: ${matches} });
		else if (method?.endsWith(".list")) send({ id, result: { revision: 1, items } });
		else if (method !== undefined && id !== undefined) send({ id, result: method === "ping" ? "pong" : {} });
	}
}).on("end", () => process.exit(0));
send({ id: 1, method: "client.info", params: { protocol: "1.0.0", pid: process.pid } });`;

	test.each<[string, string, string]>([
		["a script address", `{ matches: [{ id: "l", start: 0, end: 1, href: "javascript:alert(1)" }] }`, "1 of its links"],
		["another host's", `{ matches: [{ id: "l", start: 0, end: 1, href: "//evil.test" }] }`, "1 of its links"],
		["a place outside", `{ matches: [{ id: "l", start: 2, end: 9, href: "/x" }] }`, "1 of its links"],
		[
			"no place",
			`{ matches: [{ id: "l", start: 1, end: 1, href: "/x" }, { id: "l", start: 0.5, end: 1, href: "/x" }] }`,
			"2 of its links",
		],
		["an unknown pattern", `{ matches: [{ id: "other", start: 0, end: 1, href: "/x" }] }`, "1 of its links"],
		["something else", `{ matches: "all" }`, "its links were left out"],
	])("(%s) has that left out, and its log tells", async (_, matches, told) => {
		const fake = bench.path("fake.ts");
		await Bun.write(fake, lying(matches));
		const launch = { form: "custom" as const, command: [process.execPath, fake] };
		const { host, logged } = await bench.start({ liar: "" }, { launch });
		expect(host.links.list()).toHaveLength(1);
		expect(await host.links.resolve("xxx")).toEqual([]);
		await logged("liar", told);
	});
});
