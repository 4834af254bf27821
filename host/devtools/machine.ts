import { cpus, release, type } from "node:os";
import manifest from "../../package.json" with { type: "json" };

/** Where and with what a measurement was made. */
export interface MachineRecord {
	/** The model of the processor, as the system calls it. */
	cpu: string;
	/** How many threads it runs at once. */
	cores: number;
	/** The system and its version. */
	os: string;
	arch: string;
	bun: string;
	brood: string;
}

export function describeMachine(): MachineRecord {
	const model = cpus()[0]?.model.trim().replace(/\s+/g, " ");
	return {
		cpu: model === undefined || model === "" ? "unknown" : model,
		cores: navigator.hardwareConcurrency,
		os: `${type()} ${release()}`,
		arch: process.arch,
		bun: Bun.version,
		brood: manifest.version,
	};
}
