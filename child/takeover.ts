/**
 * The contract `brood/child`: imported first by a program that embeds a host and is compiled to one binary.
 * Started as a child, that program becomes one here; nothing that it imports or runs after this line acts.
 */
import type { InstalledChild } from "../runtime/installed-child.ts";
import { childSwitch, childSwitchInstalled } from "../runtime/protocol.ts";
import { halt } from "./crash.ts";
import { startChild } from "./main.ts";

const installed: InstalledChild = {
	carried() {
		try {
			// The package has these files, and `bun build --compile` puts them into the program; a checkout does without.
			return { sources: require("../dist/child.sources"), print: require("../dist/child-print.json").print };
		} catch {
			return undefined;
		}
	},
};
Object.defineProperty(globalThis, childSwitchInstalled, { value: installed, configurable: true });

if (process.argv[2] === childSwitch) {
	void startChild();
	// Without top-level await, which bytecode refuses, a throw is the one way to stop the importing program.
	throw Object.assign(new Error("this process is a plugin's child; its program stops here"), {
		name: "Halt",
		[halt]: true,
	});
}
