import { expect, test } from "bun:test";
import { secretTexts } from "../../../../host/base/secret-names.ts";

test.each<[unknown, string[]]>([
	[{ "weather.token": "abc", city: "def" }, ["abc"]],
	[{ token: { value: "abc", list: ["def", { deep: "ghi" }] } }, ["abc", "def", "ghi"]],
	[[{ apiKey: "abc" }], ["abc"]],
	[{ tokens: 3, secret: true, key: null, monkey: "abc", author: "def" }, []],
	[null, []],
	["token", []],
])("the secret texts of %j are %j", (settings, texts) => {
	expect(secretTexts(settings)).toEqual(texts);
});

test("settings that hold themselves have an end", () => {
	const settings: Record<string, unknown> = { token: "abc" };
	settings.self = settings;
	expect(new Set(secretTexts(settings))).toEqual(new Set(["abc"]));
});
