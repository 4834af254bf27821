import * as fs from "node:fs";

/**
 * What a start asks of the file system, as promises. `node:fs/promises` gives the same, and takes longer to load than all
 * that a start asks; the rest of it is for what is loaded later.
 */
export const stat = promised<[path: string], fs.Stats>(fs.stat);
/** Of a link itself. */
export const lstat = promised<[path: string], fs.Stats>(fs.lstat);
/** The names in a folder, in no order. */
export const readdir = promised<[path: string], string[]>(fs.readdir);
/** Where a link leads, as it says itself. */
export const readlink = promised<[path: string], string>(fs.readlink);
/** The path with every link followed. */
export const realpath = promised<[path: string], string>(fs.realpath);

/** Reads on; gives how many bytes came. */
export const read = promised<
	[descriptor: number, bytes: Uint8Array, offset: number, length: number, position: null],
	number
>(fs.read);

type Callback<Result> = (error: Error | null, result: Result) => void;

function promised<Parameters extends unknown[], Result>(
	call: (...all: [...Parameters, Callback<Result>]) => void,
): (...parameters: Parameters) => Promise<Result> {
	return (...parameters) =>
		new Promise((resolve, reject) => {
			call(...parameters, (error, result) => (error === null ? resolve(result) : reject(error)));
		});
}
