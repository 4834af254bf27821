import type { UIRecord } from "../../ui/recording.ts";

/** One line about a message or dialog: `confirm: Deploy? → true`; the failure of the command is not told here too. */
export function describeRecord({ kind, title, message, answer, cancelled, error }: UIRecord, failure = ""): string {
	const asked = [kind, title ?? message].filter((part) => part !== undefined).join(": ");
	if (error !== undefined) return `${asked} → failed${failure.includes(error.message) ? "" : `: ${error.message}`}`;
	if (cancelled) return `${asked} → cancelled`;
	return answer === undefined ? asked : `${asked} → ${JSON.stringify(answer)}`;
}
