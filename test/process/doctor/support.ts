import { expect } from "bun:test";
import type { Finding } from "../../../host/contracts/findings.ts";
import type { createDesk, StartOptions } from "../cli/support.ts";

/** What `brood doctor --json` said. */
export interface Diagnosed {
	exitCode: number | null;
	checks: Finding[];
	/** Those of one check. */
	of(name: string): Finding[];
}

/** Makes what runs `brood doctor --json` at a desk. */
export function createDoctor(desk: ReturnType<typeof createDesk>) {
	return async (parameters: string[] = [], options: StartOptions = {}): Promise<Diagnosed> => {
		const { exitCode, stdout, stderr } = await desk.run(["doctor", "--json", ...parameters], options);
		expect(stderr).toBe("");
		const { checks }: { checks: Finding[] } = JSON.parse(stdout);
		return { exitCode, checks, of: (name) => checks.filter((check) => check.name === name) };
	};
}

/** Every name of a check, as long as plugins are loaded. */
export const checkNames = [
	"bun",
	"platform",
	"folders",
	"environment",
	"files",
	"places",
	"skipped",
	"shadowed",
	"amber",
	"permissions",
	"settings",
	"state",
	"leftovers",
	"cache",
	"plugins",
	"packages",
	"speed",
];

export const quiet = "export default () => {};\n";

// Nothing is unreadable for root, unless it gives up the right to pass over permissions.
const rights = "-dac_override,-dac_read_search";
/** What a command is started with to be refused what permissions forbid. */
export const asAnybody =
	process.getuid?.() === 0 ? ["setpriv", `--bounding-set=${rights}`, `--inh-caps=${rights}`] : [];
/** Whether permissions can forbid anything here. */
export const canBeRefused =
	asAnybody.length === 0 || (Bun.which("setpriv") !== null && Bun.spawnSync([...asAnybody, "true"]).exitCode === 0);
