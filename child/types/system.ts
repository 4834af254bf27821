import type { Subscription, URI } from "./common.ts";

/** The machine and the person that the host runs for. */
export interface System {
	/** Opens a URL for the person. */
	open(url: string | URL): Promise<void>;
	readonly workspaceRoot: URI | null;
	readonly ampURL: URL;
	readonly user: SystemUser | null;
	readonly executor: { readonly kind: "local" | "remote" | "unknown"; keepAlive(): Promise<Subscription> };
}

export interface SystemUser {
	id: string;
	email: string;
	firstName: string | null;
	lastName: string | null;
	username: string | null;
	workspace: { id: string; name: string; displayName: string } | null;
}
