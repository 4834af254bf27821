import { discoverAmp } from "../../../host/sources/amp.ts";
import type { Discovery } from "../../../host/spec.ts";
import { temporaryFolder } from "./temporary.ts";

/** A workspace `w` and a configuration home `c` in a temporary folder, and what discovery finds there. */
export function ampPlaces() {
	const disk = temporaryFolder();
	return {
		disk,
		discover: (explicit: string[] = []) =>
			discoverAmp({ workspaceRoot: disk.path("w"), configHome: disk.path("c"), explicit }),
		paths: ({ plugins }: Discovery) => plugins.map(({ path }) => path.slice(disk.path().length + 1)),
		names: ({ plugins }: Discovery) => plugins.map(({ name }) => name),
		reasonFor: ({ skipped }: Discovery, path: string) =>
			skipped.find((entry) => entry.path === disk.path(path))?.reason,
	};
}
