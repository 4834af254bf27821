import { failure, messageOf } from "../errors.ts";
import type { Codec, Encoded } from "./codec.ts";
import { holdsMoreValues } from "./values.ts";

/** A message for the wire. @throws BroodError `not_serializable` with the reason why it has no JSON, `message_too_large` */
export function encode(codec: Codec, message: unknown): Encoded {
	try {
		return codec.encode(message);
	} catch (error) {
		const reason = messageOf(error);
		if (error instanceof RangeError) throw failure("message_too_large", { reason, cause: error });
		throw failure("not_serializable", { subject: "A value", reason, cause: error });
	}
}

/** Whether a message holds more than `valuesMax` values, in its line or in what follows it. */
export function holdsMore(encoded: Encoded, valuesMax: number): boolean {
	if (typeof encoded === "string") return holdsMoreValues(encoded, valuesMax);
	return holdsMoreValues(encoded.line, valuesMax) || holdsMoreValues(encoded.json ?? "", valuesMax);
}
