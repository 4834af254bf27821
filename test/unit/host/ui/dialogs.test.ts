import { describe, expect, test } from "bun:test";
import type { AskContext, FormField, UIProvider } from "../../../../host/contracts/providers.ts";
import { createDialogs } from "../../../../host/ui/dialogs.ts";
import { noUI } from "../../../../host/ui/none.ts";
import { withOverrides } from "../../../../runtime/limits.ts";

const context: AskContext = { plugin: "demo", signal: new AbortController().signal };
const esc = "\u001b[31m";

/** Dialogs in front of a provider that keeps what it was asked and answers with `answer`. */
function inFrontOf(answer: unknown, uiTextCharsMax = 20) {
	const asked: unknown[] = [];
	// A provider of an embedder may answer anything, whatever its type says.
	const reply = async (request: unknown) => {
		asked.push(request);
		return answer as never;
	};
	const provider: UIProvider = {
		available: true,
		notify: reply,
		input: reply,
		confirm: reply,
		form: reply,
		select: reply,
	};
	return { dialogs: createDialogs(provider, withOverrides({ text: { uiTextCharsMax } })), asked };
}

describe("text on its way to the provider", () => {
	test("of every member is cleaned, and cut where it is too long", async () => {
		const long = "0123456789".repeat(3);
		const { dialogs, asked } = inFrontOf(null);
		await dialogs.notify({ message: `${esc}a\nb${long}` }, context);
		await dialogs.input(
			{
				title: `${esc}a\nb`,
				helpText: `${esc}a\nb`,
				initialValue: `${esc}a\tb`,
				submitButtonText: `${esc}a\nb`,
				secret: true,
			},
			context,
		);
		await dialogs.confirm({ title: `${esc}a\nb`, message: `${esc}a\nb`, confirmButtonText: long }, context);
		await dialogs.select(
			{ title: `${esc}a\nb`, message: `${esc}a\nb`, options: [`${esc}a\nb`, long], allowOther: true },
			context,
		);
		expect(asked).toStrictEqual([
			{ message: "a\nb0123456789012345…" },
			{ title: "a b", helpText: "a\nb", initialValue: "a\tb", submitButtonText: "a b", secret: true },
			{ title: "a b", message: "a\nb", confirmButtonText: "0123456789012345678…" },
			{ title: "a b", message: "a\nb", options: ["a b", "0123456789012345678…"], allowOther: true },
		]);
	});

	test("of a form is cleaned too, except that the value of an image is not cut", async () => {
		const image = `data:image/png;base64,${"A".repeat(100)}`;
		const fields: FormField[] = [
			{ type: "text", name: "a", label: `${esc}A\nB`, value: `${esc}x\ny`, multiline: true },
			{ type: "image", name: "b", label: "Shot", value: `${esc}${image}` },
		];
		const { dialogs, asked } = inFrontOf(null);
		await dialogs.form({ title: `${esc}Edit`, fields }, context);
		expect(asked).toStrictEqual([
			{
				title: "Edit",
				fields: [
					{ type: "text", name: "a", label: "A B", value: "x\ny", multiline: true },
					{ type: "image", name: "b", label: "Shot", value: image },
				],
			},
		]);
	});

	test("has no option twice, and no initial value that is no option", async () => {
		const { dialogs, asked } = inFrontOf(null);
		await dialogs.select({ title: "t", options: ["a", "b", `${esc}a`], initialValue: `${esc}b` }, context);
		await dialogs.select({ title: "t", options: ["a"], initialValue: "z", allowOther: true }, context);
		expect(asked).toStrictEqual([
			{ title: "t", options: ["a", "b"], initialValue: "b" },
			{ title: "t", options: ["a"], allowOther: true },
		]);
	});

	test("is not sent for a select that nobody could answer, which counts as cancelled", async () => {
		const { dialogs, asked } = inFrontOf("x");
		expect(await dialogs.select({ title: "t", options: [] }, context)).toBeUndefined();
		expect(asked).toEqual([]);
		expect(await dialogs.select({ title: "t", options: [], allowOther: true }, context)).toBe("x");
	});
});

describe("an answer on its way back", () => {
	test("is the option as the plugin wrote it, the first of those that look alike", async () => {
		const { dialogs } = inFrontOf("a b");
		expect(await dialogs.select({ title: "t", options: ["z", `${esc}a\nb`, "a b"] }, context)).toBe(`${esc}a\nb`);
	});

	test("that was typed beside the options is trimmed; blank, it cancels; one of the options, it is that option", async () => {
		const request = { title: "t", options: [`${esc}a`], allowOther: true };
		expect(await inFrontOf("  teal ").dialogs.select(request, context)).toBe("teal");
		expect(await inFrontOf("   ").dialogs.select(request, context)).toBeUndefined();
		expect(await inFrontOf(" a ").dialogs.select(request, context)).toBe(`${esc}a`);
	});

	test("that nobody edited is the initial value as the plugin wrote it, however long", async () => {
		const long = `${esc}${"0123456789".repeat(3)}`;
		const shown = "0123456789012345678…";
		expect(await inFrontOf(shown).dialogs.input({ initialValue: long }, context)).toBe(long);
		const fields: FormField[] = [
			{ type: "text", name: "a", label: "A", value: long },
			{ type: "text", name: "b", label: "B", value: "x" },
			{ type: "text", name: "__proto__", label: "C", value: "y" },
		];
		const answer = await inFrontOf({ a: shown, b: "edited" }).dialogs.form({ title: "t", fields }, context);
		expect(Object.entries(answer ?? {})).toEqual([
			["a", long],
			["b", "edited"],
			["__proto__", "y"],
		]);
	});

	test("of null or undefined means that the person cancelled", async () => {
		for (const answer of [null, undefined]) {
			const { dialogs } = inFrontOf(answer);
			expect(await dialogs.input({}, context)).toBeUndefined();
			expect(await dialogs.confirm({ title: "t" }, context)).toBeUndefined();
			expect(await dialogs.form({ title: "t", fields: [] }, context)).toBeUndefined();
			expect(await dialogs.select({ title: "t", options: ["a"] }, context)).toBeUndefined();
		}
	});

	test("that the dialog does not allow is an error that names it", async () => {
		const fields: FormField[] = [{ type: "text", name: "a", label: "A", value: "x" }];
		const wrong = [
			inFrontOf(1).dialogs.input({ title: "Here" }, context),
			inFrontOf("yes").dialogs.confirm({ title: "Here" }, context),
			inFrontOf({ b: "x" }).dialogs.form({ title: "Here", fields }, context),
			inFrontOf({ a: " " }).dialogs.form({ title: "Here", fields }, context),
			inFrontOf("z").dialogs.select({ title: "Here", options: ["a"] }, context),
			inFrontOf(0).dialogs.select({ title: "Here", options: ["a"], allowOther: true }, context),
		];
		for (const result of await Promise.allSettled(wrong)) {
			expect(result).toMatchObject({ status: "rejected", reason: { code: "invalid_answer", plugin: "demo" } });
			expect(String(result.status === "rejected" && result.reason)).toMatch(
				/The ui provider of the host answered the .*dialog "Here"/,
			);
		}
	});

	test("that is an error of the provider is passed on", async () => {
		const dialogs = createDialogs(noUI(), withOverrides());
		expect(dialogs.available).toBe(false);
		const error = await dialogs.input({}, context).catch((thrown: unknown) => thrown);
		expect(error).toMatchObject({ code: "ui_not_available" });
	});
});

describe("open dialogs", () => {
	/** A provider whose dialogs stay open until they are settled here. */
	function staying() {
		const waiting: PromiseWithResolvers<string | undefined>[] = [];
		const input = () => {
			const one = Promise.withResolvers<string | undefined>();
			waiting.push(one);
			return one.promise;
		};
		return { dialogs: createDialogs({ ...noUI(), input }, withOverrides()), waiting };
	}

	test("are counted for each plugin, and every change is told", async () => {
		const { dialogs, waiting } = staying();
		const changes: string[] = [];
		const listening = dialogs.listen(({ plugin, open }) => changes.push(`${plugin} ${open}`));
		const other = { ...context, plugin: "other" };
		const calls = [dialogs.input({}, context), dialogs.input({}, context), dialogs.input({}, other)];
		expect([dialogs.open("demo"), dialogs.open("other"), dialogs.open("none")]).toEqual([2, 1, 0]);
		waiting[0]?.resolve("x");
		await calls[0];
		waiting[1]?.reject(new Error("broken"));
		await calls[1]?.catch(() => {});
		expect([dialogs.open("demo"), dialogs.open("other")]).toEqual([0, 1]);
		listening.unsubscribe();
		waiting[2]?.resolve(undefined);
		await calls[2];
		expect(changes).toEqual(["demo 1", "demo 2", "other 1", "demo 1", "demo 0"]);
		expect(dialogs.open("other")).toBe(0);
	});

	test("end with their caller, even when the provider never answers", async () => {
		const { dialogs } = staying();
		const caller = new AbortController();
		const call = dialogs.input({ title: "Name" }, { plugin: "demo", signal: caller.signal });
		expect(dialogs.open("demo")).toBe(1);
		caller.abort();
		expect(await call.catch((error: unknown) => error)).toMatchObject({ code: "cancelled", plugin: "demo" });
		expect(dialogs.open("demo")).toBe(0);
	});

	test("are not even asked for a caller that is already gone", async () => {
		const { dialogs, waiting } = staying();
		const call = dialogs.input({}, { plugin: "demo", signal: AbortSignal.abort() });
		expect(await call.catch((error: unknown) => error)).toMatchObject({ code: "cancelled" });
		expect(waiting).toEqual([]);
	});

	test("do not include those that a provider refuses by throwing", async () => {
		const provider: UIProvider = {
			...noUI(),
			input() {
				throw new Error("broken");
			},
		};
		const dialogs = createDialogs(provider, withOverrides());
		await expect(dialogs.input({}, context)).rejects.toThrow("broken");
		expect(dialogs.open("demo")).toBe(0);
	});
});
