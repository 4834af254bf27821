import { expect, test } from "bun:test";
import { messageOf } from "../../../runtime/errors.ts";
import { limits, withOverrides } from "../../../runtime/limits.ts";

/** What is wrong with limits that a host was given. */
function refusal(overrides: unknown): { code: unknown; message: string } {
	try {
		withOverrides(overrides as never);
	} catch (error) {
		return { code: (error as { code?: unknown }).code, message: messageOf(error) };
	}
	throw new Error("nothing was wrong");
}

test("without a bound of the host's own all are the defaults, and a bound lays itself over its default alone", () => {
	expect(withOverrides()).toEqual(limits);
	const { wire, ...others } = withOverrides({ wire: { lineBytesMax: Number.POSITIVE_INFINITY } });
	expect(wire).toEqual({ ...limits.wire, lineBytesMax: Number.POSITIVE_INFINITY });
	expect({ ...others, wire: limits.wire }).toEqual(limits);
	expect(withOverrides({ restart: { delaysMs: [0] } }).restart.delaysMs).toEqual([0]);
});

test("undefined leaves the default, of a bound and of a group", () => {
	expect(withOverrides({ wire: { lineBytesMax: undefined }, load: undefined } as never)).toEqual(limits);
});

test.each([
	[{ foo: { bar: 1 } }, 'limits has no "foo"; it has wire, load, call, stop, liveness, restart, reload, text'],
	[{ wire: { lineBytesMaxx: 5 } }, 'limits.wire has no "lineBytesMaxx"; it has lineBytesMax, '],
	[{ stop: { constructor: 5 } }, 'limits.stop has no "constructor"; it has disposeMs, interruptMs, drainMs'],
	[{ toString: {} }, 'limits has no "toString"'],
	[{ wire: { lineBytesMax: [5] } }, "limits.wire.lineBytesMax is a number of at least 0, not a list of 1"],
	[{ wire: { lineBytesMax: "5" } }, "limits.wire.lineBytesMax is a number of at least 0, not 5"],
	[{ wire: { lineBytesMax: null } }, "limits.wire.lineBytesMax is a number of at least 0, not null"],
	[{ wire: { lineBytesMax: -1 } }, "limits.wire.lineBytesMax is a number of at least 0, not -1"],
	[{ wire: { lineBytesMax: Number.NaN } }, "limits.wire.lineBytesMax is a number of at least 0, not NaN"],
	[{ restart: { delaysMs: 5 } }, "limits.restart.delaysMs is a list of one or more numbers of at least 0, not 5"],
	[{ restart: { delaysMs: [] } }, "not a list of 0"],
	[{ restart: { delaysMs: [1, "2"] } }, "limits.restart.delaysMs is a list of one or more numbers"],
	[{ wire: 5 }, "limits.wire is an object, not 5"],
	[{ wire: [1] }, "limits.wire is an object, not a list of 1"],
	[7, "limits is an object, not 7"],
	[null, "limits is an object, not null"],
])("%j is refused as a mistake in use", (overrides, message) => {
	expect(refusal(overrides)).toEqual({ code: "usage", message: expect.stringContaining(message) });
});
