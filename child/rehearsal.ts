import { createAmp } from "./amp.ts";
import { createRegistry } from "./registry.ts";
import type { Session } from "./session.ts";

/**
 * Plays a load with nobody on the other side, in a process that waits for its plugin: what runs for the first time takes
 * several times as long. Nothing of it is left but what the engine has learnt.
 */
export async function rehearse(session: Session): Promise<void> {
	const registry = createRegistry(() => {});
	const api = createAmp({ ...session, registry, notify() {}, log() {} });
	api.registerTool({ name: "a", description: "", inputSchema: { type: "object" }, execute: () => "" });
	api.registerCommand("a", { title: "a" }, () => {});
	api.on("tool.call", () => {});
	new TextDecoder().decode(new TextEncoder().encode(JSON.stringify(registry.listAll())));
	await import(rehearsedPlugin);
}

/** A bundle has a file for this, which Bun reads and translates like a plugin. */
const rehearsedPlugin = Bun.main.endsWith("/entry.js")
	? Bun.main.replace("entry.js", "rehearsed.ts")
	: "data:text/javascript,export default 0";
