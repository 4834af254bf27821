import type { FaultName } from "./points.ts";

/** Requests that a relay makes up begin their ids with this, so that it knows the answers to them. */
export const forgedID = "forged-";

const kinds = ["command", "tool", "skill", "event", "mode", "link"];
const timings = { imported: 1, activated: 2, registered: 3, ready: 4 };

const hello = (id: string, protocol: string) => ({
	jsonrpc: "2.0",
	id: `${forgedID}${id}`,
	method: "client.info",
	params: { protocol },
});

const notification = (method: string, params: unknown) => ({ jsonrpc: "2.0", method, params });

/** How much a flood says, in lines. */
export const floodLines = 1_500;

/** Fewer than may wait at once, so that the plugin's own calls have room beside them. */
export const floodRequests = 500;

/** The lines that a fault of kind `inject` or `flood` says on the wire. */
export function injected(fault: FaultName): string[] {
	switch (fault) {
		case "noise":
			return ["this is no message"];
		case "unknown request":
			return [JSON.stringify({ jsonrpc: "2.0", id: `${forgedID}unknown`, method: "no.such.method", params: {} })];
		case "unknown notification":
			return [JSON.stringify(notification("no.such.notification", {}))];
		case "batch":
			return [JSON.stringify([notification("runtime.ready", { timings }), hello("batched", "1.0.0")])];
		case "stray answers":
			return [1_000_000, "of nobody", -1, null].map((id) => JSON.stringify({ jsonrpc: "2.0", id, result: "forged" }));
		case "forged hello":
			return [JSON.stringify(hello("hello", "1.0.0"))];
		case "foreign hello":
			return [JSON.stringify(hello("foreign", "9.0.0"))];
		case "forged ready":
			return [JSON.stringify(notification("runtime.ready", { timings }))];
		case "forged failure":
			return [
				JSON.stringify(
					notification("runtime.failed", {
						stage: "import",
						error: { code: -32_000, message: "forged", data: { name: "Error" } },
						positions: [],
					}),
				),
			];
		case "forged changes":
			return kinds.map((kind) => JSON.stringify(notification(`${kind}s.changed`, { revision: 99 })));
		case "flood of noise":
			return Array.from({ length: floodLines }, (_, index) => `noise ${index}`);
		case "flood of logs":
			return Array.from({ length: floodLines }, (_, index) =>
				JSON.stringify(notification("log", { level: "info", message: `flood ${index}` })),
			);
		case "flood of requests":
			return Array.from({ length: floodRequests }, (_, index) =>
				JSON.stringify({ jsonrpc: "2.0", id: `${forgedID}${index}`, method: "configuration.get", params: {} }),
			);
		default:
			return [];
	}
}

type Message = Record<string, unknown>;

/** What a fault of kind `replace` says in the place of a message; a truncated one gets no line end. */
export function replaced(fault: FaultName, line: string): string[] {
	const message = JSON.parse(line) as Message;
	const { result: _result, error: _error, ...rest } = message;
	const isAnswer = !("method" in message);
	const changed = (changes: Message) => [JSON.stringify({ ...rest, ...changes })];
	switch (fault) {
		case "twice":
			return [line, line];
		case "garbled":
			return [`{${line}`];
		case "truncated":
			return [line.slice(0, line.length / 2)];
		case "wrong shape":
			return isAnswer ? changed({ result: 42 }) : changed({ params: 42 });
		case "wrong id":
			return [JSON.stringify({ ...message, id: Number(message.id) + 1_000_000 })];
		case "result and error":
			return changed({ result: {}, error: { code: -32_000, message: "forged" } });
		case "no result":
			return changed({});
		case "malformed error":
			return changed({ error: "forged" });
		default:
			return [line];
	}
}
