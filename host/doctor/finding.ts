import type { Finding, FindingStatus } from "../contracts/findings.ts";

export type { Finding, FindingDetail } from "../contracts/findings.ts";

type More = Partial<Pick<Finding, "hint" | "details">>;

/** Makes a finding; empty details are left out. */
export function finding(
	name: string,
	status: FindingStatus,
	message: string,
	{ hint, details = [] }: More = {},
): Finding {
	return {
		name,
		status,
		message,
		...(hint === undefined ? {} : { hint }),
		...(details.length === 0 ? {} : { details }),
	};
}

/** The findings, or where there are none the one that says that all is in order. */
export function orElse(findings: Finding[], name: string, message: string): Finding[] {
	return findings.length > 0 ? findings : [finding(name, "ok", message)];
}

/** "1 plugin", "3 plugins". */
export function count(number: number, noun: string, plural = `${noun}s`): string {
	return `${number} ${number === 1 ? noun : plural}`;
}

/** A path as a shell takes it. */
export function quote(path: string): string {
	return /^[\w./@+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
