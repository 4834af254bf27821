import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { CreateHostOptions } from "../../../host/host.ts";
import { limits } from "../../../runtime/limits.ts";
import { heldUI } from "../support/held-ui.ts";
import { createBench } from "../support/host.ts";
import { base64, line, politeLoad } from "./script.ts";
import { act, politeUI, roundTrip, startHostile } from "./support.ts";

const bench = createBench();
setDefaultTimeout(60_000);

/** Starts a hostile child and keeps all that it is answered. */
async function started(options: CreateHostOptions = {}) {
	const answers: Answered[] = [];
	const wire: CreateHostOptions["wire"] = (plugin, { direction, message }) => {
		const isAnswer = plugin === "bad" && direction === "out" && !Object.hasOwn(message as object, "method");
		if (isAnswer) answers.push(message as Answered);
	};
	return { running: await startHostile(bench, { bad: {} }, { wire, ...options }), answers };
}

interface Answered {
	id: unknown;
	error?: { code: number };
}

describe("what is no answer", () => {
	test("100,000 lines of one letter before a good answer: it arrives, the event loop turns, the log stays short", async () => {
		const running = await startHostile(bench, { bad: {} });
		let turns = 0;
		const timer = setInterval(() => {
			turns += 1;
		}, 1);
		const result = await act(running, { flood: "x\n", times: 100_000, answer: "after all that" });
		clearInterval(timer);
		expect(result).toMatchObject({ ok: true, text: "after all that" });
		expect(turns).toBeGreaterThan(10);
		expect(running.host.plugins.log("bad").length).toBeLessThan(20);
	});

	test("JSON of the wrong kind is told of and skipped", async () => {
		const running = await startHostile(bench, { bad: {} });
		const pieces = ["42\n", "null\n", "[]\n", '"x"\n', "{}\n", "true\n", "-0\n", "[[[]]]\n", '{"id":1}\n'];
		expect(await act(running, { pieces, answer: "survived" })).toMatchObject({ ok: true, text: "survived" });
		await running.logged("bad", "no message");
	});

	test("an answer with neither result nor error, or with both, fails its call at once and names the plugin", async () => {
		const running = await startHostile(bench, { bad: {} });
		const error = { code: 1, message: "both" };
		for (const members of [{}, { result: { content: [] }, error }, { error: null }, { result: 1, error: "no" }]) {
			const { ok, error: told } = await act(running, { pieces: [line({ id: "@id", ...members })] });
			expect({ ok, told }).toMatchObject({ ok: false, told: { code: "invalid_answer" } });
		}
		expect(await act(running, { answer: "still good" })).toMatchObject({ text: "still good" });
	});

	test("the first answer counts; a second, or one to a call that was never made, is dropped", async () => {
		const running = await startHostile(bench, { bad: {} });
		const content = (text: string) => ({ content: [{ type: "text", text }] });
		const forged = Array.from({ length: 300 }, (_, id) => line({ id, method: undefined, result: content("forged") }));
		const own = ["first", "second"].map((text) => line({ id: "@id", result: content(text) }));
		const text = line({ id: "1", result: content("an id of another type") });
		const calls = Array.from({ length: 20 }, () => roundTrip(running));
		expect(await act(running, { pieces: [text, ...own, ...own] })).toMatchObject({ text: "first" });
		await Promise.all([act(running, { pieces: forged, answer: "" }), ...calls]);
		await roundTrip(running);
	});
});

describe("requests that are none", () => {
	test("methods named like members of objects are not found, and their params pollute nothing", async () => {
		const { running, answers } = await started();
		const names = ["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf", "isPrototypeOf", ""];
		const params = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
		const pieces = names.flatMap((method, id) => [line({ id: `m${id}`, method, params }), line({ method, params })]);
		const known = ["status.create", "ui.notify", "ai.ask", "configuration.get"];
		pieces.push(...known.map((method) => line({ id: `k ${method}`, method, params })));
		await act(running, { pieces, answer: "" });
		const codes = answers.flatMap(({ id, error }) => (String(id).startsWith("m") ? [error?.code] : []));
		expect(codes).toEqual(names.map(() => -32_601));
		expect("polluted" in {}).toBe(false);
	});

	test("an id that JSON cannot carry unchanged is refused and never answered with another id", async () => {
		const { running, answers } = await started();
		const ids = ["9007199254740993", "1e400", "1.5", "-9007199254740993", "null", "[1]", '{"a":1}', "true"];
		const pieces = ids.map((id) => `{"jsonrpc":"2.0","id":${id},"method":"configuration.get"}\n`);
		await act(running, { pieces, answer: "" });
		expect(answers.filter(({ id }) => id !== 1)).toMatchObject(ids.map(() => ({ id: null, error: { code: -32_600 } })));
	});
});

describe("JSON that nests 100,000 levels deep", () => {
	const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;

	test("as an answer fails its call at once; the next call works", async () => {
		const running = await startHostile(bench, { bad: {} });
		const result = await act(running, { pieces: [`{"id":"@id","result":{"content":[],"meta":${deep}}}\n`] });
		expect(result).toMatchObject({ ok: false, error: { code: "invalid_answer" } });
		await running.logged("bad", "nests too deep");
		expect(await act(running, { answer: "again" })).toMatchObject({ text: "again" });
	});

	test("as what it registers spoils nobody's registrations", async () => {
		const running = await startHostile(bench, { bad: {} });
		const list = '{"revision":1,"items":[{"name":"deep","description":"","inputSchema":{"a":';
		const changed = line({ method: "tools.changed", params: { revision: 1 } });
		// The host asks for the list as its next call, and again; the blank lines give it the turns to do so.
		const twice = [1, 2].flatMap((next) => {
			return [changed, "\n".repeat(20_000), `{"id":"@id+${next}","result":${list}${deep}}}]}}\n`, "\n".repeat(20_000)];
		});
		await act(running, { pieces: twice, answer: "" });
		await running.host.reload("neighbour");
		await roundTrip(running);
		expect(running.host.tools.list().map(({ key }) => key)).toEqual(["play", "echo"]);
	});

	test("as params of a request is refused, and nothing that comes after it is lost", async () => {
		const { running, answers } = await started();
		const pieces = ["ui.notify", "client.info", "ai.ask", "nope"].map((method) => {
			return `{"id":"d ${method}","method":"${method}","params":${deep}}\n`;
		});
		await act(running, {
			pieces: [...pieces, `{"method":${deep},"id":"dm"}\n`, `{"id":${deep},"result":1}\n`],
			answer: "",
		});
		const told = answers.filter(({ id }) => String(id).startsWith("d "));
		expect(told).toHaveLength(4);
		await roundTrip(running);
	});
});

describe("ready", () => {
	test("before hello is a load failure that says so", async () => {
		const { host } = await startHostile(bench, { bad: { load: [...politeLoad.slice(1), ...politeLoad].map(base64) } });
		expect(host.plugins.get("bad")).toMatchObject({
			state: "failed",
			error: { code: "load_failed", stage: "client.info" },
		});
		expect(host.plugins.get("bad").error?.message).toContain("runtime.ready before client.info");
	});

	test("said again is told of and ignored: the facts of the load stay, and what it registered too", async () => {
		const running = await startHostile(bench, { bad: {} });
		const { facts } = running.host.plugins.get("bad");
		await act(running, { pieces: [...politeLoad.slice(1), ...politeLoad.slice(4)], answer: "" });
		await running.logged("bad", "runtime.ready");
		const after = running.host.plugins.get("bad");
		expect(after).toMatchObject({ state: "ready", launches: 1, tools: [{ name: "play" }] });
		expect({ ready: after.facts.ready, published: after.facts.published }).toEqual({
			ready: facts.ready,
			published: facts.published,
		});
	});

	test("with times of no clock leaves the facts within the time that the load took", async () => {
		const load = [1e308, -1e308, 2 ** 60].flatMap((ms) => [
			line({ method: "runtime.stage", params: { stage: "activate", ms } }),
		]);
		const timings = { imported: -1e308, activated: 1e308, registered: 2 ** 60, ready: -5 };
		const ready = line({ method: "runtime.ready", params: { timings } });
		const [hello = "", ...rest] = politeLoad;
		const { host } = await startHostile(bench, {
			bad: { load: [hello, ...load, ...rest.slice(0, 3), ready].map(base64) },
		});
		const { state, facts } = host.plugins.get("bad");
		expect(state).toBe("ready");
		for (const ms of Object.values(facts)) {
			expect(ms).toBeGreaterThanOrEqual(0);
			expect(ms).toBeLessThan(60_000);
		}
	});

	test("followed by a failure, or preceded by one that is malformed, harms nobody", async () => {
		const failed = (params: unknown) => line({ method: "runtime.failed", params });
		const told = {
			stage: "import",
			error: { code: 1, message: "too late" },
			positions: [{ file: "/dev/zero", line: 1, column: 1 }],
		};
		const running = await startHostile(bench, {
			bad: {},
			worse: { load: [...politeLoad.slice(0, 1), failed(null)].map(base64) },
		});
		await act(running, { pieces: [failed(null), failed(told), failed({})], answer: "" });
		expect(running.host.plugins.get("worse").state).toBe("failed");
		expect(running.host.plugins.get("bad").state).toBe("ready");
		await roundTrip(running);
	});
});

describe("a plugin that asks in a loop", () => {
	test("1,000 times notify: each is answered, and the plugin can be unloaded", async () => {
		const ui = politeUI();
		const { running, answers } = await started({ providers: { ui: ui.provider } });
		const pieces = Array.from({ length: 1_000 }, (_, id) =>
			line({ id: `n${id}`, method: "ui.notify", params: { message: "hi" } }),
		);
		await act(running, { pieces: [pieces.join("")], answer: "" });
		expect(answers.filter(({ id, error }) => String(id).startsWith("n") && !error)).toHaveLength(1_000);
		await running.host.disable("bad");
		expect(running.host.plugins.get("bad").state).toBe("disabled");
	});

	test("and that nobody answers: no more than the limit are open, the others are refused, and all end with it", async () => {
		const ui = heldUI();
		const { running, answers } = await started({ providers: { ui: ui.provider } });
		const asks = Array.from({ length: 1_500 }, (_, id) =>
			line({ id: `c${id}`, method: "ui.confirm", params: { title: "?" } }),
		);
		const cancels = Array.from({ length: 3_000 }, (_, id) =>
			line({ method: "$/cancel", params: { id: `unknown ${id}` } }),
		);
		await act(running, { pieces: [asks.join(""), cancels.join("")], answer: "" });
		const refused = answers.filter(({ error }) => error?.code === -32_003);
		expect(refused).toHaveLength(1_500 - limits.text.uiDialogsMax);
		await running.host.disable("bad");
		const dialogs = await ui.opened(limits.text.uiDialogsMax);
		expect(dialogs.filter(({ signal }) => !signal.aborted)).toEqual([]);
		await roundTrip(running);
	});
});

describe("a storm of registrations", () => {
	const tools = `for (let i = 0; i < 5_000; i += 1)
		amp.registerTool({ name: "t" + i, description: "", inputSchema: { type: "object" }, execute: () => i });`;

	test("5,000 tools come with ready and are not asked for", async () => {
		const { host, wire } = await bench.start({ many: `export default (amp) => { ${tools} };` });
		expect(host.plugins.get("many")).toMatchObject({ state: "ready", tools: { length: 5_000 } });
		expect(wire("many").filter((said) => said.includes("tool"))).toEqual([]);
		expect(await host.tools.call("t4999", {})).toMatchObject({ text: "4999" });
	});

	test("1,000 changes of availability in one turn need few lists", async () => {
		const { host, wire, until } = await bench.start({
			one: `export default (amp) => {
				const command = amp.registerCommand("go", { title: "Go" }, () => {
					for (let i = 0; i < 1_000; i += 1)
						command.setAvailability(i === 999 ? { type: "disabled", reason: "done" } : { type: "enabled" });
				});
			};`,
		});
		await host.commands.run("go");
		await until("registry", () => host.plugins.get("one").commands[0]?.availability.type === "disabled");
		expect(wire("one").filter((said) => said === "-> command.list").length).toBeLessThan(5);
	});
});
