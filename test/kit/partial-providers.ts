import type { Providers } from "../../host/contracts/providers.ts";
import { requiredMethods } from "../../host/host-options.ts";
import { failure } from "../../runtime/errors.ts";

/** A whole provider of the members that a test gave; what is left out fails by its name when a plugin needs it. */
export function completeProvider<Name extends keyof Providers>(
	name: Name,
	given: object = {},
): NonNullable<Providers[Name]> {
	const required: readonly PropertyKey[] = requiredMethods[name];
	const others: Record<PropertyKey, unknown> = defaults[name] ?? {};
	// No copy, which would lose the methods of a class and what a test changes later.
	const whole: unknown = new Proxy(others, {
		has: (_, key) => key in others || key in given || required.includes(key),
		get(_, key) {
			const value: unknown = Reflect.get(given, key);
			if (typeof value === "function") return value.bind(given);
			if (value !== undefined) return value;
			return key in others || !required.includes(key) ? others[key] : unserved(name, String(key));
		},
	});
	return whole as NonNullable<Providers[Name]>;
}

/** Of nothing that changes nobody has to hear. */
const subscribe = () => ({ unsubscribe() {} });

/** What a provider does that a test need not give. */
const defaults: { [Name in keyof Providers]?: Record<PropertyKey, unknown> } = {
	ui: { available: true },
	executor: { kind: "local" },
	threads: { activeThread: { current: null, subscribe }, subscribe },
};

function unserved(provider: keyof Providers, method: string) {
	const subject = provider === "webhooks" ? "createWebhook" : `${apiNames[provider] ?? provider}.${method}`;
	return (...given: [...unknown[], { plugin: string }]): never => {
		const context = given.at(-1) as { plugin: string };
		throw failure("provider_missing", { plugin: context.plugin, subject });
	};
}

/** Those of the API, where they are others. */
const apiNames: { [Name in keyof Providers]?: string } = { agents: "createAgent(…)", threads: "thread" };
