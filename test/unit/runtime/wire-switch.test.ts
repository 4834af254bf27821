import { expect, test } from "bun:test";
import { readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import type { WireListener } from "../../../runtime/wire.ts";
import { socketWire } from "../../../runtime/wire-socket.ts";
import { switchingWire } from "../../../runtime/wire-switch.ts";
import { turn } from "./support.ts";

const entry = join(import.meta.dir, "../../fixtures/wire/other-side.ts");

const tailBytes = 100_000;

/** How many descriptors of its wire a process has; its output may be a socket too. */
function wireDescriptors(pid: number): number {
	const folder = `/proc/${pid}/fd`;
	const fileOf = (descriptor: string) => {
		try {
			return readlinkSync(join(folder, descriptor));
		} catch {
			// It was closed since.
			return undefined;
		}
	};
	const wire = fileOf("3");
	return readdirSync(folder).filter((descriptor) => fileOf(descriptor) === wire).length;
}

test.each([1, 2, 7, 30, 100])(
	"a wire that is changed for a faster one after %d chunks loses nothing, and keeps the order, whatever comes meanwhile",
	async (chunks) => {
		const command = [process.execPath, entry, "switching", "echo", "0", String(chunks)];
		await using child = Bun.spawn(command, { stdio: ["ignore", "ignore", "inherit", "socket-fd"] });
		const wire = socketWire(child.stdio[3] ?? -1);
		// The first one has two descriptors of its own.
		const isChanged = () => wireDescriptors(child.pid) === 1;
		const sent = new Uint8Array(2_000_000).map((_, index) => (index * 7 + (index >> 8)) % 251);
		const heard = new Uint8Array(sent.byteLength);
		let came = 0;
		let given = 0;
		const all = Promise.withResolvers<void>();
		const drained = { tell() {} };
		wire.open({
			data(bytes) {
				heard.set(bytes, came);
				came += bytes.byteLength;
				if (came === given) drained.tell();
				if (came === sent.byteLength) all.resolve();
			},
			drained: () => drained.tell(),
			closed: (error) => all.reject(error ?? new Error("it has ended")),
		});
		async function give(bytes: number): Promise<void> {
			for (const end = Math.min(given + bytes, sent.byteLength); given < end; ) {
				const { promise, resolve } = Promise.withResolvers<void>();
				drained.tell = resolve;
				given += wire.write(sent.subarray(given, end));
				if (given < end) await promise;
			}
		}
		// Small pieces with answers between them, a few at once, and more than fits in between.
		for (let round = 0; given < sent.byteLength - tailBytes; round += 1) {
			await give([1, 40, 300, 5, 70_000, 9, 2, 12_000][round % 8] ?? 1);
			if (round % 3 === 0) await new Promise((resolve) => setImmediate(resolve));
			if (round % 5 === 0) await Bun.sleep(0);
		}
		// One after the other: now is the moment, if there was none before. What is left comes over the second one. The
		// descriptors of the first one are closed some time after.
		for (let piece = 0; piece < 2 * chunks + 10 || (piece < 5_000 && !isChanged()); piece += 1) {
			await give(1);
			const answered = Promise.withResolvers<void>();
			drained.tell = answered.resolve;
			if (came < given) await answered.promise;
		}
		if (process.platform === "linux") expect(isChanged()).toBe(true);
		await give(tailBytes);
		await all.promise;
		expect(Bun.hash(heard)).toBe(Bun.hash(sent));
		wire.end();
		expect(await child.exited).toBe(0);
	},
);

test("a wire on which little comes in a time stays what it is, however long it lives", async () => {
	const { wire, quiet, state } = switching();
	for (let chunk = 0; chunk < 100; chunk += 1) {
		quiet.data(new Uint8Array(1));
		state.now += 30;
		await turn();
	}
	expect(state.wire).toBe("quiet");
	for (let chunk = 0; chunk < 5; chunk += 1) quiet.data(new Uint8Array(1));
	await turn();
	expect(state.wire).toBe("busy");
	wire.write(new Uint8Array(1));
	expect(state.written).toEqual(["busy"]);
});

test("a wire with something on its way is not changed before the next chunk shows that it has arrived", async () => {
	const { quiet, state } = switching();
	state.isLeavable = false;
	for (let chunk = 0; chunk < 9; chunk += 1) quiet.data(new Uint8Array(1));
	await turn();
	state.isLeavable = true;
	await turn();
	expect(state.wire).toBe("quiet");
	quiet.data(new Uint8Array(1));
	await turn();
	expect(state.wire).toBe("busy");
});

/** A wire of two fakes that is busy once five chunks come within a hundred milliseconds. */
function switching() {
	const state = { wire: "quiet", now: 0, isLeavable: true, written: [] as string[] };
	const listeners: WireListener[] = [];
	const fake = (name: string) => ({
		open: (listener: WireListener) => void listeners.push(listener),
		write(bytes: Uint8Array) {
			state.written.push(name);
			return bytes.byteLength;
		},
		pause() {},
		resume() {},
		end() {},
	});
	const busy = () => {
		state.wire = "busy";
		return fake("busy");
	};
	const wire = switchingWire({ ...fake("quiet"), leave: () => state.isLeavable }, busy, {
		chunks: 5,
		ms: 100,
		now: () => state.now,
	});
	wire.open({ data() {}, drained() {}, closed() {} });
	const [quiet] = listeners;
	if (quiet === undefined) throw new Error("it was not opened");
	return { wire, quiet, state };
}
