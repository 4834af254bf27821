import { failure } from "../../runtime/errors.ts";
import type { SystemProvider } from "../contracts/providers.ts";

/** Opens URLs with what the platform has for it. */
export function platformSystem(platform: string = process.platform): SystemProvider {
	return {
		async open(url, { signal }) {
			const opener = platform === "darwin" ? "open" : "xdg-open";
			// As it is now: Bun alone would look at what it was when the program started.
			const program = Bun.which(opener, { PATH: process.env.PATH ?? "" });
			if (program === null) {
				throw failure("provider_missing", {
					subject: "system.open",
					reason: `${opener} is not installed`,
					hint: `Open it yourself: ${url}`,
				});
			}
			const child = Bun.spawn([program, url], { stdin: "ignore", stdout: "ignore", stderr: "ignore", signal });
			child.unref();
			const code = await child.exited;
			if (code !== 0)
				throw failure("plugin_error", { subject: "system.open", reason: `${opener} exited with code ${code}` });
		},
	};
}
