/** Whether a value out of JSON holds more than `valuesMax` values or nests deeper than `depthMax`; stops once it knows. */
export function isHeavier(value: unknown, valuesMax: number, depthMax: number): boolean {
	let left = valuesMax - 1;
	let level = [value];
	for (let depth = 0; level.length > 0; depth += 1) {
		if (depth > depthMax) return true;
		const next: unknown[] = [];
		for (const parent of level) {
			if (typeof parent !== "object" || parent === null) continue;
			const members: unknown[] = Array.isArray(parent) ? parent : Object.values(parent);
			left -= members.length;
			if (left < 0) return true;
			for (const member of members) next.push(member);
		}
		level = next;
	}
	return false;
}
