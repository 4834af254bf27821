/** The smallest peer that does the work: requests by number, in both directions. */
export interface Link {
	request(method: string, params: unknown): Promise<unknown>;
	/** Takes what the child says. */
	hear(message: Message): void;
	/** Resolves once the plugin has been loaded, and what it registered is here. */
	ready: Promise<void>;
}

export interface Message {
	id?: number;
	method?: string;
	params?: unknown;
	result?: unknown;
	error?: unknown;
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
	const pending = new Map<number, PromiseWithResolvers<unknown>>();
	const ready = Promise.withResolvers<void>();
	let last = 0;
	return {
		ready: ready.promise,
		request(method, params) {
			last += 1;
			const id = last;
			post({ jsonrpc: "2.0", id, method, params });
			const answer = Promise.withResolvers<unknown>();
			pending.set(id, answer);
			return answer.promise;
		},
		hear({ id, method, result, error }) {
			if (method === "client.info") return post({ jsonrpc: "2.0", id, result: clientInfo(plugin) });
			if (method === "runtime.ready") return ready.resolve();
			if (method !== undefined || id === undefined) return;
			if (error === undefined) pending.get(id)?.resolve(result);
			else pending.get(id)?.reject(error);
			pending.delete(id);
		},
	};
}

/** A call of the plugin's tool. */
export const toolCall = (text: string) => ["tool.execute", { name: "echo", input: { text } }] as const;
