/**
 * The contract `brood/child`: imported first by a program that embeds a host and is compiled to one binary.
 * Started as a child, that program becomes one here; nothing that it imports or runs after this line acts.
 */
import { childSwitch, childSwitchInstalled } from "../runtime/protocol.ts";
import { Halt } from "./crash.ts";
import { startChild } from "./main.ts";

Object.defineProperty(globalThis, childSwitchInstalled, { value: true, configurable: true });

if (process.argv[2] === childSwitch) {
	void startChild();
	// Without top-level await, which bytecode refuses, a throw is the one way to stop the importing program.
	throw new Halt();
}
