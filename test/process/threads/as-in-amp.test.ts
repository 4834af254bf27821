import { expect, test } from "bun:test";
import { createThreads } from "../../../host/providers/threads.ts";
import { createBench } from "../support/host.ts";
import { act, actor, heard } from "./support.ts";

const bench = createBench();

test("a thread without a title has null, to whoever asks and to whoever listens", async () => {
	const threads = createThreads();
	threads.create({ id: "T-1" });
	const running = await bench.start({ one: actor }, { providers: { threads } });
	await act(running, `amp.threads.get("T-1").title.subscribe((title) => kept.heard.push(title));`);
	expect(await heard(running, 1)).toEqual([null]);
	expect(await act(running, `return await amp.threads.get("T-1").title.get()`)).toBeNull();
	threads.get("T-1")?.setTitle("Plans");
	expect(await heard(running, 2)).toEqual([null, "Plans"]);
	expect(await act(running, `return await amp.threads.get("T-1").title.get()`)).toBe("Plans");
	threads.get("T-1")?.setTitle("");
	expect(await heard(running, 3)).toEqual([null, "Plans", null]);
});

test("a page that is asked to be too large has as many messages as a page may have", async () => {
	const threads = createThreads();
	const messages = Array.from({ length: 30 }, (_, index) => ({
		role: "user" as const,
		id: String(index),
		content: [{ type: "text" as const, text: "x" }],
	}));
	threads.create({ id: "T-1", messages });
	const running = await bench.start({ one: actor }, { providers: { threads } });
	const page = (options: string) =>
		act(running, `return (await amp.threads.get("T-1").messages(${options})).map(({ id }) => Number(id))`);
	const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);
	expect(await page("{ limit: 21 }")).toEqual(range(10, 30));
	expect(await page(`{ limit: 1000, from: "start" }`)).toEqual(range(0, 20));
	expect(await page(`{ limit: 50, from: "start", offset: 20 }`)).toEqual(range(20, 30));
});
