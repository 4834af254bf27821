/** A host over one plugin, which says what its tools are once they can be called, and ends when it is told to. */
import { createHost } from "brood";

const host = await createHost({ plugins: [process.argv[2] ?? ""], places: false });
for (const { key } of host.tools.list()) console.log(key);
process.on("SIGTERM", async () => {
	await host.stop();
	process.exit(0);
});
