/** What else was measured in the run of a plugin. */
interface Surroundings {
	/** The names of the other plugins. */
	others: readonly string[];
	/** Whether a bare Bun was started beside it alone, and not one for all plugins. */
	hasOwnFloor: boolean;
}

/** What was different beside a plugin in two runs. */
export interface Company {
	/** As a clause. */
	difference: string;
	/** By how much that may change a ratio, as a part of one. */
	comesTo: number;
}

/** What of that makes two runs of a plugin less alike; undefined where it is nothing. */
export function describeCompany(now: Surroundings, before: Surroundings): Company | undefined {
	if (now.hasOwnFloor && !before.hasOwnFloor && before.others.length > 0) {
		return { difference: "the earlier run had one floor for all plugins", comesTo: sharedFloorChange };
	}
	const names = ({ others }: Surroundings) => [...others].sort().join("\n");
	if (names(now) === names(before)) return undefined;
	const difference = `beside it was measured ${describeOthers(before)}, and now ${describeOthers(now)}`;
	return { difference, comesTo: othersChange };
}

// Six runs of a plugin beside one that takes four times as long had ratios as six of it alone, within one per cent. With
// one floor for both they were 7 to 14 per cent below.
const othersChange = 0.05;
const sharedFloorChange = 0.2;

function describeOthers({ others }: Surroundings): string {
	if (others.length === 0) return "nothing";
	const named = others.slice(0, namedMax).join(", ");
	return others.length > namedMax ? `${named} and ${others.length - namedMax} more` : named;
}

const namedMax = 3;
