import { expect, setDefaultTimeout, test } from "bun:test";
import { parseContent, parseList, parseParams } from "../../../host/backends/door.ts";
import type { UIProvider } from "../../../host/contracts/providers.ts";
import { cleanText } from "../../../host/ui/clean.ts";
import { createTurns } from "../../../host/ui/turns.ts";
import { limits } from "../../../runtime/limits.ts";
import { rejection } from "../../unit/runtime/support.ts";
import { createBench, type Running } from "../support/host.ts";
import { politeUI, roundTrip } from "./support.ts";

/** Another plugin waits for what a message brings no longer than this many times what reading the heaviest takes. */
const factorMax = 5;
/** As many values as a message may hold; only to read it takes some hundredths of a second. */
const heaviest = JSON.stringify(Array.from({ length: 240_000 }, (_, index) => `o${index}`));

const bench = createBench();
setDefaultTimeout(60_000);

const neighbour = `export default (amp) => {
	amp.registerTool({ name: "echo", description: "", inputSchema: { type: "object" }, execute: ({ say }) => say });
};`;
const tool = (name: string, inputSchema: string, execute: string) =>
	`amp.registerTool({ name: "${name}", description: "", inputSchema: ${inputSchema}, execute: ${execute} });`;

const asks: Record<string, { ask: string; says: string }> = {
	"a question of many values to nobody": {
		ask: "amp.ai.ask(Array.from({ length: 120_000 }, () => []))",
		says: "ai.ask",
	},
	"a select of many options": {
		ask: 'amp.ui.select({ title: "x", options: Array.from({ length: 240_000 }, (_, index) => "o" + index) })',
		says: "240000 options of 5000 allowed",
	},
	"a confirm of many fields": {
		ask: 'amp.ui.confirm({ title: "x", fields: Array(20_000).fill({ type: "text", name: "n", label: "l", value: "v" }) })',
		says: "20000 fields of 500 allowed",
	},
	"more values than a message may hold": {
		ask: "amp.configuration.update({ many: Array(1_000_000).fill(0) })",
		says: "more than the 250000 values allowed",
	},
};

test.each(Object.entries(asks))("%s is refused at the cost of reading it", async (_, { ask, says }) => {
	const evil = `export default (amp) => {
		${tool("evil", '{ type: "object" }', `() => ${ask}.then(() => "done", (error) => error.message)`)}
	};`;
	const running = await start({ evil });
	await expectFair(running, async () => {
		expect((await running.host.tools.call("evil", {})).text).toContain(says);
	});
});

test("a message is judged, right or wrong, faster than it was read", async () => {
	const options = JSON.parse(heaviest);
	const pairs = Object.entries(options);
	const judged: Record<string, () => Promise<unknown>> = {
		"a question to a provider": () => parseParams("ai.ask", { question: "x", pairs }),
		"a wrong webhook": () => parseParams("webhook.create", { key: "x", headers: pairs }),
		"a select": () => parseParams("ui.select", { title: "x", options }),
		"a wrong select": () => parseParams("ui.select", { title: 5, options }),
		"a wrong input": () => parseParams("ui.input", { title: "x", options: pairs }),
		"a wrong result": async () => parseContent({ content: options }, "tool"),
		"a wrong tool": () =>
			parseList("tool", { revision: 1, items: [{ inputSchema: { options } }] }, limits.wire, () => {}),
	};
	for (const [name, judge] of Object.entries(judged)) {
		// Once for all that is loaded at its first use.
		await judge().catch(() => {});
		const reading = timeOfReading();
		const begin = performance.now();
		await judge().catch(() => {});
		const ratio = (performance.now() - begin) / reading;
		expect({ name, ratio: ratio < 1 ? "below 1" : ratio }).toEqual({ name, ratio: "below 1" });
	}
});

test("a text that is far longer than what is shown is cut before it is cleaned", () => {
	const timed = (text: string) => {
		const begin = performance.now();
		for (let round = 0; round < 20; round += 1) expect([...cleanText(text, 4_096)].length).toBeLessThanOrEqual(4_096);
		return performance.now() - begin;
	};
	const dirty = "a\u202e\u001b[1mb";
	const [short, long] = [dirty.repeat(2_000), dirty.repeat(400_000)];
	timed(short);
	// The text is 200 times as long; one repeat may be disturbed, three are not.
	const ratios = [1, 2, 3].map(() => timed(long) / timed(short));
	expect(Math.min(...ratios)).toBeLessThan(20);
	expect(cleanText(long, 4_096)).toEndWith("…");
});

const gates: Record<string, { schema: object; input: string; says: string }> = {
	"is all wrong": {
		schema: { properties: { a: { type: "array", items: { type: "string" } } } },
		input: "{ a: Array(240_000).fill(0) }",
		says: "too much to be checked",
	},
	"has many distinct items": {
		schema: { properties: { a: { type: "array", uniqueItems: true } } },
		input: "{ a: Array.from({ length: 6_000 }, (_, index) => ({ index, other: { index } })) }",
		says: "called",
	},
	"is tried in two ways at each level": {
		schema: {
			$ref: "#/$defs/node",
			$defs: {
				leaf: { properties: { a: { $ref: "#/$defs/node" } } },
				node: {
					anyOf: [
						{ $ref: "#/$defs/leaf", required: ["a"] },
						{ $ref: "#/$defs/leaf", required: ["a"] },
					],
				},
			},
		},
		input: "Array.from({ length: 60 }).reduce((a) => ({ a }), {})",
		says: "too much to be checked",
	},
	"is compared with long texts again and again": {
		schema: { properties: { a: { anyOf: Array.from({ length: 500 }, () => ({ maxLength: 1 })) } } },
		input: '{ a: "y".repeat(2_000_000) }',
		says: "too much to be checked",
	},
};

test.each(Object.entries(gates))("an input that %s is checked within bounds", async (_, { schema, input, says }) => {
	const inputSchema = JSON.stringify({ type: "object", ...schema });
	const victim = `export default (amp) => { ${tool("victim", inputSchema, '() => "called"')} };`;
	const evil = `export default (amp) => {
		amp.on("tool.call", ({ tool }) => tool === "victim" ? { action: "modify", input: ${input} } : undefined);
	};`;
	const running = await start({ victim, evil });
	await expectFair(running, async () => {
		const said = await running.host.tools.call("victim", {}).then(
			(result) => result.text,
			(error: Error) => error.message,
		);
		expect(said).toContain(says);
	});
});

const schemas: Record<string, string> = {
	"20,000 properties":
		"{ properties: Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => ['p' + i, { type: 'string' }])) }",
	"20,000 choices": "{ anyOf: Array.from({ length: 20_000 }, (_, i) => ({ required: ['p' + i] })) }",
	"400 levels of properties": "Array.from({ length: 400 }).reduce((a) => ({ type: 'object', properties: { a } }), {})",
	"400 negations": "Array.from({ length: 400 }).reduce((not) => ({ not }), { required: ['x'] })",
};

test.each(Object.entries(schemas))("a schema of %s holds up nobody: its inputs go unchecked", async (_, schema) => {
	const evil = `export default (amp) => {
		${tool("evil", `{ ...${schema}, type: "object" }`, '() => "called"')}
	};`;
	const running = await start({ evil });
	await expectFair(
		running,
		async () => {
			expect((await running.host.tools.call("evil", {}, { events: false })).text).toBe("called");
		},
		1,
	);
	expect((await running.logged("evil", "are not checked")).level).toBe("warn");
});

test("a schema whose draft is no text is refused as a schema", async () => {
	for (const $schema of ["{ toString: 1, valueOf: 1 }", "[]"]) {
		const evil = `export default (amp) => {
			${tool("evil", `{ type: "object", $schema: ${$schema} }`, '() => "called"')}
		};`;
		const { host } = await start({ evil });
		expect(await rejection(host.tools.call("evil", {}))).toMatchObject({ code: "invalid_schema", plugin: "evil" });
	}
});

test("a plugin that opens dialog after dialog is refused past a bound, and another's comes next but one", async () => {
	const many = `export default (amp) => { ${tool(
		"many",
		'{ type: "object" }',
		`async () => {
			const asked = Array.from({ length: 70 }, (_, index) => amp.ui.confirm({ title: "many " + index }));
			let refused = 0;
			const refuse = ({ code }) => {
				if (++refused === 6) amp.logger.log("six are refused");
				return code;
			};
			const answers = await Promise.all(asked.map((answer) => answer.then(String, refuse)));
			return answers.filter((answer) => answer !== "true").join();
		}`,
	)} };`;
	const one = `export default (amp) => {
		${tool("one", '{ type: "object" }', '() => amp.ui.confirm({ title: "one" }).then(String)')}
	};`;
	const turns = createTurns();
	const shown: string[] = [];
	const first = Promise.withResolvers<void>();
	const goOn = Promise.withResolvers<void>();
	const ui: UIProvider = {
		...politeUI().provider,
		confirm: ({ title }, { plugin }) =>
			turns.take(plugin, async () => {
				shown.push(title);
				first.resolve();
				await goOn.promise;
				return true;
			}),
	};
	const { host, logged } = await start({ many, one }, ui);
	const manyCall = host.tools.call("many", {});
	await first.promise;
	const oneCall = host.tools.call("one", {});
	await until(() => turns.waiting("one") === 1 && turns.waiting("many") === 63);
	// As soon as one of those that wait is answered, another one would be let in.
	await logged("many", "six are refused");
	goOn.resolve();
	expect((await oneCall).text).toBe("true");
	expect(shown.indexOf("one")).toBeLessThanOrEqual(2);
	expect((await manyCall).text).toBe(Array(6).fill("busy").join());
});

/** Waits turn by turn of the event loop. */
async function until(isSo: () => boolean): Promise<void> {
	while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

function start(plugins: Record<string, string>, ui: UIProvider = politeUI().provider): Promise<Running> {
	return bench.start({ ...plugins, neighbour }, { providers: { ui }, wire: () => {} });
}

/** Only when three times agree is it unfair; what is done at a first call only has one. */
async function expectFair(running: Running, act: () => Promise<void>, tries = 3): Promise<void> {
	await roundTrip(running);
	const factors: number[] = [];
	while (factors.length < tries && !factors.some((factor) => factor < factorMax)) {
		factors.push((await longestTrip(running, act)) / timeOfReading());
	}
	expect(Math.min(...factors)).toBeLessThan(factorMax);
}

/** The longest round trip of the neighbour while something goes on, in milliseconds. */
async function longestTrip(running: Running, act: () => Promise<void>): Promise<number> {
	let acting = true;
	const acted = act().finally(() => {
		acting = false;
	});
	let longest = 0;
	do {
		const begin = performance.now();
		await roundTrip(running);
		longest = Math.max(longest, performance.now() - begin);
	} while (acting);
	await acted;
	return longest;
}

/** Milliseconds that the heaviest message takes here and now, only to be read. */
function timeOfReading(): number {
	const begin = performance.now();
	JSON.parse(heaviest);
	return performance.now() - begin;
}
