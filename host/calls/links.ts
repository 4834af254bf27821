import { failure, isBroodError, messageOf } from "../../runtime/errors.ts";
import type { Limits } from "../../runtime/limits.ts";
import type { LinkMatch } from "../../runtime/protocol.ts";
import type { LinkItem } from "../../runtime/records.ts";
import type { Backend } from "../contracts/backend.ts";
import { type Entry, keyPrefix, type Registry } from "../registry.ts";
import { cancelled } from "./budget.ts";

/** A part of a text that a link pattern of a plugin makes a link. */
export interface FoundLink {
	text: string;
	/** Where it begins and ends in the text, in UTF-16 code units as of `slice`. */
	start: number;
	end: number;
	/** Begins with http://, https:// or a single slash. */
	href: string;
	plugin: string;
	/** Of the pattern. */
	id: string;
}

export interface Links {
	list(): readonly Entry<"link">[];
	/**
	 * Finds the links of a text, from left to right and none over another: where several patterns match, the one that
	 * begins first counts, of those the longest, of those that of the better rank. The patterns run in the processes of
	 * their plugins; one that takes longer than `limits.call.linkResolveMs` is left out, and its plugin is told in its log
	 * and not asked again for `limits.call.linkPauseMs`.
	 *
	 * @throws BroodError `usage` for a text of more than `limits.text.linkTextCharsMax` characters
	 */
	resolve(text: string, options?: { signal?: AbortSignal | undefined }): Promise<FoundLink[]>;
}

export interface LinksParts {
	registry: Registry;
	limits: Limits;
	use<Result>(plugin: string, task: (backend: Backend) => Promise<Result>): Promise<Result>;
	/** Tells a plugin's log what is wrong with it. */
	problem(plugin: string, text: string): void;
}

/** Resolves links by the patterns that plugins have registered. */
export function createLinks({ registry, limits, use, problem }: LinksParts): Links {
	const { linkResolveMs: timeoutMs, linkPauseMs } = limits.call;
	const { linkTextCharsMax } = limits.text;
	/** Until when a plugin that did not answer in time is left in peace, by its first link: other links are a new try. */
	const pausedUntil = new WeakMap<LinkItem, number>();

	async function ask(
		{ plugin, item }: Entry<"link">,
		text: string,
		signal: AbortSignal | undefined,
	): Promise<FoundLink[]> {
		if ((pausedUntil.get(item) ?? 0) > performance.now()) return [];
		try {
			const matches = await use(plugin, (backend) => backend.links(text, { signal, timeoutMs }));
			const allowed = matches.filter((match) => isAllowed(match, text, plugin, registry));
			const refused = matches.length - allowed.length;
			if (refused > 0)
				problem(plugin, `${refused} of its links were left out: they are not what its patterns can make`);
			return allowed.map(({ id, start, end, href }) => ({
				text: text.slice(start, end),
				start,
				end,
				href,
				plugin,
				id,
			}));
		} catch (error) {
			if (signal?.aborted) throw cancelled(signal, { subject: "the links" });
			if (isBroodError(error, "timeout")) pausedUntil.set(item, performance.now() + linkPauseMs);
			problem(plugin, `its links were left out: ${messageOf(error)}`);
			return [];
		}
	}

	return {
		list: () => registry.list("link"),
		async resolve(text, { signal } = {}) {
			if (typeof text !== "string" || text.length > linkTextCharsMax) {
				throw failure("usage", { reason: `A text with links has at most ${linkTextCharsMax} characters` });
			}
			if (signal?.aborted) throw cancelled(signal, { subject: "the links" });
			const entries = registry.list("link");
			const firsts = entries.filter(
				({ plugin }, index) => entries.findIndex((entry) => entry.plugin === plugin) === index,
			);
			return withoutOverlaps((await Promise.all(firsts.map((first) => ask(first, text, signal)))).flat());
		},
	};
}

/** Keeps of what overlaps the leftmost, then the longest, then the first; `found` is in the order of rank. */
export function withoutOverlaps(found: FoundLink[]): FoundLink[] {
	const sorted = found.toSorted((one, other) => one.start - other.start || other.end - one.end);
	let end = 0;
	return sorted.filter((link) => {
		if (link.start < end) return false;
		end = link.end;
		return true;
	});
}

function isAllowed({ id, start, end, href }: LinkMatch, text: string, plugin: string, registry: Registry): boolean {
	const isPlace = Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start < end && end <= text.length;
	return (
		isPlace && /^(?:https?:\/\/|\/(?!\/))/.test(href) && registry.find("link", keyPrefix(plugin) + id) !== undefined
	);
}
