import { type BroodError, failure, messageOf } from "../../runtime/errors.ts";
import { type ClientInfoParams, protocolVersion } from "../../runtime/protocol.ts";
import { quick } from "../../runtime/schema/quick.ts";
import type { PluginSpec } from "../spec.ts";
import { parseParams } from "./door.ts";

/**
 * Reads how a child introduces itself. One that tells nothing of its protocol is taken for one of this protocol.
 * @throws BroodError `incompatible_protocol` for another protocol and for what is no version, `load_failed` for the rest
 */
export async function readHello(spec: PluginSpec, params: unknown): Promise<ClientInfoParams> {
	const info = quick.clientInfo(params) ? params : await parse(spec, params);
	const incompatible = explainIncompatible(spec, info.protocol ?? protocolVersion);
	if (incompatible !== undefined) throw incompatible;
	return info;
}

/** What is said of a child that can keep only the console from its wire. */
export const unguarded = "bun:ffi cannot be used: what it writes to stdout past the console breaks its connection";

async function parse(spec: PluginSpec, params: unknown): Promise<ClientInfoParams> {
	try {
		return await parseParams("client.info", params);
	} catch (error) {
		const { protocol } = (params ?? {}) as { protocol?: unknown };
		const isVersion = protocol === undefined || typeof protocol === "string";
		throw failure(isVersion ? "load_failed" : "incompatible_protocol", {
			plugin: spec.name,
			stage: "client.info",
			reason: `${messageOf(error).replace(/\.$/, "")}; this host speaks protocol ${protocolVersion}`,
			cause: error,
		});
	}
}

/** The same major version means compatible, whichever is newer; the version of the product means nothing here. */
function explainIncompatible(spec: PluginSpec, protocol: string): BroodError | undefined {
	const major = protocolVersion.split(".")[0];
	if (protocol === protocolVersion || Bun.semver.satisfies(protocol, `^${major}.0.0`)) return undefined;
	const shown = protocol.length > shownCharsMax ? `${protocol.slice(0, shownCharsMax)}…` : protocol;
	const reason = `it speaks protocol ${shown === "" ? '""' : shown}, this host ${protocolVersion}`;
	return failure("incompatible_protocol", { plugin: spec.name, stage: "client.info", reason });
}

const shownCharsMax = 40;
