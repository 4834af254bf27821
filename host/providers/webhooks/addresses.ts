import type { Limits } from "../../../runtime/limits.ts";
import type { Clock } from "../../base/clock.ts";
import type { OpenWebhook, WebhookRequest } from "../../contracts/webhooks.ts";
import { explainFileError, openWebhookFile } from "./file.ts";
import { reservePort } from "./port.ts";
import { WebhookStore } from "./store.ts";

export interface AddressesParts {
	file: string;
	/** Undefined for the one of last time. */
	port: number | undefined;
	/** Without a slash at its end; undefined for that of the port. */
	publicURL: string | undefined;
	limits: Limits["webhooks"];
	clock: Clock;
	/** Milliseconds of the wall clock. */
	wall(): number;
	/** Hears each time that the last webhook was closed. */
	idle(): Promise<void>;
}

/**
 * The webhooks of a host that receives nothing: their URLs are those that hosts have which do, and what waits is counted.
 * Nothing is listened to, and no event is touched.
 */
export class WebhookAddresses {
	readonly #parts: AddressesParts;
	readonly #store: WebhookStore;
	readonly #open = new Set<object>();

	/** @throws BroodError `webhooks_unavailable` */
	constructor(parts: AddressesParts) {
		const { file, limits, wall, clock } = parts;
		this.#parts = parts;
		this.#store = new WebhookStore(openWebhookFile(file), limits, { wall, steady: clock.now });
	}

	/** @throws BroodError `webhooks_unavailable` */
	async add({ workspaceRoot, key, headers }: WebhookRequest, plugin: string): Promise<OpenWebhook> {
		const { port, publicURL } = this.#parts;
		const [{ id, path, secret }, origin] = this.#inFile(() => [
			// So that what another host receives for this workspace is kept for it.
			this.#store.open(workspaceRoot, plugin, key, headers, false),
			publicURL ?? `http://127.0.0.1:${port ?? reservePort(this.#store)}`,
		]);
		const opened = {
			url: `${origin}${path}`,
			secret,
			counts: () => this.#store.counts(id),
			close: async () => {
				if (this.#open.delete(opened) && this.isIdle) await this.#parts.idle();
			},
		};
		this.#open.add(opened);
		return opened;
	}

	/** Whether nothing is open any more. */
	get isIdle(): boolean {
		return this.#open.size === 0;
	}

	async close(): Promise<void> {
		this.#store.close();
	}

	#inFile<Result>(task: () => Result): Result {
		try {
			return task();
		} catch (error) {
			const isOfTheFile = error instanceof Error && error.name === "SQLiteError";
			throw isOfTheFile ? explainFileError(this.#parts.file, error) : error;
		}
	}
}
