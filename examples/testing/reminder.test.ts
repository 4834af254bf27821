// A clock that stands still until the test moves it, for a plugin that runs in the process of the test.
// Run it: bun test ./examples/testing/reminder.test.ts
import { expect, test } from "bun:test";
import { testPlugin } from "brood/test";

test("reminds when the time has come, and not before", async () => {
	await using plugin = await testPlugin(new URL("./reminder.ts", import.meta.url), {
		isolation: "graph",
		clock: new Date("2030-01-01T12:00:00Z"),
	});
	await plugin.tools.call("remind", { text: "Tea", minutes: 5 });
	await plugin.clock.advance(4 * 60_000);
	expect(plugin.ui).toEqual([]);
	await plugin.clock.advance(60_000);
	expect(plugin.ui).toMatchObject([{ kind: "notify", message: "Tea, at 2030-01-01T12:05:00.000Z" }]);
});
