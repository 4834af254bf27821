import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { WebhookRequest, WebhooksProvider } from "../../host/index.ts";
import { eventNames } from "../../runtime/records.ts";
import { createBench } from "../process/support/host.ts";
import { formTests } from "./support/forms.ts";
import { memberTests, type Shown } from "./support/members.ts";
import { shapePlugin } from "./support/shape.ts";
import { root } from "./support/tree.ts";
import { typedMembers } from "./support/typed-members.ts";

const bench = createBench();

const rowsOf = (shown: Shown) =>
	Object.entries(shown).flatMap(([file, tests]) =>
		Object.entries(tests).flatMap(([name, members]) => members.map((member) => ({ file, name, member }))),
	);

test("each member that a plugin can reach has a row and a type, and each of these is a member that it can reach", async () => {
	const reached = await reach();
	const shown = rowsOf(memberTests).map(({ member }) => member);
	expect({ withoutRow: without(reached, shown), withoutMember: without(shown, reached) }).toEqual({
		withoutRow: [],
		withoutMember: [],
	});
	for (const [kind, members] of Object.entries(typedMembers)) {
		const within = reached.filter((path) => path.startsWith(`${kind}.`)).map((path) => path.slice(kind.length + 1));
		const names = new Set(within.map((path) => /^[^.[]+/.exec(path)?.[0]));
		expect([kind, [...names].sort()]).toEqual([kind, Object.keys(members).sort()]);
	}
});

/** The paths of all members that a real plugin is given. */
async function reach(): Promise<string[]> {
	const opened = Promise.withResolvers<WebhookRequest>();
	const webhooks: WebhooksProvider = {
		async open(request) {
			opened.resolve(request);
			return { url: "https://example.com/hook", close() {} };
		},
	};
	const executor = { kind: "remote" as const, keepAlive: () => ({ unsubscribe() {} }) };
	const { host } = await bench.start({ shape: shapePlugin }, { providers: { executor, webhooks } });
	expect(host.plugins.get("shape").error?.message).toBeUndefined();
	const delivery = { id: "1", body: new Uint8Array(), headers: {}, receivedAt: new Date(), attempt: 1 };
	await (await opened.promise).deliver(delivery, { signal: new AbortController().signal });
	await host.emit("agent.start", { message: "m", id: "1" });
	expect(await host.commands.run("shape", { threadID: "T-1" })).toMatchObject({ ok: true });
	return (await host.tools.call("shape", {}, { events: false })).text.split("\n");
}

test("nothing has two rows, and each event has one", () => {
	const members = [memberTests, formTests].flatMap((shown) => rowsOf(shown).map(({ member }) => member));
	expect(members.filter((member, index) => members.indexOf(member) !== index)).toEqual([]);
	expect(
		without(
			eventNames.map((name) => `event ${name}`),
			members,
		),
	).toEqual([]);
});

test("each row names a test that is there", async () => {
	const wrong: string[] = [];
	for (const { file, name } of [...rowsOf(memberTests), ...rowsOf(formTests)]) {
		const path = join(root, file);
		const source = existsSync(path) ? await Bun.file(path).text() : "";
		if (!hasTest(source, name)) wrong.push(`${file}: ${name}`);
	}
	expect(wrong).toEqual([]);
});

test("a test is found where its name opens one, not where it is only mentioned", () => {
	expect(hasTest('\ttest("a, b", async () => {', "a, b")).toBe(true);
	expect(hasTest('test.each([\n\t[1],\n])("%s is one", (n) => {', "%s is one")).toBe(true);
	expect(hasTest('test.each(rows)(\n\t"because it %s",\n', "because it %s")).toBe(true);
	expect(hasTest('// the test "a, b"', "a, b")).toBe(false);
	expect(hasTest('test.skip("a, b", () => {', "a, b")).toBe(false);
	expect(hasTest('test("a, b, c", () => {', "a, b")).toBe(false);
});

/** Whether a source opens a test, or a group of tests, with this name. */
function hasTest(source: string, name: string): boolean {
	const quoted = JSON.stringify(name).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
	return new RegExp(`(?:\\b(?:test|describe)\\(|\\]\\)\\(|\\.(?:each|if|skipIf)\\([^\\n]*\\)\\()\\s*${quoted}`).test(
		source,
	);
}

function without(some: readonly string[], others: readonly string[]): string[] {
	return some.filter((one) => !others.includes(one));
}
