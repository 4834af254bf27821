// A program of your own that has plugins: it loads one, lists its tools, calls one and stops.
// Run it: bun examples/embed/host.ts
//     or: bun examples/embed/host.ts PLUGIN TOOL INPUT
import { createHost } from "brood";

const hello = `${import.meta.dir}/../plugins/hello.ts`;
const [plugin = hello, tool = "greet", input = '{"name":"Ada"}'] = process.argv.slice(2);

await using host = await createHost({ plugins: [plugin], places: false });
for (const { key, item } of host.tools.list()) console.log(`${key}: ${item.description}`);

const { ok, text } = await host.tools.call(tool, JSON.parse(input));
console.log(text);
process.exitCode = ok ? 0 : 1;
