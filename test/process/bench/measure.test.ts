import { expect, spyOn, test } from "bun:test";
import { dirname } from "node:path";
import { measure } from "../../../host/devtools/measure.ts";
import { specOf } from "../../unit/host/devtools/support.ts";
import { createDesk } from "../cli/support.ts";

const desk = createDesk();

test("each plugin starts right beside a floor of its own, before it as often as after it, and a bare Bun is between two plugins", async () => {
	await desk.write({ "a/a.ts": "export default () => {};", "b/b.ts": "export default () => {};" });
	const specs = ["a", "b"].map((name) => {
		const path = desk.path(`${name}/${name}.ts`);
		return { ...specOf(name), path, root: dirname(path) };
	});
	using spawn = spyOn(Bun, "spawn");
	const { plugins } = await measure(specs, {
		rounds: 4,
		warmup: 0,
		importRounds: 0,
		start: {},
		openFolder: () => expect.unreachable(),
		signal: new AbortController().signal,
		progress() {},
	});
	expect(plugins.map(({ starts, floor }) => [starts.length, floor.length])).toEqual([
		[4, 4],
		[4, 4],
	]);
	const marks = spawn.mock.calls.map((call) => {
		const words = JSON.stringify(call);
		// A host has a guard too, which is a shell.
		return words.includes("/bin/sh") ? "" : words.includes("console.write") ? "-" : "*";
	});
	const visits = marks.join("").match(/.{3}/g) ?? [];
	expect(visits.toSorted()).toEqual([...Array(4).fill("-*-"), ...Array(4).fill("--*")].toSorted());
});
