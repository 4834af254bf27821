import { expect, test } from "bun:test";
import { parseJsonc } from "../../../../host/base/jsonc.ts";

test.each([
	"{}",
	' [ 1 , "a" , null , { "b" : [ ] } ] \n',
	"[]",
	"[ ]",
	"{ }",
	"1",
	"",
	"[1,]",
	"[,]",
	"[ , ]",
	'{ "a": 1, }',
	"{ , }",
	"[1, /* one */ 2]",
	"// one\n{}",
	"{} // one",
	"[1 2]",
	"{a: 1}",
	"[[1,2,],3]",
])("read strictly, %j is JSON only where JSON.parse says so", (text) => {
	const outcome = (parse: () => unknown) => {
		try {
			return { value: parse() };
		} catch {
			return "none";
		}
	};
	expect(outcome(() => parseJsonc(text, { strict: true }))).toEqual(outcome(() => JSON.parse(text)));
});
