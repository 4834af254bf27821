import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { kinds } from "../../../runtime/records.ts";
import { quick, quickItem, quickList, quickParams } from "../../../runtime/schema/quick.ts";
import { itemSchemas, paramsSchemas, resultSchemas } from "../../../runtime/schema/wire.ts";
import { propertyRuns } from "../../support/effort.ts";

/** Each quick check, the schema that it stands for, and a message that a well-behaved child sends. */
const pairs = {
	clientInfo: {
		check: quick.clientInfo,
		schema: paramsSchemas["client.info"],
		sample: { protocol: "1.0.0", runtimeVersion: "1.4.5", pid: 7, codecs: ["ndjson"], guard: "console", ms: 3.5 },
	},
	stage: { check: quick.stage, schema: paramsSchemas["runtime.stage"], sample: { stage: "import", ms: 1 } },
	ready: {
		check: quick.ready,
		schema: paramsSchemas["runtime.ready"],
		sample: { timings: { imported: 1, activated: 2, registered: 3, ready: 4 } },
	},
	failed: {
		check: quickParams["runtime.failed"],
		schema: paramsSchemas["runtime.failed"],
		sample: {
			stage: "import",
			error: {
				code: -32000,
				message: "m",
				data: {
					name: "Error",
					code: "E",
					stack: "s",
					hint: "h",
					stage: "import",
					cause: { code: 1, message: "c", data: { name: "TypeError" } },
					errors: [{ code: 2, message: "e" }],
				},
			},
			positions: [{ file: "/p.ts", line: 1, column: 2, lineText: "x", message: "m" }],
			missing: { specifier: "zod", referrer: "/p.ts", note: "n" },
			meant: "registerTool",
		},
	},
	log: { check: quick.log, schema: paramsSchemas.log, sample: { level: "info", message: "x" } },
	changed: { check: quick.changed, schema: paramsSchemas.changed, sample: { revision: 1 } },
	content: {
		check: quick.content,
		schema: resultSchemas.content,
		sample: {
			content: [
				{ type: "text", text: "x" },
				{ type: "image", mimeType: "image/png", data: "AA==" },
				{ type: "image", mimeType: "image/png", url: "https://example.com/a.png" },
			],
		},
	},
	answer: { check: quick.answer, schema: resultSchemas.answer, sample: { answer: { action: "allow" } } },
	statusCreate: {
		check: quickParams["status.create"],
		schema: paramsSchemas["status.create"],
		sample: { id: 1, text: "t", url: "command:x" },
	},
	statusUpdate: {
		check: quickParams["status.update"],
		schema: paramsSchemas["status.update"],
		sample: { id: 1, text: "t", url: "command:x" },
	},
	statusRemove: { check: quickParams["status.remove"], schema: paramsSchemas["status.remove"], sample: { id: 1 } },
	skillRegister: {
		check: quickParams["skill.register"],
		schema: paramsSchemas["skill.register"],
		sample: { path: "skills/x" },
	},
	notify: { check: quickParams["ui.notify"], schema: paramsSchemas["ui.notify"], sample: { message: "m", call: 3 } },
	input: {
		check: quickParams["ui.input"],
		schema: paramsSchemas["ui.input"],
		sample: {
			title: "t",
			helpText: "h",
			initialValue: "i",
			submitButtonText: "s",
			secret: true,
			fieldName: "f",
			requireHuman: false,
			call: 3,
		},
	},
	confirm: {
		check: quickParams["ui.confirm"],
		schema: paramsSchemas["ui.confirm"],
		sample: {
			title: "t",
			message: "m",
			confirmButtonText: "c",
			requireHuman: true,
			fields: [{ type: "text", name: "n", label: "l", value: "v", multiline: true, optional: false }],
			call: 3,
		},
	},
	select: {
		check: quickParams["ui.select"],
		schema: paramsSchemas["ui.select"],
		sample: {
			title: "t",
			options: ["a"],
			allowOther: true,
			message: "m",
			initialValue: "a",
			requireHuman: true,
			call: 3,
		},
	},
	list: { check: quickList, schema: resultSchemas.list, sample: { revision: 2, items: [1] } },
	tool: {
		check: quickItem.tool,
		schema: itemSchemas.tool,
		sample: {
			name: "t",
			title: "T",
			description: "d",
			inputSchema: { type: "object" },
			transcriptGroup: { active: "a", complete: "c" },
		},
	},
	command: {
		check: quickItem.command,
		schema: itemSchemas.command,
		sample: { id: "c", title: "C", category: "x", description: "d", availability: { type: "disabled", reason: "r" } },
	},
	skill: { check: quickItem.skill, schema: itemSchemas.skill, sample: { name: "p:s", description: "d", path: "/p" } },
	event: { check: quickItem.event, schema: itemSchemas.event, sample: { name: "tool.call", handler: 1 } },
	mode: {
		check: quickItem.mode,
		schema: itemSchemas.mode,
		sample: { key: "k", label: "L", description: "d", color: "#fff", agent: {} },
	},
	link: { check: quickItem.link, schema: itemSchemas.link, sample: { id: "l", pattern: "x", href: "/x" } },
};

describe.each(Object.entries(pairs))("the quick check of %s", (_, { check, schema, sample }) => {
	test("accepts what a well-behaved child sends, as the schema does", () => {
		expect(check(sample)).toBe(true);
		expect<unknown>(schema.safeParse(sample).data).toEqual(sample);
	});

	test("accepts nothing that the schema refuses", () => {
		fc.assert(
			fc.property(mutated(sample), (value) => {
				if (check(value)) expect(schema.safeParse(value).success).toBe(true);
			}),
			propertyRuns,
		);
	});

	test("refuses a message with any of its members gone wrong", () => {
		for (const name of Object.keys(sample)) {
			const wrong = { ...sample, [name]: Number.NaN };
			// Any JSON is an answer, and NaN travels as null.
			if (name === "answer") continue;
			expect(check(wrong)).toBe(false);
			expect(schema.safeParse(wrong).success).toBe(false);
		}
	});
});

test("every kind of item has a quick check and a schema", () => {
	expect(Object.keys(quickItem).sort()).toEqual([...kinds].sort());
	expect(Object.keys(itemSchemas).sort()).toEqual([...kinds].sort());
});

/** The sample with some members, at any depth, replaced, removed or added. */
function mutated(sample: unknown): fc.Arbitrary<unknown> {
	if (Array.isArray(sample)) {
		return fc.oneof(fc.constant(sample), fc.array(fc.oneof(...sample.map(mutated), fc.jsonValue()), { maxLength: 3 }));
	}
	if (typeof sample !== "object" || sample === null) {
		return fc.oneof({ weight: 4, arbitrary: fc.constant(sample) }, fc.jsonValue({ maxDepth: 1 }));
	}
	const members = Object.fromEntries(Object.entries(sample).map(([name, value]) => [name, mutated(value)]));
	const record = fc.record(members, { requiredKeys: [] });
	const extra = fc.dictionary(fc.constantFrom("type", "url", "data", "reason", "extra"), fc.jsonValue({ maxDepth: 1 }));
	return fc.oneof(
		{ weight: 4, arbitrary: fc.record(members) },
		{ weight: 4, arbitrary: record },
		{ weight: 2, arbitrary: fc.tuple(record, extra).map(([own, more]) => ({ ...own, ...more })) },
		fc.jsonValue({ maxDepth: 2 }),
	);
}
