import { closeSync, constants, openSync, readSync, type Stats, statSync } from "node:fs";
import { messageOf } from "../../runtime/errors.ts";
import { read, stat } from "./files.ts";

/** What was read of a file. */
export interface TextFile {
	/** Decoded from UTF-8; without a byte order mark. */
	text: string;
	/** Whether the file goes on after that. */
	cut: boolean;
}

/**
 * Reads at most `bytesMax` bytes of a regular file. Anything else is refused without being opened: a FIFO would block.
 *
 * @throws Error of the file system, or one whose message says what the path is instead of a file
 */
export async function readTextFile(path: string, bytesMax: number): Promise<TextFile> {
	const { bytes, cut } = await readStart(path, bytesMax);
	return { text: new TextDecoder().decode(bytes), cut };
}

/** Like `readTextFile`, with the bytes as they are. */
export async function readStart(path: string, bytesMax: number): Promise<{ bytes: Uint8Array; cut: boolean }> {
	refuseOthers(await stat(path));
	const descriptor = openSync(path, openFlags);
	try {
		const bytes = Buffer.allocUnsafe(bytesMax + 1);
		let length = readNear(descriptor, bytes);
		while (length >= nearBytesMax && length < bytes.length) {
			const bytesRead = await read(descriptor, bytes, length, bytes.length - length, null);
			if (bytesRead === 0) break;
			length += bytesRead;
		}
		return startOf(bytes, length, bytesMax);
	} finally {
		closeSync(descriptor);
	}
}

/** Like `readTextFile`, at once: for at most 256 KiB of a file in a folder that was looked at just now. */
export function readTextFileNow(path: string, bytesMax: number): TextFile {
	const facts = statSync(path);
	refuseOthers(facts);
	const descriptor = openSync(path, openFlags);
	try {
		// Most files are small, and room for the largest, for each of many, soon has garbage collected.
		let room: Uint8Array = Buffer.allocUnsafe(Math.min(facts.size, bytesMax) + 1);
		let length = readNear(descriptor, room);
		if (length === room.length && length <= bytesMax) {
			// It has grown meanwhile, or its system does not tell how large it is.
			room = Buffer.concat([room], bytesMax + 1);
			length += readNear(descriptor, room.subarray(length));
		}
		const { bytes, cut } = startOf(room, length, bytesMax);
		return { text: new TextDecoder().decode(bytes), cut };
	} finally {
		closeSync(descriptor);
	}
}

function refuseOthers(facts: Stats): void {
	if (!facts.isFile()) throw new Error(`it is ${describeFileType(facts)}, not a file`);
}

// Should the file be replaced by a FIFO right now, the read fails instead of waiting.
const openFlags = constants.O_RDONLY | constants.O_NONBLOCK;

/** Reads the beginning in this thread: to ask another one takes longer than to read what most files hold. */
function readNear(descriptor: number, bytes: Uint8Array): number {
	let length = 0;
	const end = Math.min(bytes.length, nearBytesMax);
	while (length < end) {
		const bytesRead = readSync(descriptor, bytes, length, end - length, null);
		if (bytesRead === 0) break;
		length += bytesRead;
	}
	return length;
}

// One byte more than is read of a plugin, which tells whether it goes on.
const nearBytesMax = 256 * 1024 + 1;

function startOf(bytes: Uint8Array, length: number, bytesMax: number): { bytes: Uint8Array; cut: boolean } {
	return { bytes: bytes.subarray(0, Math.min(length, bytesMax)), cut: length > bytesMax };
}

/** Says what something on disk is, with its article. */
export function describeFileType(facts: Stats): string {
	if (facts.isFile()) return "a file";
	if (facts.isDirectory()) return "a directory";
	if (facts.isFIFO()) return "a FIFO";
	if (facts.isSocket()) return "a socket";
	return "a device";
}

/** Whether an error says that nothing is there. */
export function isMissing(error: unknown): boolean {
	return isAbsent(error) || errorCode(error) === "ENOTDIR";
}

/** Whether an error says that nothing is there although something could be. */
export function isAbsent(error: unknown): boolean {
	return errorCode(error) === "ENOENT";
}

/** Says as a clause why something on disk cannot be used. */
export function describeFileError(error: unknown, purpose: "read" | "write" = "read"): string {
	const code = errorCode(error);
	if (code === "ENOENT") return "it does not exist";
	if (code === "ENOTDIR") return "a part of its path is not a directory";
	if (code === "EACCES" || code === "EPERM") return `permission to ${purpose} it is denied`;
	if (code === "ELOOP") return "its links form a loop";
	return messageOf(error);
}

export function errorCode(error: unknown): unknown {
	return error instanceof Error && "code" in error ? error.code : undefined;
}
