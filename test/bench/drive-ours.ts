import "brood/child";

/** Plays a host of ours, as a program that embeds brood; it is compiled to one binary too. */
// Apart from the child's code, so that a binary that becomes a child does not load the host first.
const [{ serveOrders }, { oursPeer }] = await Promise.all([import("./driver.ts"), import("./peers/ours.ts")]);
await serveOrders(oursPeer(JSON.parse(process.argv[2] ?? "{}")));
