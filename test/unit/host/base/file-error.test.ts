import { expect, test } from "bun:test";
import { describeFileError } from "../../../../host/base/text-file.ts";

test("what is denied is named by what was to be done", () => {
	for (const code of ["EACCES", "EPERM"]) {
		const error = Object.assign(new Error(`${code}: denied`), { code });
		expect(describeFileError(error)).toBe("permission to read it is denied");
		expect(describeFileError(error, "write")).toBe("permission to write it is denied");
	}
});
