import { defineAgent, defineTool } from "./define.ts";

/** Makes value imports of the author package resolve, under Amp's name and our own. */
export function installVirtualModules(): void {
	Bun.plugin({
		name: "brood",
		setup(build) {
			for (const name of ["@ampcode/plugin", "brood/plugin"]) {
				build.module(name, () => ({ exports: { defineAgent, defineTool }, loader: "object" }));
			}
		},
	});
}
