import { serveOrders } from "./driver.ts";
import type { Peer } from "./peers/peer.ts";

/** Plays the host of one peer, whose name is the argument; another program than Bun may follow. */
const peers: Record<string, () => Promise<Peer>> = {
	floor: async () => (await import("./peers/floor.ts")).floorPeer(process.argv[3]),
	raw: async () => (await import("./peers/raw.ts")).rawPeer,
	own: async () => (await import("./peers/own.ts")).ownPeer("parts"),
	"own-lines": async () => (await import("./peers/own.ts")).ownPeer("lines"),
	concat: async () => (await import("./peers/concat.ts")).concatPeer,
	naive: async () => (await import("./peers/stdio.ts")).stdioPeer(process.execPath, "naive.ts"),
	node: async () => (await import("./peers/stdio.ts")).stdioPeer("node", "node.mjs"),
	worker: async () => (await import("./peers/worker.ts")).workerPeer,
	ipc: async () => (await import("./peers/ipc.ts")).ipcPeer,
	birpc: async () => (await import("./peers/birpc.ts")).birpcPeer,
	vscode: async () => (await import("./peers/vscode.ts")).vscodePeer,
	mcp: async () => (await import("./peers/mcp.ts")).mcpPeer,
};

const load = peers[process.argv[2] ?? ""];
if (load === undefined) throw new Error(`there is no peer of the name ${process.argv[2]}`);
await serveOrders(await load());
