import { failure } from "../../runtime/errors.ts";
import type { Handler, HandlerContext, Peer } from "../../runtime/peer.ts";
import { providerMethods } from "../../runtime/protocol.ts";
import type { AskContext } from "../contracts/providers.ts";
import type { HostServices, StatusBoard } from "../contracts/services.ts";
import type { PluginSpec } from "../spec.ts";
import { parseParams } from "./door.ts";

/** What the plugin asks back is answered for this plugin, with these services. */
export interface AskParts {
	spec: PluginSpec;
	services: HostServices;
	status: StatusBoard;
	/** A dialog opened in the call with this id, or outside of one; the function it returns closes it. */
	dialog(call: number | undefined): () => void;
}

/** Serves the calls that a child makes on behalf of its plugin. Each parses what it was given, once. */
export function serveAsks(peer: Peer, { spec, services, status, dialog }: AskParts): void {
	const plugin = spec.name;
	const handle = (method: string, handler: (params: unknown, context: AskContext) => unknown) => {
		const served: Handler = (params, { signal }: HandlerContext) => handler(params, { plugin, signal });
		peer.handle(method, served);
	};

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
		await services.ui.notify({ message }, context);
		return {};
	});
	handle("ui.input", async (params, context) => {
		const { call, ...request } = await parseParams("ui.input", params);
		return answer(await whileOpen(call, () => services.ui.input(request, context)));
	});
	handle("ui.confirm", async (params, context) => {
		const { call, fields, ...request } = await parseParams("ui.confirm", params);
		return answer(
			await whileOpen<boolean | Record<string, string> | undefined>(call, () =>
				fields === undefined
					? services.ui.confirm(request, context)
					: services.ui.form({ ...request, fields }, context),
			),
		);
	});
	handle("ui.select", async (params, context) => {
		const { call, ...request } = await parseParams("ui.select", params);
		return answer(await whileOpen(call, () => services.ui.select(request, context)));
	});
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
	handle("skill.register", async (params) => {
		const { path } = await parseParams("skill.register", params);
		return services.readSkill(spec, path);
	});
	handle("system.open", async (params, context) => {
		const { url } = await parseParams("system.open", params);
		await services.system.open(checkedURL(url), context);
		return {};
	});
	handle("configuration.get", () => services.configuration.get());
	for (const method of providerMethods) {
		handle(method, async (params, context) =>
			answer(await services.member(method, await parseParams("member", params), context)),
		);
	}
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
