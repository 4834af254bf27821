import { expect, expectTypeOf, test } from "bun:test";
import type { z } from "zod";
import type {
	ClientInfoParams,
	FailedParams,
	LogParams,
	StageParams,
	UiConfirmParams,
	UiInputParams,
	UiNotifyParams,
	UiSelectParams,
} from "../../runtime/protocol.ts";
import type { ValidationFinding } from "../../runtime/protocol-validation.ts";
import type { ContentBlock, Items, Kind, StatusItem } from "../../runtime/records.ts";
import { itemSchemas, type paramsSchemas, type resultSchemas } from "../../runtime/schema/wire.ts";
import type { WireError } from "../../runtime/wire-error.ts";

type Params<Name extends keyof typeof paramsSchemas> = z.infer<(typeof paramsSchemas)[Name]>;

test("each schema of what a child may say infers exactly the type of the protocol", () => {
	expectTypeOf<Params<"client.info">>().toEqualTypeOf<ClientInfoParams>();
	expectTypeOf<Params<"runtime.stage">>().toEqualTypeOf<StageParams>();
	expectTypeOf<Params<"runtime.failed">>().toEqualTypeOf<FailedParams>();
	expectTypeOf<Params<"runtime.failed">["error"]>().toEqualTypeOf<WireError>();
	expectTypeOf<Params<"log">>().toEqualTypeOf<LogParams>();
	expectTypeOf<Params<"validation.found">>().toEqualTypeOf<ValidationFinding>();
	expectTypeOf<Params<"ui.notify">>().toEqualTypeOf<UiNotifyParams>();
	expectTypeOf<Params<"ui.input">>().toEqualTypeOf<UiInputParams>();
	expectTypeOf<Params<"ui.confirm">>().toEqualTypeOf<UiConfirmParams>();
	expectTypeOf<Params<"ui.select">>().toEqualTypeOf<UiSelectParams>();
	expectTypeOf<Params<"status.create">>().toEqualTypeOf<StatusItem>();
	expectTypeOf<z.infer<typeof resultSchemas.content>>().toEqualTypeOf<{ content: ContentBlock[] }>();
	type Inferred = { [K in Kind]: z.infer<(typeof itemSchemas)[K]> };
	expectTypeOf<Inferred>().toEqualTypeOf<Items>();
	expect(Object.keys(itemSchemas).sort()).toEqual(["command", "event", "link", "mode", "skill", "tool"]);
});
