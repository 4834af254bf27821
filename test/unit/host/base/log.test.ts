import { expect, test } from "bun:test";
import { createPluginLog } from "../../../../host/base/log.ts";
import { limits } from "../../../../runtime/limits.ts";

const bounds = { ...limits.text, logEntriesMax: 3, logLineBytesMax: 10 };
const entry = (message: string) => ({ source: "plugin", level: "info", message }) as const;

test("an entry has its plugin and time, and what was added", () => {
	const log = createPluginLog("one", limits.text);
	expect(log.add(entry("hello"))).toEqual({ ...entry("hello"), plugin: "one", time: expect.any(Number) });
	expect(log.entries()).toHaveLength(1);
});

test("text of a plugin stays one line and moves no cursor", () => {
	const log = createPluginLog("one", limits.text);
	const shown = log.add(entry("a\nb\r\n\u001b[2Jc\td\u0000\u007f\u009b\u0085")).message;
	expect(shown).toBe("a\\nb\\r\\n\\u001b[2Jc\td\\u0000\\u007f\\u009b\\u0085");
});

test("a long text is cut", () => {
	expect(createPluginLog("one", bounds).add(entry("0123456789ABC")).message).toBe("0123456789…");
});

test("the oldest entries go first, and a list that somebody holds stays as it is", () => {
	const log = createPluginLog("one", bounds);
	for (const message of ["1", "2", "3"]) log.add(entry(message));
	const held = log.entries();
	log.add(entry("4"));
	expect(held.map(({ message }) => message)).toEqual(["1", "2", "3"]);
	expect(log.entries().map(({ message }) => message)).toEqual(["2", "3", "4"]);
});
