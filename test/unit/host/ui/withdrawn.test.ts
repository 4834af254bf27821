import { describe, expect, test } from "bun:test";
import { PassThrough } from "node:stream";
import { whileWanted } from "../../../../host/ui/dialog.ts";
import { terminalUI } from "../../../../host/ui/terminal.ts";
import { giveSize } from "../../../../host/ui/terminal-size.ts";
import { failure } from "../../../../runtime/errors.ts";

describe("a dialog that is withdrawn", () => {
	test.each([
		["since its process exited", failure("plugin_exited", { plugin: "p" }), ": the plugin ended."],
		["since its connection was closed", failure("channel_closed"), ": the plugin ended."],
		["by its caller", failure("cancelled", { subject: "The call" }), " by its caller."],
		["by a signal without a reason", undefined, " by its caller."],
	])("%s rejects with why", async (_, reason, why) => {
		const caller = new AbortController();
		const context = { plugin: "p", signal: caller.signal };
		const asked = whileWanted(context, "confirm dialog", () => new Promise(() => {})).catch((error: unknown) => error);
		caller.abort(reason);
		expect(await asked).toMatchObject({ code: "cancelled", message: expect.stringContaining(`was cancelled${why}`) });
	});

	test("says on screen which plugin ended, without what its name does to a terminal", async () => {
		const input = new PassThrough();
		const output = new PassThrough();
		let shown = "";
		const drawn = Promise.withResolvers<void>();
		const told = Promise.withResolvers<void>();
		output.on("data", (data: Buffer) => {
			shown += data;
			if (shown.includes("Sure?")) drawn.resolve();
			if (shown.includes("Withdrawn")) told.resolve();
		});
		const caller = new AbortController();
		const context = { plugin: "a\u001b[2J\nb", signal: caller.signal };
		const answer = terminalUI({ input, output }).confirm({ title: "Sure?" }, context);
		const given = answer.catch((error: unknown) => error);
		await drawn.promise;
		caller.abort(failure("plugin_exited", { plugin: "p" }));
		await given;
		await told.promise;
		expect(shown).toContain('Withdrawn: plugin "a b" ended.');
		expect(shown).not.toContain("\u001b[2J");
	});
});

describe("a terminal", () => {
	test("without a size gets the usual one, and one with a size or no terminal keeps what it has", () => {
		const [unsized, sized, none] = [{ columns: 0, rows: 0 }, { columns: 7, rows: 5 }, {}];
		for (const output of [unsized, sized, none]) giveSize(output);
		expect([unsized, sized, none]).toEqual([{ columns: 80, rows: 24 }, { columns: 7, rows: 5 }, {}] as never);
	});

	test("of no columns shows a dialog as one of 80 does", async () => {
		const screens = [0, 80].map(async (columns) => {
			const input = new PassThrough();
			const output = Object.assign(new PassThrough(), { columns, rows: columns === 0 ? 0 : 24 });
			let shown = "";
			output.on("data", (data: Buffer) => {
				shown += data;
			});
			const signal = new AbortController().signal;
			const answer = terminalUI({ input, output }).confirm({ title: "Are you sure?" }, { plugin: "p", signal });
			while (!shown.includes("Cancel") && !shown.includes("No")) await new Promise((resolve) => setImmediate(resolve));
			input.write("y");
			await answer;
			return shown;
		});
		const [unsized, usual] = await Promise.all(screens);
		expect(unsized).toBe(usual ?? "");
	});
});
