import type { Subscription, URI } from "./common.ts";

/** The machine and the person that the host runs for. */
export interface System {
	/** Opens a URL for the person; it begins with https:, http:, mailto: or file:. */
	open(url: string | URL): Promise<void>;
	/** The folder that the person works in, as a file URI; the same as long as the plugin runs. */
	readonly workspaceRoot: URI | null;
	/** The base URL of the client. */
	readonly ampURL: URL;
	/** The person, where the host knows one. */
	readonly user: SystemUser | null;
	readonly executor: SystemExecutor;
}

/** What the plugin runs on. */
export interface SystemExecutor {
	/** `local`: the person's own machine; `remote`: one that may end when nobody seems to need it. */
	readonly kind: "local" | "remote" | "unknown";
	/**
	 * Keeps a managed remote alive until it is unsubscribed, or the plugin's process ends.
	 * @throws BroodError `provider_missing` everywhere else, since nothing there has to be kept alive
	 */
	keepAlive(): Promise<Subscription>;
}

export interface SystemUser {
	id: string;
	email: string;
	firstName: string | null;
	lastName: string | null;
	username: string | null;
	workspace: { id: string; name: string; displayName: string } | null;
}
