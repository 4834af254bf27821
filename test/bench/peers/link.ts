/** The smallest peer that does the work: requests by number, in both directions. */
export interface Link {
	request(method: string, params: unknown): Promise<unknown>;
	/** Takes what the child says. */
	hear(message: Message): void;
	/** Resolves once the plugin has been loaded. */
	ready: Promise<void>;
}

export interface Message {
	id?: number;
	method?: string;
	params?: unknown;
	result?: unknown;
}

/** What a host tells a child that says hello: about as much as ours does. */
export const clientInfo = (plugin: string) => ({
	protocol: "1.0.0",
	client: { name: "bench", version: "1.0.0" },
	plugin: { name: "trivial", path: plugin, scope: "explicit" },
	workspaceRoot: null,
	ui: false,
	providers: ["configuration", "system", "threads"],
	configuration: {},
});

export function createLink(plugin: string, post: (message: unknown) => void): Link {
	const pending = new Map<number, (result: unknown) => void>();
	const ready = Promise.withResolvers<void>();
	let last = 0;
	return {
		ready: ready.promise,
		request(method, params) {
			last += 1;
			const id = last;
			post({ jsonrpc: "2.0", id, method, params });
			return new Promise((resolve) => pending.set(id, resolve));
		},
		hear({ id, method, result }) {
			if (method === "client.info") return post({ jsonrpc: "2.0", id, result: clientInfo(plugin) });
			if (method === "runtime.ready") return ready.resolve();
			if (method !== undefined || id === undefined) return;
			pending.get(id)?.(result);
			pending.delete(id);
		},
	};
}

/** Waits for the plugin and asks for all that it registered. */
export async function fetchLists(link: Pick<Link, "ready" | "request">): Promise<void> {
	await link.ready;
	await Promise.all(["command.list", "tool.list", "event.list"].map((method) => link.request(method, {})));
}

/** A call of the plugin's tool. */
export const toolCall = (text: string) => ["tool.execute", { name: "echo", input: { text } }] as const;
