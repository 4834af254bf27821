import fc from "fast-check";
import { kinds } from "../../../runtime/records.ts";
import { base64 } from "./script.ts";

/** Generators of what a hostile child may say; `"@id"` stands for the id of the call that is being played in. */

const hostileText = fc.constantFrom(
	"__proto__",
	"constructor",
	"toString",
	"hasOwnProperty",
	"",
	"\u0000",
	"\u001b[2J\u001b]0;x\u0007",
	"\u202e\ufeff",
	"\ud800",
	"a\nb\r\nc",
	"n".repeat(10_000),
);
const text = fc.oneof({ weight: 3, arbitrary: fc.string() }, { weight: 1, arbitrary: hostileText });
const hostileNumber = fc.constantFrom(0, -0, -1, 1.5, 2 ** 31, 2 ** 53, 2 ** 60, -(2 ** 63), 1e308, 5e-324);
const number = fc.oneof(fc.nat({ max: 400 }), hostileNumber, fc.double({ noNaN: true, noDefaultInfinity: true }));
const hostileJson = fc.constantFrom<unknown>(
	JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'),
	JSON.parse('{"toString":1,"valueOf":null,"then":1,"toJSON":1}'),
	{ length: -1 },
	nested(900),
	nested(5_000),
	Array.from({ length: 3_000 }, (_, index) => index),
);
const json = fc.oneof(
	{ weight: 4, arbitrary: fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown> },
	{ weight: 1, arbitrary: hostileJson },
);
const orNot = (right: fc.Arbitrary<unknown>) =>
	fc.oneof({ weight: 4, arbitrary: right }, { weight: 1, arbitrary: json });
const likely = (members: Record<string, fc.Arbitrary<unknown>>) =>
	orNot(
		fc.record(Object.fromEntries(Object.entries(members).map(([name, member]) => [name, orNot(member)])), {
			requiredKeys: [],
		}),
	);

const level = fc.constantFrom("error", "warn", "info", "debug");
const stage = fc.constantFrom("import", "activate", "client.info");
const position = likely({
	file: fc.constantFrom("/dev/zero", "/proc/self/mem", "/", "x.ts"),
	line: number,
	column: number,
});
const wireError = likely({
	code: number,
	message: text,
	data: likely({ name: text, code: fc.constantFrom("timeout", "internal", "__proto__"), stack: text, cause: json }),
});
const timings = likely({ imported: number, activated: number, registered: number, ready: number });
const block = fc.oneof(
	likely({ type: fc.constant("text"), text }),
	likely({ type: fc.constant("image"), mimeType: text, data: text }),
);
const asked = { call: number, message: text };

/** What each method of the child takes. */
const params: Record<string, fc.Arbitrary<unknown>> = {
	"client.info": likely({
		protocol: fc.constantFrom("1.0.0", "2.0.0", "x"),
		pid: number,
		ms: number,
		runtimeVersion: text,
	}),
	"runtime.stage": likely({ stage, ms: number }),
	"runtime.ready": likely({ timings }),
	"runtime.failed": likely({
		stage,
		error: wireError,
		positions: fc.array(position, { maxLength: 5 }),
		missing: likely({ specifier: text, referrer: text, note: text }),
	}),
	log: likely({ level, message: text }),
	...Object.fromEntries(kinds.map((kind) => [`${kind}s.changed`, likely({ revision: number })])),
	"ui.notify": likely(asked),
	"ui.input": likely({ ...asked, title: text, secret: fc.boolean(), initialValue: text }),
	"ui.confirm": likely({
		...asked,
		title: text,
		fields: fc.array(likely({ type: text, name: text, label: text, value: text })),
	}),
	"ui.select": likely({ ...asked, title: text, options: fc.array(text), allowOther: fc.boolean() }),
	"status.create": likely({ id: number, text, url: text }),
	"status.update": likely({ id: number, text, url: text }),
	"status.remove": likely({ id: number }),
	"skill.register": likely({ path: fc.constantFrom("/", "..", "skills/x", "/dev/zero", "\u0000") }),
	"system.open": likely({ url: fc.constantFrom("https://example.com", "javascript:1", "file:///etc/passwd", "") }),
	"configuration.get": likely({}),
	"executor.keepAlive": json,
	"executor.release": likely({ id: number }),
	"webhook.create": likely({ key: text, headers: fc.array(text, { maxLength: 5 }) }),
	"ai.ask": likely({ question: text, model: text, maxTokens: number }),
	"ai.generate": likely({ prompt: text, schema: likely({ name: text, jsonSchema: json }) }),
	"attachments.upload": likely({ data: text, mimeType: fc.constantFrom("image/png", "image/svg+xml", "__proto__") }),
	"$/cancel": likely({ id: fc.oneof(number, text) }),
	"tool.execute": json,
	ping: json,
	dispose: json,
};
const method = fc.oneof(
	{ weight: 8, arbitrary: fc.constantFrom(...Object.keys(params)) },
	{ weight: 1, arbitrary: hostileText },
);
const id = fc.oneof(
	{ weight: 6, arbitrary: fc.nat({ max: 400 }) as fc.Arbitrary<unknown> },
	{ weight: 2, arbitrary: fc.oneof(number, text, fc.constant(null), json) },
	{ weight: 1, arbitrary: fc.constant("@id") },
);
const version = { jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant("2.0") }, { weight: 1, arbitrary: json }) };

const spoken = method.chain((name) => {
	const right = (Object.hasOwn(params, name) ? params[name] : undefined) ?? json;
	const request = fc.record({ ...version, id, method: fc.constant(name), params: right });
	return fc.oneof(request, fc.record({ ...version, method: fc.constant(name), params: right }));
});
const listAnswer = fc.record({
	revision: number,
	items: fc.oneof(
		fc.array(
			likely({ name: text, id: text, title: text, description: text, inputSchema: json, key: text, handler: number }),
		),
		fc.constant(
			Array.from({ length: 2_000 }, (_, index) => ({ name: `n${index % 50}`, description: "", inputSchema: {} })),
		),
	),
});
const result = fc.oneof(
	likely({ content: fc.array(block, { maxLength: 3 }) }),
	listAnswer,
	likely({ answer: json }),
	json,
);
const answer = fc.record({ ...version, id, result, error: orNot(wireError) }, { requiredKeys: ["id"] });
const onlyResult = fc.record({ ...version, id, result });
const onlyError = fc.record({ ...version, id, error: orNot(wireError) });
const almost = fc.record(
	{ ...version, id, method: fc.oneof(method, json), params: json, result, error: json },
	{ requiredKeys: [] },
);

/** A message that looks right, or nearly so. */
export const message: fc.Arbitrary<unknown> = fc.oneof(
	{ weight: 6, arbitrary: spoken },
	{ weight: 2, arbitrary: onlyResult },
	{ weight: 1, arbitrary: onlyError },
	{ weight: 1, arbitrary: answer },
	{ weight: 1, arbitrary: almost },
	{ weight: 1, arbitrary: fc.array(spoken, { maxLength: 3 }) },
);

const lineOf = (value: unknown) => Buffer.from(`${JSON.stringify(value)}\n`);
const rawPiece = fc.constantFrom(
	"\n",
	"\r\n",
	"\r",
	"\n\n\n\n",
	"\ufeff",
	"\u0000\n",
	"{",
	"}",
	'"',
	"[1]\n",
	"null\n",
	"42\n",
	'"x"\n',
	"{}\n",
	"Content-Length: 20\r\n\r\n",
	'{"id":9007199254740993,"method":"client.info"}\n',
	"x\n".repeat(300),
	"\n".repeat(2_000),
	`${"[".repeat(20_000)}${"]".repeat(20_000)}\n`,
	'{"id":"@id"}\n',
	'{"id":"@id","result":{"content":[]},"error":{"code":1,"message":""}}\n',
);
/** Bytes that need not be a line, nor text. */
const bytes = fc.oneof(
	fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array)),
	rawPiece.map((piece) => Buffer.from(piece)),
	fc.constant(Buffer.from([0xff, 0xfe, 0x00, 0x80, 0x0a])),
);

/** A piece of a script: bytes, any JSON as a line, or a message. */
const part = fc.oneof(
	{ weight: 2, arbitrary: bytes },
	{ weight: 1, arbitrary: json.map(lineOf) },
	{ weight: 5, arbitrary: message.map(lineOf) },
	{ weight: 1, arbitrary: fc.tuple(message, fc.nat({ max: 100 })).map(([value, at]) => lineOf(value).subarray(0, at)) },
	{
		weight: 1,
		arbitrary: fc.tuple(message, fc.integer({ min: 2, max: 60 })).map(([value, times]) => repeated(value, times)),
	},
);

/** What one hostile child says, in writes of which each may end anywhere. */
export const script: fc.Arbitrary<string[]> = fc
	.tuple(fc.array(part, { minLength: 1, maxLength: 8 }), fc.array(fc.nat({ max: 3_000 }), { maxLength: 3 }))
	.map(([parts, cuts]) => split(Buffer.concat(parts), cuts));

function split(whole: Buffer, cuts: number[]): string[] {
	const places = [0, ...cuts.filter((cut) => cut < whole.byteLength).sort((a, b) => a - b), whole.byteLength];
	return places.slice(1).map((end, index) => base64(whole.subarray(places[index], end)));
}

function repeated(value: unknown, times: number): Buffer {
	const one = lineOf(value);
	return Buffer.concat(Array.from({ length: one.byteLength > 5_000 ? 2 : times }, () => one));
}

function nested(levels: number): unknown {
	return JSON.parse(`${'{"a":['.repeat(levels)}${"]}".repeat(levels)}`);
}
