/** What a hostile child plays; bytes are base64, each piece one write. */
export interface Script {
	/** Written at once, before anything is heard. */
	load: string[];
	/** What it answers when the host asks what it registered, by kind. */
	lists: Record<string, unknown[]>;
	/** It exits with this code right after. */
	exit?: number;
	/** Written before dispose is answered. */
	dispose?: string[];
	/** It does not answer dispose. */
	stays?: boolean;
	/** After each list it says that this kind has changed again. */
	restless?: boolean;
	/** It answers the first list, and no other. */
	listless?: boolean;
}

/** The tool by which a test feeds a hostile child that is ready. */
export const play = { name: "play", description: "", inputSchema: { type: "object" } };

/** What a well-behaved child says until it is ready, line by line. */
export const politeLoad = [
	line({
		id: 1,
		method: "client.info",
		params: { protocol: "1.0.0", runtimeVersion: "1", codecs: ["ndjson"], guard: "console", ms: 1 },
	}),
	line({ method: "runtime.stage", params: { stage: "import", ms: 2 } }),
	line({ method: "runtime.stage", params: { stage: "activate", ms: 3 } }),
	line({ method: "tools.changed", params: { revision: 1 } }),
	line({ method: "runtime.ready", params: { timings: { imported: 3, activated: 3, registered: 4, ready: 5 } } }),
];

/** The file of a plugin whose child plays a script; without one it behaves, and plays what its tool is told to. */
export function hostilePlugin(script: Partial<Script> = {}): string {
	const lists = { tool: [play], command: [], skill: [], event: [], mode: [], link: [] };
	return `//hostile\n${JSON.stringify({ load: politeLoad.map(base64), lists, ...script })}`;
}

export function line(message: object): string {
	return `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
}

export function base64(bytes: string | Uint8Array): string {
	return Buffer.from(bytes as string).toString("base64");
}
