import { failure, messageOf } from "../../runtime/errors.ts";
import type { Limits } from "../../runtime/limits.ts";
import type { Peer } from "../../runtime/peer.ts";
import type { KeepAlive } from "../../runtime/protocol-providers.ts";
import { wrongAnswer } from "../base/provider-failure.ts";
import type { AskContext } from "../contracts/ask-context.ts";
import type { ExecutorProvider, KeptAlive } from "../contracts/executor.ts";
import { askProvider } from "./ask-provider.ts";
import { parseParams } from "./door.ts";

export interface AskExecutorParts {
	executor: ExecutorProvider;
	peer: Pick<Peer, "closed">;
	limits: Limits["executor"];
	problem(message: string): void;
}

/** Answers `executor.keepAlive`; what a process of the plugin keeps alive is released by its wish or with its end. */
export function createAskExecutor({ executor, peer, limits, problem }: AskExecutorParts) {
	const kept = new Map<number, KeptAlive>();
	let opening = 0;
	let lastId = 0;
	void peer.closed.then(() => {
		for (const one of kept.values()) void release(one);
		kept.clear();
	});

	async function release(one: KeptAlive): Promise<void> {
		try {
			await one.unsubscribe();
		} catch (error) {
			problem(`the executor provider failed to release what was kept alive: ${messageOf(error)}`);
		}
	}

	/** Asks the provider; what it gives when nobody waits for it any more is released. */
	async function open(context: AskContext): Promise<KeptAlive> {
		if (executor.keepAlive === undefined) throw notManaged(executor, context);
		let given: Promise<KeptAlive> | undefined;
		const ask = async (within: AskContext) => checked(await executor.keepAlive?.(within), within);
		try {
			return await askProvider({ provider, subject, context, ms: limits.answerMs, problem }, (within) => {
				given = ask(within);
				return given;
			});
		} catch (error) {
			given?.then(release, () => {});
			throw error;
		}
	}

	return {
		async keepAlive(_: unknown, context: AskContext): Promise<KeepAlive> {
			if (kept.size + opening >= limits.keepAlivesMax) throw tooMany(context, limits.keepAlivesMax);
			opening += 1;
			const one = await open(context).finally(() => {
				opening -= 1;
			});
			if (context.signal.aborted) {
				void release(one);
				throw context.signal.reason;
			}
			lastId += 1;
			kept.set(lastId, one);
			return { id: lastId };
		},
		/** One that was released already is no mistake. */
		async release(params: unknown): Promise<Record<string, never>> {
			const { id } = await parseParams("executor.release", params);
			const one = kept.get(id);
			kept.delete(id);
			if (one !== undefined) await release(one);
			return {};
		},
	};
}

const provider = "executor";
const subject = "system.executor.keepAlive";

function notManaged({ kind }: ExecutorProvider, { plugin }: AskContext): Error {
	const reason = `it runs no managed remote: system.executor.kind is "${kind}"`;
	const hint = "A host that does can pass providers.executor with keepAlive to createHost.";
	return failure("provider_missing", { plugin, subject, reason, hint });
}

function tooMany({ plugin }: AskContext, max: number): Error {
	return failure("busy", { plugin, subject, reason: `a plugin keeps at most ${max} alive at a time` });
}

function checked(given: unknown, { plugin }: AskContext): KeptAlive {
	const { unsubscribe } = Object(given);
	if (typeof unsubscribe === "function") return given as KeptAlive;
	throw wrongAnswer({ provider, subject, plugin }, "keepAlive gives an object with unsubscribe");
}
