import { describe, expect, test } from "bun:test";
import { dirname, join } from "node:path";
import type { UploadRequest } from "../../../host/index.ts";
import { Bytes } from "../../../runtime/bytes.ts";
import { type ByteChannel, openByteChannel } from "../../../runtime/channel.ts";
import { codecOf, ndjson } from "../../../runtime/codec/ndjson.ts";
import { limits } from "../../../runtime/limits.ts";
import { createPeer } from "../../../runtime/peer.ts";
import { type ClientInfo, type CodecName, protocolVersion } from "../../../runtime/protocol.ts";
import type { ByteWire } from "../../../runtime/wire.ts";
import { socketWire } from "../../../runtime/wire-socket.ts";
import { streamWire } from "../../../runtime/wire-stream.ts";
import { createBench } from "../support/host.ts";

const bench = createBench();
const root = join(import.meta.dir, "../../..");
const imageBytes = 3_000_000;

// Uploads an image, and changes its buffer at once.
const uploader = `
	const image = new Uint8Array(${imageBytes});
	image.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 9, 0, 0, 0, 7]);
	image.fill(10, 1_000);
	const upload = (amp) => {
		const uploaded = amp.attachments.upload({ data: image, mimeType: "image/png" });
		image.fill(0);
		return uploaded;
	};`;
const emptySchema = '{ type: "object" }';

describe("an upload", () => {
	test("of a plugin reaches the host as the bytes that it had, in about as many on the wire", async () => {
		const kept: UploadRequest[] = [];
		const upload = async (request: UploadRequest) => {
			kept.push(request);
			return { url: "https://files.example/1" };
		};
		const source = `${uploader} export default (amp) => { amp.registerTool({
			name: "upload", description: "", inputSchema: ${emptySchema}, execute: async () => (await upload(amp)).url,
		}); };`;
		const { host, frames } = await bench.start({ p: source }, { providers: { attachments: { upload } } });
		expect((await host.tools.call("upload", {})).text).toBe("https://files.example/1");
		expect(kept).toMatchObject([{ width: 9, height: 7 }]);
		expect(kept[0]?.data).toHaveLength(imageBytes);
		expect(kept[0]?.data.subarray(1_000).every((byte) => byte === 10)).toBe(true);
		const call = frames("p").find(({ method, kind }) => method === "attachments.upload" && kind === "call");
		expect(call?.bytes).toBeWithin(imageBytes, imageBytes + 1_000);
	});

	// What a host answers that knows another codec is no name that this child knows.
	test.each(["ndjson", "ndjson+parts", "cbor" as CodecName] as const)(
		"is in the codec that the host names: %s",
		async (codec) => {
			const plugin = bench.write("alone", `${uploader} export default upload;`);
			const child = Bun.spawn([process.execPath, join(root, "child/entry.ts"), plugin], {
				stdin: "pipe",
				stdout: "pipe",
				stderr: "ignore",
			});
			const { peer } = open(streamWire(child.stdout, child.stdin));
			peer.handle("client.info", () => clientInfo(plugin, codec));
			const asked = Promise.withResolvers<unknown>();
			peer.handle("attachments.upload", (params) => {
				asked.resolve((params as { data: unknown }).data);
				return { url: "https://files.example/1" };
			});
			const data = await asked.promise;
			await child.stdin.end();
			await child.exited;
			const bytes = data instanceof Bytes ? data.view : Uint8Array.fromBase64(String(data));
			expect(data instanceof Bytes).toBe(codec === "ndjson+parts");
			expect(bytes).toHaveLength(imageBytes);
			expect(bytes.subarray(1_000).every((byte) => byte === 10)).toBe(true);
		},
	);
});

describe("a large result", () => {
	const plugin = `export default (amp) => {
		const tool = (name, execute) => amp.registerTool({ name, description: "", inputSchema: ${emptySchema}, execute });
		tool("large", () => "é".repeat(8_000_000));
		tool("small", () => "small");
		tool("echo", ({ text }) => text);
		tool("leave", () => { setImmediate(() => process.exit(0)); return "x".repeat(12_000_000); });
	};`;

	test("holds up no call beside it: the answers that come after it pass it", async () => {
		const { host } = await bench.start({ p: plugin });
		const ended: string[] = [];
		const call = async (name: string) => {
			const { text } = await host.tools.call(name, {}, { events: false });
			ended.push(name);
			return text;
		};
		const [large, ...small] = await Promise.all([call("large"), ...Array.from({ length: 20 }, () => call("small"))]);
		expect(large).toBe("é".repeat(8_000_000));
		expect(small).toEqual(Array(20).fill("small"));
		expect(ended.at(-1)).toBe("large");
	});

	test("and a large input arrive as they are", async () => {
		const { host } = await bench.start({ p: plugin });
		const text = '😀 "x"\n\u0001\u0002'.repeat(100_000);
		const result = await host.tools.call("echo", { text }, { events: false });
		expect(result.text === text).toBe(true);
	});

	test("is whole although the plugin exits right behind it", async () => {
		const { host } = await bench.start({ p: plugin });
		const { text } = await host.tools.call("leave", {}, { events: false });
		expect(text === "x".repeat(12_000_000)).toBe(true);
	});
});

test.each(["ndjson+parts", "ndjson"])("two peers give each other bytes of any number in %s", async (codec) => {
	const stdio = ["ignore", "inherit", "inherit", "socket-fd"] as const;
	const other = Bun.spawn([process.execPath, join(root, "test/fixtures/wire/echo-peer.ts"), codec], {
		stdio: [...stdio],
	});
	const { peer, channel } = open(socketWire(Number(other.stdio[3])));
	channel()?.speak(codecOf(codec));
	for (const size of [0, 1, 65_520, 65_521, 5_000_000]) {
		const sent = crypto.getRandomValues(new Uint8Array(Math.min(size, 65_536)));
		const view = new Uint8Array(size).map((_, index) => sent[index % sent.length] ?? 0);
		const answer = await peer.call("echo", { data: [new Bytes(view)], plain: { data: null } });
		const { data, plain } = answer as { data: [unknown]; plain: unknown };
		const back = data[0] instanceof Bytes ? data[0].view : Uint8Array.fromBase64(String(data[0]));
		expect(data[0] instanceof Bytes).toBe(codec === "ndjson+parts");
		expect(Buffer.compare(back, view)).toBe(0);
		expect(plain).toEqual({ data: null });
	}
	other.kill();
	await other.exited;
});

function open(wire: ByteWire) {
	let channel: ByteChannel | undefined;
	const peer = createPeer((listener) => {
		channel = openByteChannel({ wire, codec: ndjson, limits: limits.wire, listener });
		return channel;
	}, limits.wire);
	return { peer, channel: () => channel };
}

function clientInfo(path: string, codec: CodecName): ClientInfo {
	return {
		protocol: protocolVersion,
		client: { name: "test", version: "1.0.0" },
		plugin: { name: "alone", path, root: dirname(path), scope: "explicit", kind: "file" },
		workspaceRoot: null,
		ampURL: "https://example.com/",
		user: null,
		executor: { kind: "local" },
		activeThread: null,
		ui: false,
		providers: ["attachments"],
		codec,
	};
}
