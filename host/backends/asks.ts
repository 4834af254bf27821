import { failure } from "../../runtime/errors.ts";
import type { Handler, HandlerContext, Peer } from "../../runtime/peer.ts";
import { providerMethods } from "../../runtime/protocol.ts";
import type { Allowance } from "../base/allowance.ts";
import { createGate } from "../base/gate.ts";
import type { AskContext, UIProvider } from "../contracts/providers.ts";
import type { HostServices, StatusBoard } from "../contracts/services.ts";
import type { PluginSpec } from "../spec.ts";
import { parseParams } from "./door.ts";

/** What the plugin asks back is answered for this plugin, with these services. */
export interface AskParts {
	spec: PluginSpec;
	services: HostServices;
	status: StatusBoard;
	/** What may be spent on its calls in each second. */
	asking: Allowance;
	/** A dialog opened in the call with this id, or outside of one; the function it returns closes it. */
	dialog(call: number | undefined): () => void;
}

/** Serves the calls that a child makes on behalf of its plugin. Each parses what it was given, once. */
export function serveAsks(peer: Peer, { spec, services, status, asking, dialog }: AskParts): void {
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

	serveDialogs(handle, services.ui, dialog);
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
			await services.system.open(checked, context);
		});
		return {};
	});
	handle("configuration.get", (_, { signal }) =>
		files.run(async () => whenLeft(asking, signal, () => services.configuration.get(asking.spend))),
	);
	for (const method of providerMethods) {
		handle(method, async (params, context) =>
			answer(await services.member(method, await parseParams("member", params), context)),
		);
	}
}

type Handle = (method: string, handler: (params: unknown, context: AskContext) => unknown) => void;

function serveDialogs(handle: Handle, ui: UIProvider, dialog: AskParts["dialog"]): void {
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
		return answer(await whileOpen(call, () => ui.select(request, context)));
	});
}

// Files are read one after the other, so that each counts before the next; one that hangs holds up the others this long.
const fileMs = 1_000;

// An opener may run as long as what it opens.
const openersMax = 4;

/** Does work at once, or when there is time left for it; what was given up until then is not done. */
function whenLeft(asking: Allowance, signal: AbortSignal, work: () => unknown): unknown {
	const wait = asking.left();
	if (wait === undefined) return work();
	return wait.then(() => {
		signal.throwIfAborted();
		return work();
	});
}

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
