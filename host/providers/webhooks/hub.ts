import { messageOf } from "../../../runtime/errors.ts";
import type { Limits } from "../../../runtime/limits.ts";
import type { Clock } from "../../base/clock.ts";
import type { OpenWebhook, WebhookRequest } from "../../contracts/webhooks.ts";
import { explainFileError, openWebhookFile } from "./file.ts";
import { type ListenerParts, startListener, type WebhookListener } from "./listener.ts";
import { type ClaimedPort, claimPort, isListening, listenOn } from "./port.ts";
import { WebhookPump } from "./pump.ts";
import { WebhookStore } from "./store.ts";

export interface HubParts {
	file: string;
	/** Undefined for the one of last time. */
	port: number | undefined;
	/** Without a slash at its end; undefined for that of the listener. */
	publicURL: string | undefined;
	limits: Limits["webhooks"];
	clock: Clock;
	/** Milliseconds of the wall clock. */
	wall(): number;
	random(): number;
	/** Hears each time that the last webhook was closed. */
	idle(): Promise<void>;
}

/** How often to look at what other hosts have written, and at what has become due. */
const lookMs = 500;
/** Every so many looks whoever does not listen tries to: whoever did may have ended. */
const takeOverLooks = 4;
/** Every so many looks what is too old is dropped. */
const purgeLooks = 7_200;

/** The file, the listener and the deliveries of one host, while webhooks are open in it. */
export class WebhookHub {
	readonly #parts: HubParts;
	readonly #store: WebhookStore;
	readonly #pump: WebhookPump;
	readonly #listening: ListenerParts;
	readonly #requests = new Map<number, WebhookRequest>();
	readonly #plugins = new Map<number, string>();
	readonly #told = new Map<string, number>();
	#claimed: ClaimedPort = { port: 0 };
	#looks = 0;
	#cancel = () => {};
	#isTakingOver = false;

	private constructor(parts: HubParts, store: WebhookStore) {
		const { limits, clock, wall, random } = parts;
		this.#parts = parts;
		this.#store = store;
		const problem = (webhook: number | undefined, error: unknown) => this.#fileProblem(webhook, error);
		this.#pump = new WebhookPump({ store, limits, clock, wall, random, problem });
		this.#listening = { store, limits, stored: (webhook) => this.#pump.run(webhook), problem };
	}

	/** Opens the file and a way in. @throws BroodError `webhooks_unavailable` */
	static async open(parts: HubParts): Promise<WebhookHub> {
		const { file, limits, clock, wall } = parts;
		const db = openWebhookFile(file);
		const hub = new WebhookHub(parts, new WebhookStore(db, limits, { wall, steady: clock.now }));
		try {
			await hub.#inFile(async () => {
				hub.#store.purge([]);
				hub.#claimed = await claimPort({ store: hub.#store, wanted: parts.port, listen: hub.#listen });
			});
		} catch (error) {
			db.close();
			throw error;
		}
		hub.#look();
		return hub;
	}

	/** @throws BroodError `webhooks_unavailable` */
	async add(request: WebhookRequest, plugin: string): Promise<OpenWebhook> {
		const { workspaceRoot, key, headers } = request;
		const opened = await this.#inFile(() => this.#store.open(workspaceRoot, plugin, key, headers));
		const { id, path, secret } = opened;
		const url = () => `${this.#parts.publicURL ?? `http://127.0.0.1:${this.#claimed.port}`}${path}`;
		this.#requests.set(id, request);
		this.#plugins.set(id, plugin);
		const { lost } = this.#claimed;
		if (lost !== undefined) request.problem(movedText(key, lost, this.#parts.publicURL));
		this.#pump.add(id, request);
		return {
			get url() {
				return url();
			},
			secret,
			counts: () => this.#store.counts(id),
			wake: () => this.#pump.wake(id),
			close: async () => {
				// One whose place another one has taken has nothing to close.
				if (this.#requests.get(id) !== request) return;
				this.#requests.delete(id);
				this.#plugins.delete(id);
				this.#pump.remove(id);
				if (this.isIdle) await this.#parts.idle();
			},
		};
	}

	/** Whether nothing is open any more. */
	get isIdle(): boolean {
		return this.#requests.size === 0;
	}

	/** Stops listening, waits for what is under delivery, closes the file. */
	async close(): Promise<void> {
		this.#cancel();
		this.#isTakingOver = true;
		await Promise.all([this.#pump.close(), this.#claimed.listener?.close()]);
		this.#store.close();
	}

	readonly #listen = (port: number): WebhookListener => startListener(port, this.#listening);

	#look(): void {
		this.#cancel = this.#parts.clock.after(lookMs, () => {
			this.#looks += 1;
			try {
				this.#pump.look(this.#store.wasChanged());
				if (this.#looks % takeOverLooks === 0 && this.#claimed.listener === undefined) void this.#takeOver();
				if (this.#looks % purgeLooks === 0) this.#purge();
			} catch (error) {
				this.#fileProblem(undefined, error);
			}
			this.#look();
		});
	}

	/** Listens in the place of a host that has ended, or elsewhere when somebody else was faster. */
	async #takeOver(): Promise<void> {
		if (this.#isTakingOver) return;
		this.#isTakingOver = true;
		const { port } = this.#claimed;
		try {
			const listener = listenOn(port, this.#store, this.#listen);
			if (listener !== undefined) this.#claimed = { port, listener };
			else if (!(await isListening(port, this.#store.identity))) {
				const { port: wanted } = this.#parts;
				const claimed = await claimPort({ store: this.#store, wanted, listen: this.#listen });
				this.#claimed = claimed;
				if (claimed.port !== port) this.#tellAll((key) => movedText(key, port, this.#parts.publicURL));
			}
		} catch (error) {
			this.#fileProblem(undefined, error);
		} finally {
			this.#isTakingOver = false;
		}
	}

	#purge(): void {
		for (const [webhook, count] of this.#store.purge(this.#requests.keys())) {
			const request = this.#requests.get(webhook);
			request?.problem(`webhook "${request.key}": ${count} events that nobody handled in time were dropped`);
		}
	}

	async #inFile<Result>(task: () => Result | Promise<Result>): Promise<Result> {
		try {
			return await task();
		} catch (error) {
			throw this.#explained(error);
		}
	}

	#explained(error: unknown): unknown {
		const isOfTheFile = error instanceof Error && error.name === "SQLiteError";
		return isOfTheFile ? explainFileError(this.#parts.file, error) : error;
	}

	/** Told once in a while: where a disk is full, each request says so. */
	#fileProblem(webhook: number | undefined, error: unknown): void {
		const message = messageOf(this.#explained(error));
		const now = this.#parts.clock.now();
		if (now - (this.#told.get(message) ?? Number.NEGATIVE_INFINITY) < tellEveryMs) return;
		if (this.#told.size > 100) this.#told.clear();
		this.#told.set(message, now);
		const request = webhook === undefined ? undefined : this.#requests.get(webhook);
		if (request === undefined) this.#tellEachPlugin(message);
		else request.problem(`webhook "${request.key}": ${message}`);
	}

	/** Once, however many webhooks it has. */
	#tellEachPlugin(text: string): void {
		const lastOf = new Map([...this.#plugins].map(([webhook, plugin]) => [plugin, webhook]));
		for (const webhook of lastOf.values()) this.#requests.get(webhook)?.problem(text);
	}

	#tellAll(text: (key: string) => string): void {
		for (const { key, problem } of this.#requests.values()) problem(text(key));
	}
}

const tellEveryMs = 60_000;

function movedText(key: string, lost: number, publicURL: string | undefined): string {
	const what = publicURL === undefined ? "its URL has changed" : "what leads to it must lead to another port";
	return `webhook "${key}": another program has port ${lost}, so ${what}`;
}
