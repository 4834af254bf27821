import { describe, expect, test } from "bun:test";
import type { UploadRequest } from "../../../host/index.ts";
import { createAskBench } from "./support.ts";

const bench = createAskBench();

/** An upload desk that keeps what it is given. */
function keeping(url: unknown = "https://files.example/1") {
	const kept: UploadRequest[] = [];
	const upload = async (request: UploadRequest) => {
		kept.push(request);
		return { url } as { url: string };
	};
	return { kept, providers: { attachments: { upload } } };
}

describe("an image", () => {
	test.each([
		["image/png", png(640, 480)],
		["image/gif", gif(640, 480)],
		["image/jpeg", jpeg(640, 480)],
		["image/jpg", jpeg(640, 480)],
		["image/webp", webp(640, 480)],
	])("of type %s reaches the provider with its bytes and its size", async (mimeType, bytes) => {
		const { kept, providers } = keeping();
		const { call } = await bench.start({ providers });
		expect(await call("attachments.upload", { data: bytes.toBase64(), mimeType })).toEqual({
			value: { url: "https://files.example/1" },
		});
		expect(kept).toEqual([
			{ data: expect.any(Uint8Array), mimeType: mimeType.replace("jpg", "jpeg"), width: 640, height: 480 },
		]);
		expect(Buffer.from(kept[0]?.data ?? []).equals(bytes)).toBe(true);
	});

	test("may be given as bytes, as a part of a buffer, as base64 or as a data URL", async () => {
		const { kept, providers } = keeping();
		const { code } = await bench.start({ providers });
		const text = png(3, 2).toBase64();
		const told = await code(`
			const bytes = Uint8Array.fromBase64("${text}");
			const large = new Uint8Array(bytes.length + 9).fill(255);
			large.set(bytes, 4);
			const forms = [
				bytes, Buffer.from(bytes), bytes.buffer, large.subarray(4, 4 + bytes.length), Buffer.from(large.buffer, 4, bytes.length),
				new DataView(large.buffer, 4, bytes.length), "${text}", "${text.slice(0, 20)}\\n${text.slice(20)}",
				"data:image/png;base64,${text}",
			];
			for (const data of forms) await amp.attachments.upload({ data, mimeType: "image/png" });
			return forms.length;
		`);
		expect(told).toEqual({ value: kept.length });
		expect(kept).toHaveLength(9);
		for (const { data } of kept) expect(Buffer.from(data).equals(png(3, 2))).toBe(true);
	});

	test("at the limits is taken, and one past them is refused with the limit named", async () => {
		const { kept, providers } = keeping();
		const { call } = await bench.start({ providers });
		const upload = (bytes: Uint8Array) => call("attachments.upload", { data: bytes.toBase64(), mimeType: "image/png" });
		const refused = await Promise.all([
			upload(png(8_001, 1)),
			upload(png(1, 8_001)),
			upload(png(1, 1, 4_900_001)),
			upload(png(1, 1, 4_900_002)),
		]);
		expect(kept).toEqual([]);
		for (const { code } of refused) expect(code).toBe("invalid_params");
		expect(refused[0]?.message).toContain("at most 8000 pixels a side, and this one has 8001 x 1");
		expect(refused[2]?.message).toContain("at most 4900000 bytes, and this one has 4900001");
		expect((await upload(png(8_000, 8_000, 4_900_000))).code).toBeUndefined();
		expect(kept[0]?.data).toHaveLength(4_900_000);
	});

	test("has the limits that the host sets", async () => {
		const { providers } = keeping();
		const limits = { attachments: { imageBytesMax: 100, imageSidePixelsMax: 10 } };
		const { call } = await bench.start({ providers, limits });
		const upload = (bytes: Uint8Array) => call("attachments.upload", { data: bytes.toBase64(), mimeType: "image/png" });
		expect((await upload(png(11, 1))).message).toContain("at most 10 pixels");
		expect((await upload(png(1, 1, 101))).message).toContain("at most 100 bytes");
		expect((await upload(png(10, 10, 100))).value).toEqual({ url: "https://files.example/1" });
	});
});

test("what is no image, or not the one it says, is refused in the plugin's own call", async () => {
	const { kept, providers } = keeping();
	const { call } = await bench.start({ providers });
	const image = png(1, 1).toBase64();
	const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>').toBase64();
	const rows: [unknown, string][] = [
		[undefined, "mimeType is a text"],
		[{ data: image }, "mimeType is a text"],
		[{ mimeType: "image/png" }, "data is a Uint8Array or a text of base64"],
		[{ data: 7, mimeType: "image/png" }, "data is a Uint8Array or a text of base64"],
		[{ data: "", mimeType: "image/png" }, "data is empty"],
		[{ data: "no base64!", mimeType: "image/png" }, "this text is none"],
		[{ data: `data:image/gif;base64,${image}`, mimeType: "image/png" }, "the data URL says image/gif"],
		[{ data: image, mimeType: "image/gif" }, "mimeType says image/gif, and data is image/png"],
		[{ data: Buffer.from("hello").toBase64(), mimeType: "image/png" }, "data is none of these images"],
		[{ data: image, mimeType: "text/plain" }, "mimeType is image/png, image/jpeg, image/gif, image/webp"],
		[{ data: image, mimeType: "__proto__" }, "mimeType is image/png, image/jpeg, image/gif, image/webp"],
		[{ data: drawing, mimeType: "image/svg+xml" }, "mimeType is image/png, image/jpeg, image/gif, image/webp"],
		[{ data: drawing, mimeType: "image/png" }, "data is none of these images"],
		[{ data: png(1, 1).subarray(0, 12).toBase64(), mimeType: "image/png" }, "data cannot be read as an image"],
		[{ data: jpeg(1, 1).subarray(0, 8).toBase64(), mimeType: "image/jpeg" }, "data cannot be read as an image"],
	];
	const told = await Promise.all(rows.map(([attachment]) => call("attachments.upload", attachment)));
	for (const [index, [, text]] of rows.entries()) {
		expect(told[index]).toEqual({ code: "invalid_params", message: expect.stringContaining(text) });
	}
	expect(kept).toEqual([]);
});

test("an answer that is no http or https URL is a named error and a line in the log", async () => {
	const image = { data: png(1, 1).toBase64(), mimeType: "image/png" };
	for (const url of [null, 7, "x", "file:///x", "javascript:alert(1)"]) {
		const { providers } = keeping(url);
		const { host, call, logged } = await bench.start({ providers });
		expect((await call("attachments.upload", image)).code).toBe("invalid_answer");
		await logged("p", "url begins with http:// or https://");
		await host.stop();
	}
});

test("a provider that throws, is late or is missing is a named error", async () => {
	const image = { data: png(1, 1).toBase64(), mimeType: "image/png" };
	const full = async () => {
		throw new Error("no room");
	};
	const never = () => new Promise<{ url: string }>(() => {});
	const [throwing, late, missing] = await Promise.all([
		bench.start({ providers: { attachments: { upload: full } } }),
		bench.start({ providers: { attachments: { upload: never } }, limits: { attachments: { uploadMs: 40 } } }),
		bench.start(),
	]);
	expect(await throwing.call("attachments.upload", image)).toEqual({
		code: "provider_failed",
		message: 'The attachments provider of the host failed at attachments.upload of plugin "p": no room.',
	});
	await throwing.logged("p", "no room");
	expect((await late.call("attachments.upload", image)).code).toBe("timeout");
	const told = await missing.call("attachments.upload", image);
	expect(told.code).toBe("provider_missing");
	expect(told.message).toContain("providers.attachments");
});

/** The beginning of an image is all that its size is read from; the rest is filled up to so many bytes. */
function png(width: number, height: number, length = 45): Buffer {
	const bytes = Buffer.alloc(length);
	bytes.write("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1");
	bytes.writeUInt32BE(width, 16);
	bytes.writeUInt32BE(height, 20);
	return bytes;
}

function gif(width: number, height: number): Buffer {
	const bytes = Buffer.alloc(20);
	bytes.write("GIF89a", "latin1");
	bytes.writeUInt16LE(width, 6);
	bytes.writeUInt16LE(height, 8);
	return bytes;
}

function jpeg(width: number, height: number): Buffer {
	const bytes = Buffer.alloc(48);
	bytes.write("\xff\xd8\xff\xe0\x00\x10JFIF\0", "latin1");
	bytes.write("\xff\xc0\x00\x11\x08", 20, "latin1");
	bytes.writeUInt16BE(height, 25);
	bytes.writeUInt16BE(width, 27);
	return bytes;
}

function webp(width: number, height: number): Buffer {
	const bytes = Buffer.alloc(40);
	bytes.write("RIFF\x20\0\0\0WEBPVP8X\x0a\0\0\0", "latin1");
	bytes.writeUIntLE(width - 1, 24, 3);
	bytes.writeUIntLE(height - 1, 27, 3);
	return bytes;
}
