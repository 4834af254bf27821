import { InvalidArgumentError } from "commander";
import { failure } from "../../runtime/errors.ts";
import type { DevOptions } from "./commands/dev.ts";
import type { InspectAddress } from "./commands/dev-inspector.ts";
import { examples, type Prepared } from "./prepared.ts";

/** The command in which plugins are written. */
export function addDev({ program, finish }: Prepared): void {
	program
		.command("dev")
		.description("run plugins and load them anew as their files change, and tell what came of it")
		.argument(
			"[path...]",
			"a plugin file, a directory plugin or a folder of plugins, or where there is no such path the name of a plugin; all places when left out",
		)
		.option("--no-warm", "keep no process ready for the next reload")
		.option("--inspect <plugin>", "open Bun's debugger in this plugin, which has no deadlines then")
		.option("--inspect-brk <plugin>", "the same, and each process of it waits for the debugger and stops at once")
		.option("--inspect-at <address>", "where a debugger connects, as HOST:PORT/PATH, HOST:PORT or PORT", toAddress)
		.addHelpText(
			"after",
			devHelp + examples("brood dev", "brood dev ./hello.ts", "brood dev --inspect hello", "brood dev --json"),
		)
		.action((paths: string[], own: DevOptions) =>
			finish("dev", async (context) => {
				if (paths.includes("")) throw failure("usage", { reason: "A path is not empty" });
				if (own.inspect !== undefined && own.inspectBrk !== undefined) {
					throw failure("usage", { reason: "--inspect and --inspect-brk exclude each other" });
				}
				if (own.inspectAt !== undefined && own.inspect === undefined && own.inspectBrk === undefined) {
					throw failure("usage", { reason: "--inspect-at belongs to --inspect and --inspect-brk" });
				}
				return (await import("./commands/dev.ts")).dev(context, paths, own);
			}),
		);
}

function toAddress(text: string): InspectAddress {
	const address = parseAddress(text);
	if (address === undefined)
		throw new InvalidArgumentError("Give HOST:PORT, and /PATH behind it if you like, or PORT.");
	return address;
}

/** Reads `PORT`, `HOST:PORT` or `HOST:PORT/PATH`; undefined for what is none of them. */
function parseAddress(text: string): InspectAddress | undefined {
	const [, bracketed, plain, digits = "", path] =
		/^(?:(?:\[([\da-f:]+)\]|([\w.-]+)):)?(\d+)(?:\/([\w-]+))?$/i.exec(text) ?? [];
	const port = Number(digits);
	if (digits === "" || port > 65_535) return undefined;
	return { hostname: bracketed ?? plain ?? "127.0.0.1", port, ...(path === undefined ? {} : { path }) };
}

const devHelp = `
A line each: the time, what became of the plugin, the files that changed, the time from save to live and what it registers
now (+), no more (-) or in another way (~). kept: the new version failed, and the old one still serves. lost: a plugin that
comes first has a name too that this one registers. In a terminal keys reload, call, emit and show logs; h tells them.
Webhooks are received. With --json each line is an object with event (ready, reload, kept, failed or removed), plugin, ms,
files (absolute), added, removed, changed, and error where there is one; one with event lost has plugin, removed and to.
q ends it with 0 and Ctrl-C with 130, both without a word; it ends too, with 0, when whoever reads its lines has gone.
A debugger connects to one address for all processes of its plugin; a port that is given must be free.
`;
