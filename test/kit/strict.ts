import { type BroodError, failure } from "../../runtime/errors.ts";
import type { TapFrame } from "../../runtime/tap.ts";

/** Knows what a plugin has asked for and the test has not given. */
export interface Strictness {
	/** Sees each message of the plugin. */
	observe(frame: TapFrame): void;
	/** Does what a test wants done. @throws BroodError `provider_missing` with the members, when the plugin asked meanwhile */
	during<Result>(task: () => Promise<Result>): Promise<Result>;
	/** @throws BroodError likewise, for what was asked and not told yet */
	check(): void;
}

/** @param isScripted whether dialogs are answered from a list, which must then hold an answer for each */
export function createStrictness(isScripted: boolean): Strictness {
	const refused = new Map<string, string>();

	function check(cause?: unknown): void {
		if (refused.size === 0) return;
		const members = [...refused.keys()].join(", ");
		const reason = [...refused.values()].filter(Boolean).join("; ");
		refused.clear();
		throw unserved(members, reason, cause);
	}

	return {
		observe({ direction, kind, method = "", message }) {
			if (direction !== "out" || kind !== "error") return;
			const { error } = message as { error?: { message?: string; data?: { code?: string } } };
			const code = error?.data?.code ?? "";
			if (code === "provider_missing") refused.set(memberOf(method), "");
			else if (isScripted && dialogCodes.includes(code)) refused.set(memberOf(method), error?.message ?? "");
		},
		async during(task) {
			let result: Awaited<ReturnType<typeof task>>;
			try {
				result = await task();
			} catch (error) {
				check(error);
				throw error;
			}
			check();
			return result;
		},
		check,
	};
}

/** A list of answers had none left, or one that did not fit. */
const dialogCodes = ["ui_not_available", "invalid_answer"];

/** Of a test that does not want to know. */
export const lenient: Strictness = { observe() {}, during: (task) => task(), check() {} };

function unserved(members: string, reason: string, cause: unknown): BroodError {
	return failure("provider_missing", {
		subject: members,
		...(reason === "" ? {} : { reason }),
		hint: "Give testPlugin what it needs (ui, ai, agents, …), or strict: false to let the plugin alone know.",
		...(cause === undefined ? {} : { cause }),
	});
}

/** The member of the API behind a call on the wire. */
function memberOf(method: string): string {
	return `amp.${apiNames[method] ?? method}`;
}

const apiNames: Record<string, string> = {
	"agent.run": "createAgent(…).run",
	"agent.createThread": "createAgent(…).createThread",
	"executor.keepAlive": "system.executor.keepAlive",
	"webhook.create": "createWebhook",
};
