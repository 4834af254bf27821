/** Plugins that are hard to end, each with what it starts. All tell of their processes once. */

/** Starts subprocesses in every way that ends with the plugin; must be called in an async function of a plugin. */
const family = `
import { spawn } from "node:child_process";
async function startFamily() {
	const started = [
		Bun.spawn(["sleep", "600"]),
		spawn("sleep", ["600"], { stdio: "ignore" }),
		Bun.spawn(["sleep", "600"], { detached: true }),
		spawn("sleep", ["600"], { detached: true, stdio: "ignore" }),
	];
	const shell = Bun.spawn(["sh", "-c", "trap '' INT TERM HUP; sleep 600 & echo $!; wait"], { stdout: "pipe" });
	const { value } = await shell.stdout.getReader().read();
	return [process.pid, ...started.map(({ pid }) => pid), shell.pid, Number(new TextDecoder().decode(value))];
}
const announce = (pids) => console.error("pids " + JSON.stringify(pids));
`;

const noteTo = (file: string) => `
import { appendFileSync } from "node:fs";
const note = (text) => appendFileSync(${JSON.stringify(file)}, text + "\\n");
`;

/** Notes its dispose and the SIGINT that follows it. */
export const calm = (notes: string) => `${family}${noteTo(notes)}
export default async (amp) => {
	process.on("SIGINT", () => { note("SIGINT"); process.exit(0); });
	amp.onDispose(async () => { note("disposing"); await Bun.sleep(50); note("disposed"); });
	announce(await startFamily());
};`;

/** Blocks its loop for ever once its command \`spin\` was run. */
export const spinning = `${family}
export default async (amp) => {
	const pids = await startFamily();
	amp.registerCommand("spin", { title: "Spin" }, () => {
		setTimeout(() => { announce(pids); for (;;); });
	});
};`;

/** Wants to hear no signal, and never settles its dispose. */
export const deaf = `${family}
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
export default async (amp) => {
	amp.onDispose(() => new Promise(() => {}));
	announce(await startFamily());
};`;

/** Hangs in its first load. */
export const hanging = (notes: string) => `${family}${noteTo(notes)}
export default async (amp) => {
	amp.onDispose(() => note("disposed"));
	announce(await startFamily());
	await new Promise(() => {});
};`;

/** Hangs in its second load; its command \`crash\` brings that about. */
export const hangingLater = (mark: string, command = "crash") => `${family}
import { existsSync, writeFileSync } from "node:fs";
export default async (amp) => {
	amp.registerCommand(${JSON.stringify(command)}, { title: "Crash" }, () => process.exit(1));
	const again = existsSync(${JSON.stringify(mark)});
	writeFileSync(${JSON.stringify(mark)}, "");
	announce(await startFamily());
	if (again) await new Promise(() => {});
};`;

/** Nothing of its own. */
export const idle = `export default () => console.error("pids " + JSON.stringify([process.pid]));`;
