import { expect, test } from "bun:test";
import { decisiveFailure, type FailedPlugin } from "../../../../host/cli/commands/failed.ts";
import { exitCodeOf } from "../../../../host/cli/failure.ts";
import { type ErrorCode, failure } from "../../../../runtime/errors.ts";

function failed(state: "failed" | "incompatible", code: ErrorCode): FailedPlugin {
	// Only these two are looked at.
	return { state, error: failure(code, { plugin: "p" }) } as FailedPlugin;
}

test("plugins that are all incompatible mean 7, one that failed to load means 4", () => {
	const foreign = failed("incompatible", "incompatible_protocol");
	const broken = failed("failed", "load_failed");
	const exitCode = (...plugins: FailedPlugin[]) => exitCodeOf(decisiveFailure(plugins)?.error);
	expect(exitCode(foreign, foreign)).toBe(7);
	expect(exitCode(foreign, broken)).toBe(4);
	expect(decisiveFailure([])).toBeUndefined();
});
