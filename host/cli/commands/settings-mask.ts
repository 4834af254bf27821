import type { Json } from "../../../runtime/records.ts";
import { secretMark } from "../../../runtime/redact.ts";
import { isSecretName } from "../../base/secret-names.ts";

/** The value with every text that a name on the way to it says to be secret as `[secret]`. */
export function maskSecrets(name: string, value: Json): Json {
	return mask(value, isSecretName(name));
}

function mask(value: Json, isSecret: boolean): Json {
	// A number or a switch with such a name is how many tokens, or whether there is a key.
	if (typeof value === "string") return isSecret && value !== "" ? secretMark : value;
	if (Array.isArray(value)) return value.map((item) => mask(item, isSecret));
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, member]) => [name, mask(member, isSecret || isSecretName(name))]),
	);
}
