import { BroodError, failure, messageOf } from "../../runtime/errors.ts";
import { limits } from "../../runtime/limits.ts";
import type { JsonObject } from "../../runtime/records.ts";
import { changeFile } from "../base/change-file.ts";
import { removeMember, setMembers } from "../base/jsonc-edit.ts";
import { parseSettings, type SettingsPlaces, settingsPaths } from "../base/settings.ts";
import type { ConfigurationTarget } from "../contracts/configuration.ts";
import type { Spend } from "../contracts/services.ts";

/**
 * Changes the settings file of a target; comments, order and layout of what is not changed stay.
 *
 * @throws BroodError `invalid_settings` when the file cannot be read or written, and `invalid_params` without a place
 */
export async function changeSettings(
	places: SettingsPlaces,
	target: ConfigurationTarget,
	edit: Edit,
	spend: Spend,
	lockMs?: number,
): Promise<void> {
	const path = settingsPaths(places)[target];
	if (path === null) {
		const reason = "this user has no place for settings: neither XDG_CONFIG_HOME nor HOME names an absolute path";
		throw failure("invalid_params", { subject: `target ${target}`, reason });
	}
	try {
		await changeFile(path, limits.text.documentBytesMax, (text) => spend(() => edited(path, text, edit)), lockMs);
	} catch (error) {
		if (error instanceof BroodError) throw error;
		const reason = `it cannot be written: ${messageOf(error)}`;
		throw failure("invalid_settings", { subject: path, reason, cause: error });
	}
}

/** A change of one settings file. */
export type Edit = { set: JsonObject; remove?: undefined } | { set?: undefined; remove: string };

/** The text after the edit, or undefined when nothing is to be changed. */
function edited(path: string, text: string | undefined, { set, remove }: Edit): string | undefined {
	if (text === undefined && set === undefined) return undefined;
	const mark = text?.startsWith(byteOrderMark) ? byteOrderMark : "";
	const source = text?.slice(mark.length) ?? "{}\n";
	// A file that is broken is told of, and never written over.
	const before = parseSettings(path, source);
	const expected = set === undefined ? without(before, remove) : { ...before, ...known(path, set) };
	const after = set === undefined ? removeMember(source, remove) : withMembers(source, before, set);
	checkSize(path, after);
	// Whatever could be wrong with an edit of text must not reach the file.
	if (!Bun.deepEquals(parseSettings(path, after), expected, true)) {
		throw failure("internal", { reason: `the change of ${path} would not have been the one asked for` });
	}
	return mark + after;
}

/** Leaves what has its value already as it is written. */
function withMembers(source: string, before: object, set: NonNullable<Edit["set"]>): string {
	const changed = Object.entries(set).filter(
		([key, value]) => !Object.hasOwn(before, key) || !Bun.deepEquals(Reflect.get(before, key), value, true),
	);
	return setMembers(source, changed);
}

function without(settings: object, key: string): object {
	return Object.fromEntries(Object.entries(settings).filter(([name]) => name !== key));
}

/** As it will be read. What no file can hold is refused before it is laid out, on lines that grow with its depth. */
function known(path: string, set: object): object {
	const text = JSON.stringify(set);
	checkSize(path, text);
	return parseSettings(path, text);
}

function checkSize(path: string, text: string): void {
	if (Buffer.byteLength(text) <= limits.text.documentBytesMax) return;
	const reason = `it would be larger than ${limits.text.documentBytesMax} bytes`;
	throw failure("invalid_settings", { subject: path, reason });
}

const byteOrderMark = "\ufeff";
