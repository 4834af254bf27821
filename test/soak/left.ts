import { readdirSync } from "node:fs";
import { childrenOf } from "../process/support/processes.ts";

/** What a program holds at one moment. */
export interface Left {
	/** Open descriptors. */
	descriptors: number;
	/** Child processes, dead ones that nobody asked about included. */
	processes: number;
	/** Resident memory in MB. */
	memoryMB: number;
}

/** Looks at this program once what it has let go is gone. */
export async function lookAround(): Promise<Left> {
	// What ended in this turn is closed in the next ones.
	for (let round = 0; round < 3; round += 1) {
		await Bun.sleep(20);
		Bun.gc(true);
	}
	return {
		descriptors: readdirSync("/dev/fd").length,
		processes: process.platform === "linux" ? childrenOf(process.pid).length : 0,
		memoryMB: process.memoryUsage.rss() / 1024 ** 2,
	};
}
