import { expect, expectTypeOf, test } from "bun:test";
import type { z } from "zod";
import type { PluginAPI } from "../../child/plugin.ts";
import { createHost } from "../../host/index.ts";
import type { ConfigurationDeleteParams, ConfigurationUpdateParams } from "../../runtime/protocol-providers.ts";
import type { paramsSchemas } from "../../runtime/schema/wire.ts";

type Params<Name extends keyof typeof paramsSchemas> = z.infer<(typeof paramsSchemas)[Name]>;

/** Compiled, never run: each line is a claim about what authors and embedders may write. */
async function _claims({ configuration }: PluginAPI): Promise<void> {
	expectTypeOf<Params<"configuration.update">>().toEqualTypeOf<ConfigurationUpdateParams>();
	expectTypeOf<Params<"configuration.delete">>().toEqualTypeOf<ConfigurationDeleteParams>();
	expectTypeOf(await configuration.get()).toEqualTypeOf<Record<string, unknown>>();
	await configuration.update({ a: 1 }, "global");
	// @ts-expect-error there is no such target
	await configuration.delete("a", "machine");
	configuration.subscribe((settings) => expectTypeOf(settings).toEqualTypeOf<Record<string, unknown>>()).unsubscribe();
	expectTypeOf(configuration.pipe(() => 1)).toEqualTypeOf<number>();
	await createHost({ providers: { configuration: { get: async () => ({}) } } });
	// @ts-expect-error without get there are no settings
	await createHost({ providers: { configuration: { update: async () => {} } } });
}

test("the claims about the types of settings compile", () => {
	expect(typeof _claims).toBe("function");
});
