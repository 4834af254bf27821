/** The smallest peer that does the work: requests by number, in both directions. */
export interface Link {
	request(method: string, params: unknown): Promise<unknown>;
	/** Takes what the child says. */
	hear(message: Message): void;
	/** Resolves with what the plugin has registered, once it has been loaded. */
	ready: Promise<Ready>;
}

/** What a child says when its plugin has been loaded. */
export interface Ready {
	lists: Record<"tools" | "commands" | "events", object[]>;
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
	const ready = Promise.withResolvers<Ready>();
	let last = 0;
	return {
		ready: ready.promise,
		request(method, params) {
			last += 1;
			const id = last;
			post({ jsonrpc: "2.0", id, method, params });
			const asked = Promise.withResolvers<unknown>();
			pending.set(id, asked);
			return asked.promise;
		},
		hear({ id, method, params, result, error }) {
			if (method === "client.info") return post({ jsonrpc: "2.0", id, result: clientInfo(plugin) });
			if (method === "runtime.ready") return ready.resolve(params as Ready);
			if (method !== undefined || id === undefined) return;
			const asked = pending.get(id);
			pending.delete(id);
			if (error === undefined) asked?.resolve(result);
			else asked?.reject(new Error(`the child refused: ${JSON.stringify(error)}`));
		},
	};
}

/** Waits for the plugin. @throws Error when it has not registered what each plugin of the bench does */
export async function registered(ready: Promise<Ready>): Promise<void> {
	const { lists } = await ready;
	const counts = [lists.tools, lists.commands, lists.events].map(({ length }) => length);
	if (counts.some((count) => count !== 1))
		throw new Error(`the child has registered ${counts.join(", ")} instead of one each`);
}

/** A call of the plugin's tool. */
export const toolCall = (text: string) => ["tool.execute", { name: "echo", input: { text } }] as const;

/** What the tool gave. */
export async function contentOf(answer: Promise<unknown>): Promise<string> {
	return (await (answer as Promise<{ content: string }>)).content;
}
