import { socketWireFlag } from "../runtime/protocol.ts";

/** How this process was started. */
export interface Launch {
	/** Whether the wire is the socket that the host gave; else it is stdin and stdout. */
	socket: boolean;
	/** The plugin; absent in a process that was started before there was one for it, and where only the host tells. */
	path?: string | undefined;
	/** The folder to be in, where the host could not start this process there. */
	root?: string | undefined;
}

/** Reads `… PLUGIN --wire=3 [ROOT]`; what comes before depends on how the host re-executes itself. */
export function readLaunch(argv: readonly string[]): Launch {
	const flag = argv.indexOf(socketWireFlag);
	if (flag < 0) return { socket: false };
	const [path, root] = [argv[flag - 1], argv[flag + 1]];
	return { socket: true, path: path || undefined, root: root || undefined };
}
