import manifest from "../../package.json" with { type: "json" };
import { type Finding, finding } from "./finding.ts";

/** What brood runs on. */
export interface Surroundings {
	/** Of the program that runs. */
	bun: string;
	execPath: string;
	platform: string;
	/** Of children, as far as any was started. */
	childRuntimes: (string | null)[];
	/** How children keep plugins from the wire, as far as any was started. */
	guards: (string | null)[];
	hasShell: boolean;
}

const range = manifest.engines.bun;
/** The version that the tests of this version of brood ran under. */
const tested = range.replace(/^\D*/, "");

/** Whether this Bun, and that of children, is one that brood is made for. */
export function checkBun({ bun, execPath, childRuntimes }: Surroundings): Finding[] {
	const others = [...new Set(childRuntimes)].filter((version) => version !== null && version !== bun);
	const details = [
		{ text: `this program: Bun ${bun}, ${execPath}`, version: bun, path: execPath },
		...others.map((version) => ({ text: `children: Bun ${version}`, version: version ?? "" })),
	];
	const old = [bun, ...others].find((version) => !Bun.semver.satisfies(version ?? "", range));
	if (old !== undefined) {
		const message = `brood needs Bun ${tested} or newer, and this is Bun ${old}.`;
		return [finding("bun", "problem", message, { hint: "Bring it up to date with: bun upgrade", details })];
	}
	if (others.length > 0) {
		const message = `Plugins run under Bun ${others.join(", ")}, and the host under Bun ${bun}.`;
		return [finding("bun", "warning", message, { hint: "Give children the host's own version.", details })];
	}
	const [major, minor] = tested.split(".");
	if (!bun.startsWith(`${major}.${minor}.`)) {
		const message = `Bun ${bun} is newer than ${major}.${minor}, with which this version of brood was tested.`;
		return [finding("bun", "note", message, { details })];
	}
	const children = childRuntimes.length === 0 ? "" : ", for the host and for plugins";
	return [finding("bun", "ok", `Bun ${bun} is supported${children}.`, { details })];
}

/** Whether brood runs here, and what of it does not. */
export function checkPlatform({ platform, guards, hasShell }: Surroundings): Finding[] {
	if (platform === "win32") {
		const hint = "Use Linux or macOS, or WSL.";
		return [finding("platform", "problem", "brood does not run on Windows yet.", { hint })];
	}
	const findings: Finding[] = [];
	if (platform !== "linux" && platform !== "darwin") {
		findings.push(finding("platform", "warning", `brood is made for Linux and macOS, and this is ${platform}.`));
	}
	if (guards.includes("console")) {
		const message =
			"Descriptors cannot be moved here, so only what plugins print with console is kept away from the wire.";
		findings.push(
			finding("platform", "warning", message, { hint: "Plugins must not write to stdout by other means." }),
		);
	}
	if (!hasShell) {
		const message = "There is no /bin/sh: subprocesses of plugins may outlive a host that is killed.";
		findings.push(finding("platform", "warning", message, { hint: "Install a POSIX shell." }));
	}
	const name = platform === "darwin" ? "macOS" : "Linux";
	return findings.length > 0 ? findings : [finding("platform", "ok", `${name} is supported.`)];
}
