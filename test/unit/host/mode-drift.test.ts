import { expect, test } from "bun:test";
import { modeDrift } from "../../../host/base/mode-drift.ts";
import type { PluginSpec } from "../../../host/spec.ts";

const spec = (announcedModes: PluginSpec["announcedModes"]): PluginSpec => ({
	system: "amp",
	name: "p",
	scope: "explicit",
	kind: "file",
	path: "/p.ts",
	root: "/",
	rank: [3, 0, "p"],
	announcedModes,
	warnings: [],
});
const mode = (key: string, label: string) => ({ key, label, agent: {} });

test("modes that were announced as they were registered cause no warning, whatever the case of their keys", () => {
	expect(modeDrift(spec([{ key: "Review", label: "R", line: 1 }]), [mode("review", "R")])).toEqual([]);
	expect(modeDrift(spec([]), [])).toEqual([]);
});

test("a label that differs, a mode not registered and a mode not announced are each a warning with file and line", () => {
	const announced = [
		{ key: "review", label: "Review", line: 1 },
		{ key: "ghost", label: "Ghost", line: 2 },
	];
	expect(modeDrift(spec(announced), [mode("review", "Renamed"), mode("secret", "Secret")])).toEqual([
		'/p.ts:1: mode "review" is announced as "Review" and was registered as "Renamed"',
		'/p.ts:2: mode "ghost" is announced by a comment and was not registered',
		'/p.ts:1: mode "secret" was registered and no comment announces it; ' +
			'add // @amp-agent-mode {"key":"secret","label":"Secret"}',
	]);
});
