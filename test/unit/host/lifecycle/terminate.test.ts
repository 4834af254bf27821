import { describe, expect, test } from "bun:test";
import { terminate } from "../../../../host/lifecycle/terminate.ts";
import { turn } from "../../runtime/support.ts";
import { type FakeBackend, fakeBackend } from "./support.ts";

// Long enough that no test waits for it, and short enough that a test can.
const long = { disposeMs: 60_000, interruptMs: 60_000, drainMs: 60_000 };
const short = { disposeMs: 5, interruptMs: 5, drainMs: 5 };

function begin(backend: FakeBackend, options: { graceful?: boolean; limits?: typeof long; hurry?: AbortSignal } = {}) {
	const problems: string[] = [];
	const { graceful = true, limits = long, hurry = new AbortController().signal } = options;
	const problem = (text: string) => problems.push(text);
	return { problems, ended: terminate(backend, { graceful, limits, hurry, problem }) };
}

describe("the stop ladder", () => {
	test("waits for dispose, then interrupts, and says how the process ended", async () => {
		const backend = fakeBackend();
		backend.obeys = ["SIGINT"];
		const { ended, problems } = begin(backend);
		await turn();
		expect(backend.asked).toEqual(["dispose"]);
		backend.disposed();
		expect(await ended).toEqual({ code: null, signal: "SIGINT", stderrTail: "" });
		expect(backend.asked).toEqual(["dispose", "SIGINT"]);
		expect(problems).toEqual([]);
	});

	test("begins with SIGINT where no dispose is due", async () => {
		const backend = fakeBackend();
		backend.obeys = ["SIGINT"];
		await begin(backend, { graceful: false }).ended;
		expect(backend.asked).toEqual(["SIGINT"]);
	});

	test("goes on after dispose callbacks that never settle, and tells of it", async () => {
		const backend = fakeBackend();
		backend.obeys = ["SIGINT"];
		const { ended, problems } = begin(backend, { limits: { ...long, disposeMs: 5 } });
		await ended;
		expect(backend.asked).toEqual(["dispose", "SIGINT"]);
		expect(problems).toEqual(["it did not answer dispose within 5 ms"]);
	});

	test("goes on after a dispose that fails, and tells why", async () => {
		const backend = fakeBackend();
		backend.obeys = ["SIGINT"];
		const { ended, problems } = begin(backend);
		backend.disposed(new Error("the wire is gone"));
		await ended;
		expect(problems).toEqual(["dispose failed: the wire is gone"]);
	});

	test("kills what does not end after SIGINT, and tells of it", async () => {
		const backend = fakeBackend();
		backend.obeys = ["SIGKILL"];
		const { ended, problems } = begin(backend, { limits: short, graceful: false });
		expect((await ended).signal).toBe("SIGKILL");
		expect(backend.asked).toEqual(["SIGINT", "SIGKILL"]);
		expect(problems).toEqual(["it did not end within 5 ms after SIGINT and was killed"]);
	});

	test("does not wait for the callbacks of a process that ends meanwhile", async () => {
		const backend = fakeBackend();
		const { ended, problems } = begin(backend);
		await turn();
		backend.exit({ code: 3 });
		expect((await ended).code).toBe(3);
		expect(backend.asked).toEqual(["dispose", "SIGINT"]);
		expect(problems).toEqual([]);
	});

	test("only ends with the process: after SIGKILL it waits for the exit", async () => {
		const backend = fakeBackend();
		let done = false;
		const { ended } = begin(backend, { limits: short, graceful: false });
		void ended.then(() => {
			done = true;
		});
		while (!backend.asked.includes("SIGKILL")) await turn();
		await turn();
		expect(done).toBe(false);
		backend.exit();
		await ended;
		expect(done).toBe(true);
	});
});

describe("in a hurry", () => {
	test("from the beginning it is SIGKILL alone", async () => {
		const backend = fakeBackend();
		backend.obeys = ["SIGKILL"];
		const { ended, problems } = begin(backend, { hurry: AbortSignal.abort() });
		await ended;
		expect(backend.asked).toEqual(["SIGKILL"]);
		expect(problems).toEqual([]);
	});

	test("that comes during dispose, or after SIGINT, SIGKILL follows at once", async () => {
		for (const graceful of [true, false]) {
			const hurry = new AbortController();
			const backend = fakeBackend();
			backend.obeys = ["SIGKILL"];
			const { ended, problems } = begin(backend, { hurry: hurry.signal, graceful });
			await turn();
			hurry.abort();
			await ended;
			expect(backend.asked).toEqual([graceful ? "dispose" : "SIGINT", "SIGKILL"]);
			expect(problems).toEqual([]);
		}
	});
});
