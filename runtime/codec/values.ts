/**
 * Whether a JSON text holds more than `valuesMax` values, as its commas and brackets count them. What is read from it
 * takes a hundred times the memory of the text, and whoever walks that the time.
 */
export function holdsMoreValues(text: string, valuesMax: number): boolean {
	if (text.length <= valuesMax) return false;
	let values = 0;
	for (let at = 0; at < text.length; at += 1) {
		const char = text.charCodeAt(at);
		if (char === quote) at = endOfString(text, at);
		else if (char === comma || char === bracket || char === brace) values += 1;
		if (values > valuesMax) return true;
	}
	return false;
}

const quote = 0x22;
const comma = 0x2c;
const bracket = 0x5b;
const brace = 0x7b;
const backslash = 0x5c;

/** The place of the quote that ends the string that begins at `begin`. */
function endOfString(text: string, begin: number): number {
	for (let end = text.indexOf('"', begin + 1); end >= 0; end = text.indexOf('"', end + 1)) {
		let first = end;
		while (text.charCodeAt(first - 1) === backslash) first -= 1;
		if ((end - first) % 2 === 0) return end;
	}
	return text.length;
}
