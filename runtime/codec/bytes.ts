/** One array of bytes from several, which together have `bytes` bytes. */
export function joinBytes(pieces: Uint8Array[], bytes: number): Uint8Array {
	const [only] = pieces;
	if (only !== undefined && pieces.length === 1) return only;
	const joined = new Uint8Array(bytes);
	let offset = 0;
	for (const piece of pieces) {
		joined.set(piece, offset);
		offset += piece.byteLength;
	}
	return joined;
}
