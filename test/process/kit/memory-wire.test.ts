import { expect, test } from "bun:test";
import { memoryWire } from "../../kit/memory-wire.ts";

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const bytes = (written: string) => new TextEncoder().encode(written);
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const large = 200 * 1024;

/** A wire with all that its two sides hear. */
function open() {
	const heard: string[] = [];
	const wire = memoryWire(
		(task, ...given) => task(...given),
		(task) => task(),
	);
	const hear = (owner: string) => ({
		data: (given: Uint8Array) => heard.push(`${owner} ${given.byteLength < 100 ? text(given) : given.byteLength}`),
		drained: () => heard.push(`${owner} drained`),
		closed: () => heard.push(`${owner} closed`),
	});
	wire.host.open(hear("host"));
	wire.child.reader.open(hear("child"));
	return { ...wire, heard };
}

test("bytes arrive in order, later than they were written, and are the reader's to keep", async () => {
	const { host, child, heard } = open();
	const reused = bytes("a");
	host.write(reused);
	reused.set(bytes("b"));
	host.write(reused);
	reused.set(bytes("c"));
	child.sink.write(bytes("x"));
	expect(heard).toEqual([]);
	await turn();
	expect(heard.filter((entry) => entry.startsWith("child"))).toEqual(["child a", "child b"]);
	expect(heard).toContain("host x");
});

test("a child that does not read holds its host up, which hears when it reads again", async () => {
	const { host, child, heard } = open();
	child.reader.pause();
	expect(host.write(new Uint8Array(large))).toBe(large);
	expect(host.write(new Uint8Array(large))).toBeLessThan(large);
	expect(host.write(bytes("one more"))).toBe(0);
	await turn();
	expect(heard).toEqual([]);
	child.reader.resume();
	await turn();
	expect(heard.at(-1)).toBe("host drained");
	expect(host.write(bytes("again"))).toBe(5);
});

test("a host that does not read holds a child up that waits for it", async () => {
	const { host, child } = open();
	host.pause();
	child.sink.write(new Uint8Array(large));
	expect(child.sink.flush()).toBeUndefined();
	child.sink.write(new Uint8Array(large));
	const flushed = child.sink.flush();
	expect(flushed).toBeInstanceOf(Promise);
	await turn();
	expect(Bun.peek.status(flushed as Promise<unknown>)).toBe("pending");
	host.resume();
	await flushed;
	expect(child.sink.flush()).toBeUndefined();
});

test("who pauses while it is given something gets the rest, and the end, when it goes on", async () => {
	const { host, child } = open();
	const heard: string[] = [];
	child.reader.open({
		data(given) {
			heard.push(text(given));
			child.reader.pause();
		},
		closed: () => heard.push("closed"),
	});
	for (const word of ["a", "b"]) host.write(bytes(word));
	host.end();
	await turn();
	expect(heard).toEqual(["a"]);
	child.reader.resume();
	await turn();
	expect(heard).toEqual(["a", "b"]);
	child.reader.resume();
	await turn();
	expect(heard).toEqual(["a", "b", "closed"]);
});

test("of a child that has ended the host hears everything, then the end, and it hears nothing more itself", async () => {
	const { host, child, heard, close } = open();
	child.sink.write(bytes("last words"));
	host.write(bytes("too late"));
	close();
	child.sink.write(bytes("after the end"));
	await turn();
	expect(heard).toEqual(["host last words", "host closed"]);
	expect(host.write(bytes("nobody is there"))).toBe(0);
});

test("a host that ends the wire hears nothing more, and the child hears what was sent, then the end", async () => {
	const { host, child, heard } = open();
	host.write(bytes("bye"));
	child.sink.write(bytes("unheard"));
	host.end();
	await turn();
	expect(heard).toEqual(["child bye", "child closed"]);
});
