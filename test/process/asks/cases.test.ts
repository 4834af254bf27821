import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { isBroodError } from "../../../runtime/errors.ts";
import { limits } from "../../../runtime/limits.ts";
import { rejection } from "../../unit/runtime/support.ts";
import { openCase } from "../cases/support.ts";
import { createDesk, main } from "../cli/support.ts";
import { openTerminal } from "../cli/terminal.ts";
import { heldUI } from "../support/held-ui.ts";
import { createBench } from "../support/host.ts";

/** Plugins of the folders in fixtures/cases that ask the person. */
const cases = join(import.meta.dir, "../../fixtures/cases");

describe("in a host with dialogs", () => {
	const bench = createBench();

	test("139: a dialog is withdrawn when its plugin is unloaded or dies, and a late answer does nothing", async () => {
		const ui = heldUI();
		const { host, until, reaches, written } = await openCase(bench, "139-unload-with-an-open-dialog", {
			providers: { ui: ui.provider },
			limits: { restart: { delaysMs: [10] } },
		});
		const unloaded = rejection(host.commands.run("hold"));
		const [first] = await ui.opened(1);
		await host.disable("plugin");
		expect(isBroodError(await unloaded, "plugin_exited")).toBe(true);
		expect(first?.signal.aborted).toBe(true);

		await host.enable("plugin");
		const died = rejection(host.commands.run("hold"));
		const [, second] = await ui.opened(2);
		await rejection(host.commands.run("die"));
		expect(await died).toMatchObject({ code: "plugin_exited", plugin: "plugin", exit: { code: 1 } });
		expect(second?.signal.aborted).toBe(true);
		expect(host.plugins.get("plugin").openDialogs).toBe(0);

		first?.answer(true);
		second?.answer(true);
		await until("state", ({ state }) => state === "restarting");
		await reaches("plugin", "ready");
		expect(written()).toEqual([]);
	});

	test("140: each kind of dialog that is cancelled gives false or undefined, and none rejects", async () => {
		const ui = heldUI();
		const { host, written } = await openCase(bench, "140-user-cancels", { providers: { ui: ui.provider } });
		const run = host.commands.run("cancel");
		for (let count = 1; count <= 4; count += 1) (await ui.opened(count)).at(-1)?.answer(undefined);
		expect((await run).ok).toBe(true);
		expect(written()).toEqual([[false, "undefined", "undefined", "undefined"]]);
	});

	test("141: two hooks that ask at once are both served while their events are open", async () => {
		const ui = heldUI();
		const { host } = await openCase(bench, "141-dialog-inside-a-hook", { providers: { ui: ui.provider } });
		const [bash, edit] = ["Bash", "edit_file"].map((tool) => host.emit("tool.call", { tool, input: {} }));
		for (const dialog of await ui.opened(2)) dialog.answer(dialog.title === "Allow Bash?");
		expect((await bash)?.handlers[0]?.result).toEqual({ action: "allow" });
		expect((await edit)?.result).toEqual({ action: "reject-and-continue", message: "declined" });
	});
});

describe("in a terminal", () => {
	const desk = createDesk();

	test("142: no control character of a plugin is written, and text is cut at its limit", async () => {
		const file = join(cases, "142-escape-codes-in-ui-text/plugin.ts");
		const brood = [process.execPath, main, "-p", file];
		const sessions = [["list"], ["info", "plugin"], ["run", "esc"]].map((command) =>
			openTerminal(desk, [...brood, ...command]),
		);
		const codes = await Promise.all(sessions.map(({ child }) => child.exited));
		expect(codes).toEqual([0, 0, 0]);
		for (const session of sessions) {
			// The colours and cursor moves that are left are brood's own.
			for (const part of ["\u001b[31m", "\u001b]0;", "\u001b[2J", "\u0007", "\u0000", "\u202e"]) {
				expect(session.raw()).not.toContain(part);
			}
		}
		const [, info, run] = sessions.map((session) => session.plain());
		expect(info).toContain("Esc");
		expect(run?.replaceAll("\n", "")).toContain("hellox");
		const shown = run?.match(/x+/g)?.join("").length ?? 0;
		expect(shown).toBeGreaterThan(limits.text.uiTextCharsMax - 100);
		expect(shown).toBeLessThan(limits.text.uiTextCharsMax);
	});
});
