import { type EventName, eventNames, type JsonObject } from "../../../runtime/records.ts";
import { askText, pick } from "./dev-ask.ts";
import type { Workbench } from "./dev-call.ts";
import { readObjectText } from "./dev-form.ts";
import { clockTime } from "./dev-text.ts";
import { brokenHandlers, printOutcome } from "./emit.ts";

/** Lets a person fire an event at all handlers; what it carried last stands there the next time. */
export function createEmitter(bench: Workbench): () => Promise<void> {
	const { host, asker, stage, signal } = bench;
	const sent = new Map<EventName, JsonObject>();
	let last: string | undefined;

	async function choose(): Promise<{ event: EventName; data: JsonObject } | undefined> {
		const plugins = host.plugins.list();
		const items = eventNames.map((item) => {
			const handlers = plugins.filter(({ events }) => events.includes(item)).map(({ name }) => name);
			return { label: handlers.length === 0 ? item : `${item} — handled by ${handlers.join(", ")}`, item };
		});
		const chosen = await pick(asker, "Emit which event?", items, last);
		if (chosen === undefined) return undefined;
		last = chosen.label;
		const { item: event } = chosen;
		const data = await askText(asker, {
			title: `Data of ${event} (JSON)`,
			help: undefined,
			initial: JSON.stringify(sent.get(event) ?? samples[event]),
			read: readObjectText,
		});
		if (data === undefined) return undefined;
		sent.set(event, data);
		return { event, data };
	}

	/** @throws BroodError when a handler fails, or the data is not what the event carries */
	return async () => {
		const chosen = await stage.during(choose);
		if (chosen === undefined) return;
		const { event, data } = chosen;
		stage.output.note(`${clockTime(Date.now())} emit ${event} ${JSON.stringify(data)}`);
		const outcome = await host.emit(event, data, { signal });
		printOutcome(outcome, stage.output);
		const broken = brokenHandlers(outcome);
		if (broken !== undefined) throw broken;
	};
}

/** What handlers read of each event, to be typed over; the host gives what is missing. */
const samples: Record<EventName, JsonObject> = {
	"session.start": {},
	"tool.call": { tool: "Bash", input: { command: "ls" } },
	"tool.result": { tool: "Bash", input: { command: "ls" }, status: "done" },
	"agent.start": { message: "hello" },
	"agent.end": { message: "hello", status: "done", messages: [] },
	"changes.prompt": { workflow: "ship" },
};
