const { knownCLI, loadCLI }: typeof import("../backends/bundle-recall.ts") = require("../backends/bundle-recall.ts");

// Little is loaded here: this runs before it is known whether there is a bundle, which starts in a third of the time.
const folder = Bun.isStandaloneExecutable ? undefined : knownCLI();
const load = (path: string): typeof import("./start.ts") => require(path);
const bundle = folder === undefined ? undefined : loadCLI(folder, load);
if (bundle === undefined) await (await import("./start.ts")).start();
else await bundle.start(folder);
