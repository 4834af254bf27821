import type { EventName, Json } from "../../runtime/records.ts";
import type { Answers } from "./answers.ts";

/** The answers of events that all plugins see at once, made one. `answers` are in rank order. */
export function merge(event: EventName, answers: { plugin: string; answer: Answers[EventName] }[]): Json {
	const given = answers.filter(({ answer }) => answer !== undefined);
	switch (event) {
		case "agent.start": {
			const messages = given.flatMap(({ plugin, answer }) =>
				answer !== undefined && "message" in answer && typeof answer.message === "object"
					? [{ ...answer.message, plugin }]
					: [],
			);
			return messages.length === 0 ? null : { messages };
		}
		case "agent.end": {
			// The first that wants to go on does.
			for (const { plugin, answer } of given) {
				if (answer !== undefined && "userMessage" in answer) return { ...answer, plugin };
			}
			return null;
		}
		case "changes.prompt": {
			const appends = given.flatMap(({ answer }) =>
				answer !== undefined && "append" in answer ? [answer.append] : [],
			);
			return appends.length === 0 ? null : { appends };
		}
		default:
			return null;
	}
}
