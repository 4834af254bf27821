import type { Bytes } from "../../runtime/bytes.ts";
import { failure, messageOf } from "../../runtime/errors.ts";
import type { Limits } from "../../runtime/limits.ts";
import type { AskContext } from "../contracts/ask-context.ts";
import type { AttachmentsProvider } from "../contracts/attachments.ts";
import { askProvider, type Paced, refuseAnswer } from "./ask-provider.ts";
import { parseParams } from "./door.ts";

export interface AskAttachmentsParts {
	provider: AttachmentsProvider | undefined;
	limits: Limits["attachments"];
	paced: Paced;
	problem(message: string): void;
}

const subject = "attachments.upload";

/** Answers `attachments.upload`: only an image within the limits reaches the provider. */
export function createAskAttachments({ provider, limits, paced, problem }: AskAttachmentsParts) {
	return async (params: unknown, context: AskContext): Promise<{ url: string }> => {
		const { plugin } = context;
		const { data, mimeType } = await parseParams(subject, params);
		if (provider === undefined) {
			const hint = "The host can pass providers.attachments to createHost.";
			throw failure("provider_missing", { plugin, subject, hint });
		}
		const image = await paced(context.signal, () => readImage(data, mimeType, limits));
		const question = { provider: "attachments", subject, context, ms: limits.uploadMs, problem } as const;
		const answer: unknown = await askProvider(question, (within) => provider.upload(image, within));
		const url = urlOf(answer);
		if (url !== undefined) return { url };
		throw refuseAnswer(question, "url begins with http:// or https://");
	};
}

async function readImage(
	data: string | Bytes,
	mimeType: string,
	{ imageBytesMax, imageSidePixelsMax }: Limits["attachments"],
): Promise<{ data: Uint8Array; mimeType: string; width: number; height: number }> {
	const type = mimeType
		.trim()
		.toLowerCase()
		.replace(/^image\/jpg$/, "image/jpeg");
	if (!Object.hasOwn(signatures, type)) {
		throw refused(`mimeType is ${Object.keys(signatures).join(", ")}, not "${mimeType.slice(0, 100)}"`);
	}
	const bytesCount = countBytes(data);
	if (bytesCount > imageBytesMax) {
		throw refused(`an image has at most ${imageBytesMax} bytes, and this one has ${bytesCount}`);
	}
	const { imageSize } = await import("image-size");
	const bytes = decoded(data);
	const found = typeOf(bytes);
	if (found !== type) throw refused(`mimeType says ${type}, and data is ${found ?? "none of these images"}`);
	const { width, height } = measured(bytes, imageSize);
	if (Math.max(width, height) > imageSidePixelsMax) {
		throw refused(`an image has at most ${imageSidePixelsMax} pixels a side, and this one has ${width} x ${height}`);
	}
	return { data: bytes, mimeType: type, width, height };
}

/** Before it is decoded: four characters hold three bytes. */
function countBytes(data: string | Bytes): number {
	if (typeof data !== "string") return data.view.byteLength;
	return Math.floor((data.length * 3) / 4) - (data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0);
}

function decoded(data: string | Bytes): Uint8Array {
	if (typeof data !== "string") return data.view;
	try {
		return Uint8Array.fromBase64(data);
	} catch {
		throw refused("data is no base64");
	}
}

function measured(bytes: Uint8Array, imageSize: typeof import("image-size").imageSize) {
	try {
		return imageSize(bytes);
	} catch (error) {
		throw refused(`data cannot be read as an image: ${messageOf(error)}`);
	}
}

// Those that models read. What is read of others may take a hostile image's own time, and drawings are programs.
const signatures: Record<string, (start: string) => boolean> = {
	"image/png": (start) => start.startsWith("\x89PNG\r\n\x1a\n"),
	"image/jpeg": (start) => start.startsWith("\xff\xd8\xff"),
	"image/gif": (start) => start.startsWith("GIF87a") || start.startsWith("GIF89a"),
	"image/webp": (start) => start.startsWith("RIFF") && start.startsWith("WEBPVP8", 8),
};

function typeOf(bytes: Uint8Array): string | undefined {
	const start = String.fromCharCode(...bytes.subarray(0, 16));
	return Object.keys(signatures).find((type) => signatures[type]?.(start));
}

function urlOf(answer: unknown): string | undefined {
	if (typeof answer !== "object" || answer === null || !("url" in answer)) return undefined;
	const parsed = typeof answer.url === "string" ? URL.parse(answer.url) : null;
	return parsed !== null && /^https?:$/.test(parsed.protocol) ? parsed.href : undefined;
}

function refused(reason: string): Error {
	return failure("invalid_params", { subject, reason });
}
