import type { JsonObject } from "../../runtime/records.ts";
import { secretTexts } from "../base/secret-names.ts";
import type { ConfigurationListener } from "../contracts/configuration.ts";
import type { ConfigurationService } from "../contracts/services.ts";

/** Passes everything on, and tells what a plugin is told of settings whose names say that they are secret, before it is. */
export function hearSettings(
	configuration: ConfigurationService,
	learn: (plugin: string, secret: string) => void,
): ConfigurationService {
	const { update, delete: remove, subscribe } = configuration;
	const heard = <Settings>(plugin: string, settings: Settings): Settings => {
		for (const secret of secretTexts(settings)) learn(plugin, secret);
		return settings;
	};
	const listening = (listener: ConfigurationListener, plugin: string): ConfigurationListener => ({
		next: (settings) => listener.next(heard(plugin, settings)),
		error: (reason) => listener.error(reason),
	});

	return {
		get: async (context, spend) => {
			const settings = await configuration.get(context, spend);
			return spend(() => heard(context.plugin, settings));
		},
		// What a plugin writes it may log before it is told of it again.
		...(update && {
			update: (partial: JsonObject, target, context, spend) =>
				update(
					spend(() => heard(context.plugin, partial)),
					target,
					context,
					spend,
				),
		}),
		...(remove && { delete: remove }),
		...(subscribe && {
			subscribe: (listener, context) => subscribe(listening(listener, context.plugin), context),
		}),
	};
}
