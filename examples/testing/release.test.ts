// Dialogs that are answered in order and recorded, and a turn of an agent that is played. An answer that no dialog has
// taken in the end fails the test.
// Run it: bun test ./examples/testing/release.test.ts
import { expect, test } from "bun:test";
import { testPlugin } from "brood/test";

const release = new URL("./release.ts", import.meta.url);

test("releases the version that the person gave, once it was confirmed", async () => {
	await using plugin = await testPlugin(release, { ui: ["1.2.0", { title: "Release 1.2.0?", answer: true }] });
	await plugin.commands.run("release");
	expect(plugin.ui.at(-1)).toMatchObject({ kind: "notify", message: "Released 1.2.0" });
});

test("does nothing when the person cancels", async () => {
	await using plugin = await testPlugin(release, { ui: [null], isolation: "graph" });
	await plugin.commands.run("release");
	expect(plugin.ui.map(({ kind }) => kind)).toEqual(["input"]);
});

test("keeps an agent from publishing", async () => {
	await using plugin = await testPlugin(release, { isolation: "graph" });
	// It rejects where something is not as expected.
	await plugin.turn({
		message: "Publish it",
		tools: [{ tool: "Bash", input: { cmd: "npm publish" }, expect: { decision: "reject-and-continue" } }],
	});
});
