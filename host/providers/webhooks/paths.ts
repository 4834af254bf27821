/** The path of a webhook: two secrets, which follow from who has it and from what only the file holds. */
export interface WebhookPath {
	path: string;
	/** The part that all webhooks of a plugin share; without it the rest is of no use to anybody. */
	secret: string;
}

export function pathOf(master: Uint8Array, workspace: string, plugin: string, key: string): WebhookPath {
	const secret = secretOf(master, ["plugin", workspace, plugin]);
	return { path: `/${secret}/${secretOf(master, ["key", workspace, plugin, key])}`, secret };
}

/** Names the file to those that use it together, and tells nothing of what it holds. */
export function identityOf(master: Uint8Array): string {
	return keyed(master, ["identity"]).toHex();
}

/** What a path is looked up by, so that the time which a wrong one takes tells nothing about a right one. */
export function hashOf(path: string): Uint8Array {
	return new Uint8Array(new Bun.CryptoHasher("sha256").update(path).digest());
}

/** 128 bits that only who has the file can make. */
function secretOf(master: Uint8Array, names: string[]): string {
	return keyed(master, names).subarray(0, 16).toBase64({ alphabet: "base64url", omitPadding: true });
}

function keyed(master: Uint8Array, names: string[]): Uint8Array {
	return new Uint8Array(new Bun.CryptoHasher("sha256", master).update(JSON.stringify(names)).digest());
}
