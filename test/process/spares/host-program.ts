/** A program with a host that keeps spares. Its argument: what it does once they wait. */
import { createHost } from "../../../host/index.ts";
import { sparePids } from "./support.ts";

const [then = "end"] = process.argv.slice(2);
const there = Promise.withResolvers<void>();
const host = await createHost({
	plugins: [],
	places: false,
	warm: 2,
	observe: (event) => event.type === "spares" && event.waiting === 2 && there.resolve(),
});
// Nothing of the host keeps this program until then.
const stay = setInterval(() => {}, 1_000);
await there.promise;
console.log(JSON.stringify(sparePids()));
const actions: Record<string, () => unknown> = {
	end: () => clearInterval(stay),
	stop: () => host.stop().then(() => clearInterval(stay)),
	exit: () => process.exit(3),
	wait: () => {},
};
await actions[then]?.();
