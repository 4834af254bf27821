import { lstatSync, readlinkSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";

/** How the system gets to a file. */
export interface Way {
	/** Each symbolic link that it goes through, in that order; one of them may lead nowhere. */
	links: string[];
	/** Where it ends, whether or not something is there. */
	end: string;
}

/** @param path an absolute one */
export function wayOf(path: string): Way {
	const links: string[] = [];
	let [behind, ahead] = ["/", namesOf(path)];
	for (let name = ahead.shift(); name !== undefined; name = ahead.shift()) {
		const next = join(behind, name);
		const target = links.length < linksMax ? targetOf(next) : undefined;
		if (target === undefined) behind = next;
		else {
			links.push(next);
			[behind, ahead] = ["/", [...namesOf(resolve(dirname(next), target)), ...ahead]];
		}
	}
	return { links, end: behind };
}

/** As many as the system follows; more of them are a circle. */
const linksMax = 40;

function namesOf(path: string): string[] {
	return path.split(sep).filter((name) => name !== "");
}

function targetOf(path: string): string | undefined {
	try {
		if (lstatSync(path).isSymbolicLink()) return readlinkSync(path);
	} catch {
		// Nothing is there, or nobody may look.
	}
	return undefined;
}
