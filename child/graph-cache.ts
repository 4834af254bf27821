/** The modules of the graph that loads this file, which has a cache of its own. */
export const { cache }: { cache: object } = require;
