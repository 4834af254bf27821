import { expect, test } from "bun:test";
import { driveDev, startDev, version } from "./dev-support.ts";
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

test("a load that hangs beside a version that serves is told once, with its stage, and the next one anew", async () => {
	await desk.write({ "one.ts": version("a", 1) });
	await using dev = startDev(desk, ["dev", "one.ts"]);
	await dev.stderr.see("Watching 1 plugin.\n");
	await desk.write({ "one.ts": `for (;;) {}\n${version("a", 2)}` });
	await dev.stderr.see("one still loads: import …; the old version serves meanwhile\n");
	await desk.write({ "one.ts": hanging });
	await dev.stderr.see("it hangs");
	await dev.stderr.see("one still loads: import …; the old version serves meanwhile\n");
	expect(dev.stderr.text().match(/still loads/g)).toHaveLength(2);
});

test("a plugin that appears and hangs is told of while it loads, but not to who wants quiet, or to a program", async () => {
	await desk.write({ ".brood/plugins/two.ts": version("b", 1) });
	const start = (...more: string[]) => startDev(desk, ["--ready-timeout", "2500", ...more, "dev"]);
	await using loud = start();
	await using quiet = start("-q");
	await using json = start("--json");
	await Promise.all([loud, quiet, json].map(({ stdout }) => stdout.see("two")));
	await desk.write({ ".brood/plugins/one.ts": hanging });
	await loud.stderr.see("one still loads: import …\n");
	await loud.stderr.see("as with a loop that never ends or a top-level await that never settles");
	await Promise.all([quiet.stdout, json.stdout].map((stdout) => stdout.see(/failed.*\n/)));
	expect(loud.stderr.text()).not.toContain("waiting for");
	expect(quiet.stderr.text() + json.stderr.text()).not.toContain("still loads");
});
