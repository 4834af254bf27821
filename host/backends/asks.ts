import { failure } from "../../runtime/errors.ts";
import type { Limits } from "../../runtime/limits.ts";
import type { Handler, HandlerContext, Peer } from "../../runtime/peer.ts";
import type { Allowance } from "../base/allowance.ts";
import { createGate, type Gate } from "../base/gate.ts";
import { providerFailure } from "../base/provider-failure.ts";
import type { BackendEvents } from "../contracts/backend.ts";
import type { AskContext, UIProvider } from "../contracts/providers.ts";
import type { HostServices, StatusBoard } from "../contracts/services.ts";
import type { PluginSpec } from "../spec.ts";
import type { Paced } from "./ask-provider.ts";
import { createAskAgents } from "./asks-agents.ts";
import { createAskAI } from "./asks-ai.ts";
import { createAskAttachments } from "./asks-attachments.ts";
import { createAskConfiguration } from "./asks-configuration.ts";
import { createAskExecutor } from "./asks-executor.ts";
import { serveThreads } from "./asks-threads.ts";
import { createAskWebhooks } from "./asks-webhooks.ts";
import { parseParams } from "./door.ts";

/** What the plugin asks back is answered for this plugin, with these services. */
export interface AskParts {
	spec: PluginSpec;
	services: HostServices;
	status: StatusBoard;
	/** What may be spent on its calls in each second. */
	asking: Allowance;
	limits: Limits;
	/** Its log hears what went wrong on the host's side of an answer. */
	events: Pick<BackendEvents, "log">;
	/** A dialog opened in the call with this id, or outside of one; the function it returns closes it. */
	dialog(call: number | undefined): () => void;
}

/** Serves the calls that a child makes on behalf of its plugin. Each parses what it was given, once. */
export function serveAsks(peer: Peer, parts: AskParts): void {
	const { spec, services, status, asking, dialog } = parts;
	const plugin = spec.name;
	const files = createGate(1, fileMs);
	const openers = createGate(openersMax, Number.POSITIVE_INFINITY);
	const handle: Handle = (method, handler) => {
		const served: Handler = (params, { signal }: HandlerContext) => {
			const serve = () => handler(params, { plugin, signal });
			return whenLeft(asking, signal, serve);
		};
		peer.handle(method, served);
	};

	const warn = (message: string) => parts.events.log({ source: "host", level: "warn", message });
	serveDialogs(handle, services.ui, dialog, warn);
	handle("status.create", async (params) => {
		status.put(await parseParams("status.create", params));
		return {};
	});
	handle("status.update", async (params) => {
		status.update(await parseParams("status.update", params));
		return {};
	});
	handle("status.remove", async (params) => {
		status.remove((await parseParams("status.remove", params)).id);
		return {};
	});
	handle("skill.register", async (params, { signal }) => {
		const { path } = await parseParams("skill.register", params);
		return files.run(async () => whenLeft(asking, signal, () => services.readSkill(spec, path, asking.spend)));
	});
	handle("system.open", async (params, context) => {
		const { url } = await parseParams("system.open", params);
		const checked = checkedURL(url);
		await openers.run(async () => {
			context.signal.throwIfAborted();
			try {
				await services.system.open(checked, context);
			} catch (error) {
				context.signal.throwIfAborted();
				throw providerFailure(error, { provider: "system", subject: "system.open", plugin });
			}
		});
		return {};
	});
	serveConfiguration(peer, handle, parts, files);
	serveExecutor(peer, handle, parts);
	serveModels(handle, parts);
	serveThreads(peer, {
		plugin,
		handle,
		threads: services.threads,
		activeThread: services.activeThread,
		subscriptionsMax: parts.limits.wire.threadSubscriptionsMax,
		titleCharsMax: parts.limits.text.uiTextCharsMax,
		problem: warn,
	});
	serveWebhooks(handle, parts);
}

type AskHandler = (params: unknown, context: AskContext) => unknown;
type Handle = (method: string, handler: AskHandler) => void;

function serveConfiguration(peer: Peer, handle: Handle, parts: AskParts, files: Gate): void {
	const { services, asking, events, limits } = parts;
	const problem = (message: string) => events.log({ source: "host", level: "warn", message });
	const { configuration } = services;
	const own = { configuration, peer, asking, limits: limits.configuration, problem };
	const { get, update, delete: remove, subscribe } = createAskConfiguration(own);
	const inTurn =
		(work: AskHandler): AskHandler =>
		(params, context) =>
			files.run(async () => whenLeft(asking, context.signal, () => work(params, context)));
	handle("configuration.get", inTurn(get));
	handle("configuration.update", inTurn(update));
	handle("configuration.delete", inTurn(remove));
	handle("configuration.subscribe", subscribe);
}

function serveExecutor(peer: Peer, handle: Handle, { services: { executor }, limits, events }: AskParts): void {
	const problem = (message: string) => events.log({ source: "host", level: "warn", message });
	const { keepAlive, release } = createAskExecutor({ executor, peer, limits: limits.executor, problem });
	handle("executor.keepAlive", keepAlive);
	handle("executor.release", release);
}

function serveWebhooks(handle: Handle, { services: { webhooks }, limits, events }: AskParts): void {
	const problem = (message: string) => events.log({ source: "host", level: "warn", message });
	handle("webhook.create", createAskWebhooks({ webhooks, limits: limits.webhooks, problem }));
}

function serveModels(handle: Handle, { services, asking, limits, events }: AskParts): void {
	const judging = createGate(1, fileMs);
	const paced: Paced = (signal, work) =>
		judging.run(async () => whenLeft(asking, signal, () => asking.spendAwaiting(work)));
	const problem = (message: string) => events.log({ source: "host", level: "warn", message });
	const { ask, generate } = createAskAI({ provider: services.ai, limits: limits.ai, paced, problem });
	handle("ai.ask", ask);
	handle("ai.generate", generate);
	const agents = createAskAgents({ provider: services.agents, problem });
	handle("agent.run", agents.run);
	handle("agent.createThread", agents.createThread);
	const { attachments: provider } = services;
	handle("attachments.upload", createAskAttachments({ provider, limits: limits.attachments, paced, problem }));
}

function serveDialogs(handle: Handle, ui: UIProvider, dialog: AskParts["dialog"], warn: (text: string) => void): void {
	async function whileOpen<Answer>(call: number | undefined, ask: () => Promise<Answer>): Promise<Answer> {
		const close = dialog(call);
		try {
			return await ask();
		} finally {
			close();
		}
	}

	handle("ui.notify", async (params, context) => {
		const { message } = await parseParams("ui.notify", params);
		await ui.notify({ message }, context);
		return {};
	});
	handle("ui.input", async (params, context) => {
		const { call, ...request } = await parseParams("ui.input", params);
		return answer(await whileOpen(call, () => ui.input(request, context)));
	});
	handle("ui.confirm", async (params, context) => {
		const { call, fields, ...request } = await parseParams("ui.confirm", params);
		return answer(
			await whileOpen<boolean | Record<string, string> | undefined>(call, () =>
				fields === undefined ? ui.confirm(request, context) : ui.form({ ...request, fields }, context),
			),
		);
	});
	handle("ui.select", async (params, context) => {
		const { call, ...request } = await parseParams("ui.select", params);
		if (request.options.length === 0 && !request.allowOther) warn(unanswerable(request.title));
		return answer(await whileOpen(call, () => ui.select(request, context)));
	});
}

// Files are read one after the other, so that each counts before the next; one that hangs holds up the others this long.
const fileMs = 1_000;

// An opener may run as long as what it opens.
const openersMax = 4;

/** Does work at once, or when there is time left for it; what was given up until then is not done. */
function whenLeft<Result>(
	asking: Allowance,
	signal: AbortSignal,
	work: () => Result | Promise<Result>,
): Result | Promise<Result> {
	const wait = asking.left();
	if (wait === undefined) return work();
	return wait.then(() => {
		signal.throwIfAborted();
		return work();
	});
}

/** Plugins that list what there is have nothing to list at times; in Amp too that is no error. */
function unanswerable(title: string): string {
	const dialog = `ui.select ${JSON.stringify(title.slice(0, titleCharsMax))}`;
	return `${dialog} has no options and no allowOther: nobody can answer it, so it counts as cancelled`;
}

// Enough to find it in the plugin.
const titleCharsMax = 80;

function answer<Value>(value: Value | undefined): { value?: Value } {
	return value === undefined ? {} : { value };
}

function checkedURL(url: string): string {
	const parsed = URL.parse(url);
	if (parsed !== null && /^(?:https?|mailto|file):$/.test(parsed.protocol)) return parsed.href;
	throw failure("invalid_params", {
		subject: "system.open",
		reason: "a URL begins with https:, http:, mailto: or file:",
	});
}
