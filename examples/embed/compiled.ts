// The same host as one file that needs no Bun and nothing beside it: started again by itself it becomes the plugin's
// child, which the first import sees to; what is imported by `await` it does not load. Build it (on one line), run it:
//   bun build --compile --bytecode --format=esm --splitting --compile-autoload-package-json --compile-autoload-tsconfig examples/embed/compiled.ts --outfile my-host
//   ./my-host examples/plugins/hello.ts greet '{"name":"Ada"}'
import "brood/child";

const { createHost } = await import("brood");

const [plugin, tool = "greet", input = '{"name":"Ada"}'] = process.argv.slice(2);

// A path that leads nowhere rejects; a plugin that does not load keeps no other from loading.
await using host = await createHost({ plugins: plugin === undefined ? [] : [plugin], places: false }).catch(fail);
for (const { error } of host.plugins.list()) if (error !== undefined) console.error(error.message);
for (const { key, item } of host.tools.list()) console.log(`${key}: ${item.description}`);

const { ok, text } = await host.tools.call(tool, JSON.parse(input));
console.log(text);
process.exitCode = ok ? 0 : 1;

function fail({ message }: Error): never {
	console.error(message);
	process.exit(1);
}
