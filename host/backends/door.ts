import { failure, messageOf } from "../../runtime/errors.ts";
import type { Limits } from "../../runtime/limits.ts";
import { messageDepthMax } from "../../runtime/limits.ts";
import type { LinkMatch } from "../../runtime/protocol.ts";
import type { ContentBlock, Items, Json, Kind } from "../../runtime/records.ts";
import { quick, quickItem, quickList, quickParams } from "../../runtime/schema/quick.ts";
import type { itemSchemas, paramsSchemas, resultSchemas } from "../../runtime/schema/wire.ts";
import { isHeavier } from "../base/weight.ts";

/**
 * The host's door: whatever a child says passes here once, and is trusted after.
 * What a well-behaved child says while it loads passes without zod; the rest is judged, and explained, by zod.
 */
type Params = { [Name in keyof typeof paramsSchemas]: ReturnType<(typeof paramsSchemas)[Name]["parse"]> };

type QuickName = keyof typeof quickParams;

/** Parses the parameters of a call from the child. @throws BroodError `invalid_params` */
export async function parseParams<Name extends keyof Params>(name: Name, value: unknown): Promise<Params[Name]> {
	const quickly: ((value: unknown) => boolean) | undefined =
		name in quickParams ? quickParams[name as QuickName] : undefined;
	if (quickly?.(value)) return value as Params[Name];
	const { paramsSchemas, explain } = await schemas();
	const parse = () => paramsSchemas[name].safeParse(light(value));
	return orRefuse(parse, explain, "invalid_params", name) as Params[Name];
}

/** Parses a listing; an item that is wrong is told of and left out, its siblings stay. */
export async function parseList<K extends Kind>(
	kind: K,
	value: unknown,
	{ itemsMax, handlersPerEventMax }: Pick<Limits["wire"], "itemsMax" | "handlersPerEventMax">,
	refused: (reason: string) => void,
): Promise<Items[K][]> {
	if (!quickList(value)) {
		const { resultSchemas, explain } = await schemas();
		orRefuse(() => resultSchemas.list.safeParse(light(value)), explain, "invalid_answer", `${kind}.list`);
		return [];
	}
	const items: Items[K][] = [];
	let wrong = 0;
	for (const [index, item] of value.items.slice(0, itemsMax).entries()) {
		const given: unknown = item;
		if (quickItem[kind](given)) items.push(given);
		else if (++wrong <= explainedMax)
			refused(`item ${index} of ${kind}.list was left out: ${await whyNot(kind, given)}`);
	}
	if (wrong > explainedMax) refused(`${wrong - explainedMax} more items of ${kind}.list were left out`);
	if (value.items.length > itemsMax)
		refused(`${kind}.list was cut: it has ${value.items.length} items of ${itemsMax} allowed`);
	return kind === "event" ? items.filter(fewPerEvent(handlersPerEventMax, refused)) : items;
}

/** The items of a listing in which nothing is wrong; undefined for any other, which `parseList` explains. */
export function plainList<K extends Kind>(
	kind: K,
	value: unknown,
	{ itemsMax, handlersPerEventMax }: Pick<Limits["wire"], "itemsMax" | "handlersPerEventMax">,
	refused: (reason: string) => void,
): Items[K][] | undefined {
	if (!quickList(value) || value.items.length > itemsMax) return undefined;
	const items: Items[K][] = [];
	for (const item of value.items) {
		const given: unknown = item;
		if (!quickItem[kind](given)) return undefined;
		items.push(given);
	}
	return kind === "event" ? items.filter(fewPerEvent(handlersPerEventMax, refused)) : items;
}

/** Loads what explains mistakes, ahead of the first one. */
export async function loadExplanations(): Promise<void> {
	await schemas();
}

/** Lets the first handlers of each event pass. */
function fewPerEvent(max: number, refused: (reason: string) => void): (item: object) => boolean {
	const counts = new Map<unknown, number>();
	return (item) => {
		const name = "name" in item ? item.name : undefined;
		const count = (counts.get(name) ?? 0) + 1;
		counts.set(name, count);
		if (count === max + 1) refused(`its handlers of ${name} beyond the first ${max} were left out`);
		return count <= max;
	};
}

// Each explanation costs more than the item; who made these mistakes knows the rest by then.
const explainedMax = 20;

/** Parses the answer of a tool, which is named by `subject`; at once unless it is odd. @throws BroodError `invalid_answer` */
export function parseContent(value: unknown, subject: string): Content | Promise<Content> {
	return quick.content(value) ? value : parseResult("content", value, subject);
}

type Content = { content: ContentBlock[] };

/** Parses the answer to event.dispatch. @throws BroodError `invalid_answer` */
export async function parseAnswer(value: unknown): Promise<{ answer?: Json }> {
	return quick.answer(value) ? value : parseResult("answer", value, "event.dispatch");
}

/** Parses the answer to link.resolve. @throws BroodError `invalid_answer` */
export async function parseLinks(value: unknown): Promise<LinkMatch[]> {
	return (await parseResult("links", value, "link.resolve")).matches;
}

/** Parses the answer to module.list. @throws BroodError `invalid_answer` */
export async function parseModules(value: unknown): Promise<string[]> {
	return (await parseResult("modules", value, "module.list")).modules;
}

type Results = { [Name in keyof typeof resultSchemas]: ReturnType<(typeof resultSchemas)[Name]["parse"]> };

async function parseResult<Name extends keyof Results>(
	name: Name,
	value: unknown,
	subject: string,
): Promise<Results[Name]> {
	const { resultSchemas, explain } = await schemas();
	const parse = () => resultSchemas[name].safeParse(light(value));
	return orRefuse(parse, explain, "invalid_answer", subject) as Results[Name];
}

async function whyNot(kind: keyof typeof itemSchemas, value: unknown): Promise<string> {
	const { itemSchemas, explain } = await schemas();
	const result = parsedOrReason(() => itemSchemas[kind].safeParse(light(value)));
	if (typeof result === "string") return result;
	return result.success ? "it is not what it should be" : explain(result.error);
}

// zod costs more to load than a child needs to start, so it loads when something has to be explained.
function schemas(): Promise<Schemas> {
	// Several imports at once settle in any order, and dialogs asked in one turn would change places.
	loading ??= import("../../runtime/schema/wire.ts");
	return loading;
}

type Schemas = typeof import("../../runtime/schema/wire.ts");

let loading: Promise<Schemas> | undefined;

type Explain = Schemas["explain"];
type Parsed = { success: true; data: unknown } | { success: false; error: Parameters<Explain>[0] };

function orRefuse(
	parse: () => Parsed,
	explain: Explain,
	code: "invalid_params" | "invalid_answer",
	subject: string,
): unknown {
	const result = parsedOrReason(parse);
	if (typeof result === "string") throw failure(code, { subject, reason: result });
	if (!result.success) throw failure(code, { subject, reason: explain(result.error) });
	return result.data;
}

/** A value that zod may walk: it takes a hundred times as long as reading did. */
function light(value: unknown): unknown {
	if (!isHeavier(value, judgedValuesMax, messageDepthMax)) return value;
	throw new RangeError(`it is wrong, and holds too much to say where: more than ${judgedValuesMax} values`);
}

// Each takes zod some microseconds, and twice that when it is wrong.
const judgedValuesMax = 10_000;

function parsedOrReason(parse: () => Parsed): Parsed | string {
	try {
		return parse();
	} catch (error) {
		return messageOf(error);
	}
}
