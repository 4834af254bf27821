import { expect, test } from "bun:test";
import { driveDev, version } from "./dev-support.ts";
import { createDesk } from "./support.ts";

const desk = createDesk();

async function driven() {
	await desk.write({ "one.ts": version("a", 1) });
	const dev = driveDev(desk, ["dev", "one.ts"]);
	await dev.see("h help, q quit");
	return dev;
}

const hanging = 'console.log("it hangs");\nawait new Promise(() => {});\nexport default () => {};\n';

test("a load that hangs is given up for the next one, be it of a key or of a save, and no line calls that a failure", async () => {
	await using dev = await driven();
	await desk.write({ "one.ts": hanging });
	await dev.see("it hangs");
	dev.type("r");
	await dev.see("its load is given up for a newer one");
	await dev.see("it hangs");
	await desk.write({ "one.ts": version("a", 2) });
	await dev.see("reload   one  ");
	dev.type("q");
	expect(await dev.ended()).toBe(0);
	expect(dev.plain()).not.toMatch(/kept|failed|error:/);
});

test("q ends it while a load hangs", async () => {
	await using dev = await driven();
	await desk.write({ "one.ts": hanging });
	await dev.see("it hangs");
	dev.type("q");
	expect(await dev.ended()).toBe(0);
});
