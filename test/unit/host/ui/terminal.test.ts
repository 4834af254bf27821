import { describe, expect, test } from "bun:test";
import { PassThrough } from "node:stream";
import { terminalUI } from "../../../../host/ui/terminal.ts";

/** A terminal UI between two streams, with what was drawn and a wait for more. */
function onStreams(options: { interrupt?: () => void } = {}) {
	const input = new PassThrough();
	const output = new PassThrough();
	let shown = "";
	let arrived = () => {};
	output.on("data", (data: Buffer) => {
		shown += data;
		arrived();
	});
	return {
		ui: terminalUI({ input, output, ...options }),
		input,
		shown: () => shown,
		async see(text: string) {
			while (!shown.includes(text)) {
				const { promise, resolve } = Promise.withResolvers<void>();
				arrived = resolve;
				await promise;
			}
		},
	};
}

const live = () => new AbortController();

describe("a terminal", () => {
	test("is available, and its notifications do not wait for an open dialog but are printed behind it", async () => {
		const { ui, input, see, shown } = onStreams();
		expect(ui.available).toBe(true);
		const answer = ui.input({ title: "Name" }, { plugin: "a", signal: live().signal });
		await see("[a] Name");
		await ui.notify({ message: "hello" }, { plugin: "b", signal: live().signal });
		expect(shown()).not.toContain("hello");
		input.write("x\r");
		expect(await answer).toBe("x");
		await see("[b] hello");
	});

	test("has printed a notification when nothing else is open", async () => {
		const { ui, shown } = onStreams();
		await ui.notify({ message: "one\ntwo" }, { plugin: "a", signal: live().signal });
		expect(shown()).toContain("[a] one");
		expect(shown()).toContain("two");
	});

	test("shows nothing of a dialog whose caller went away before its turn, and rejects it at once", async () => {
		const { ui, input, see, shown } = onStreams();
		const caller = live();
		const open = ui.input({ title: "Open" }, { plugin: "a", signal: live().signal });
		const queued = ui.confirm({ title: "Queued" }, { plugin: "b", signal: caller.signal });
		const last = ui.input({ title: "Last" }, { plugin: "c", signal: live().signal });
		await see("[a] Open");
		caller.abort();
		const error = await queued.catch((thrown: unknown) => thrown);
		expect(error).toMatchObject({ code: "cancelled", plugin: "b" });
		expect(String(error)).toContain('The confirm dialog "Queued" of plugin "b" was cancelled');
		input.write("x\r");
		expect(await open).toBe("x");
		await see("[c] Last");
		input.write("y\r");
		expect(await last).toBe("y");
		expect(shown()).not.toContain("Queued");
	});

	test("is not disturbed by a caller that goes away after its answer", async () => {
		const { ui, input, see, shown } = onStreams();
		const caller = live();
		const first = ui.input({ title: "One" }, { plugin: "a", signal: caller.signal });
		await see("[a] One");
		input.write("x\r");
		await first;
		const second = ui.input({ title: "Two" }, { plugin: "b", signal: live().signal });
		await see("[b] Two");
		const before = shown();
		caller.abort();
		expect(shown()).toBe(before);
		input.write("y\r");
		expect(await second).toBe("y");
		expect(shown()).not.toContain("Withdrawn");
	});

	test("tells of Ctrl-C after the dialog and those behind it were cancelled, and takes dialogs again", async () => {
		const happened: string[] = [];
		const told = Promise.withResolvers<void>();
		const interrupt = () => {
			happened.push("interrupted");
			told.resolve();
		};
		const { ui, input, see, shown } = onStreams({ interrupt });
		const context = () => ({ plugin: "a", signal: live().signal });
		const note = (name: string) => (answer: unknown) => happened.push(`${name} ${answer}`);
		const open = ui.input({ title: "Open" }, context()).then(note("open"));
		const queued = ui.input({ title: "Queued" }, context()).then(note("queued"));
		await see("[a] Open");
		input.write("\u0003");
		await Promise.all([open, queued, told.promise]);
		expect(happened).toEqual(["open undefined", "queued undefined", "interrupted"]);
		expect(shown()).not.toContain("Queued");
		const later = ui.input({ title: "Later" }, context());
		await see("[a] Later");
		input.write("\u001b");
		expect(await later).toBeUndefined();
		expect(happened).toHaveLength(3);
	});

	test("shows the dialogs behind one that Ctrl-C cancelled where nobody hears of it", async () => {
		const { ui, input, see } = onStreams();
		const open = ui.input({ title: "Open" }, { plugin: "a", signal: live().signal });
		const queued = ui.input({ title: "Queued" }, { plugin: "a", signal: live().signal });
		await see("[a] Open");
		input.write("\u0003");
		expect(await open).toBeUndefined();
		await see("[a] Queued");
		input.write("x\r");
		expect(await queued).toBe("x");
	});

	test("keeps control characters in the name of a plugin out of the label", async () => {
		const { ui, shown } = onStreams();
		await ui.notify({ message: "hello" }, { plugin: "a\u001b[2J\nb", signal: live().signal });
		expect(shown()).toContain("[a b] hello");
		expect(shown()).not.toContain("\u001b[2J");
	});
});
