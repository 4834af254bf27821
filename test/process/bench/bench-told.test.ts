import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { createDesk } from "../cli/support.ts";

const desk = createDesk();
const trivial = 'export default (amp) => void amp.registerCommand("hello", { title: "Hello" }, () => {});\n';
const quick = ["--rounds", "1", "--no-imports"];

test("bench says that plugins start from the sources where the bundle of the child cannot be kept, and else not", async () => {
	await desk.write({ "trivial.ts": trivial, file: "" });
	const env = { XDG_CACHE_HOME: desk.path("file/below") };
	const [told, silent] = await Promise.all([
		desk.run(["bench", "trivial.ts", ...quick], { env }),
		desk.run(["bench", "trivial.ts", ...quick]),
	]);
	expect(told.stderr).toContain("warning: the bundle of the child cannot be kept in the cache, so that plugins start");
	expect([told.exitCode, silent.exitCode, silent.stderr]).toEqual([0, 0, ""]);
});

test("of two plugins with one name bench shows where each lies", async () => {
	await desk.write({ "a/same.ts": trivial, "b/same.ts": trivial, "other.ts": trivial });
	const words = ["./a/same.ts", "./b/same.ts", "./other.ts"];
	const { exitCode, stdout } = await desk.run(["bench", ...words, ...quick]);
	expect(exitCode).toBe(0);
	expect(stdout).toMatch(/^same \(a\/same\.ts\) +[\d.]+ /m);
	expect(stdout).toMatch(/^same \(b\/same\.ts\) +[\d.]+ /m);
	expect(stdout).toMatch(/^other +[\d.]+ /m);
	expect(stdout.match(/need not add up/g)).toHaveLength(1);
});

test("a run in which nothing loaded draws no picture, and says so", async () => {
	await desk.write({ "bad.ts": 'throw new Error("no");' });
	const { exitCode, stderr } = await desk.run(["bench", "bad.ts", ...quick, "--svg", "a.svg"]);
	expect(exitCode).toBe(4);
	expect(stderr).toContain("warning: no picture was drawn, since no plugin was measured");
	expect(existsSync(desk.path("a.svg"))).toBe(false);
});

test.skipIf(process.platform !== "linux")(
	"a folder that takes no file is told apart from one that is not there",
	async () => {
		await desk.write({ "trivial.ts": trivial });
		const { exitCode, stderr } = await desk.run(["bench", "trivial.ts", ...quick, "--svg", "/proc/x.svg"]);
		expect(exitCode).toBe(2);
		expect(stderr).toContain("/proc/x.svg cannot be written: its folder takes no new file");
	},
);

test("a measurement that is killed leaves no folder in its rounds, and the next one removes that of the imports", async () => {
	await desk.write({
		"trivial.ts": trivial,
		"hangs.ts": 'require("node:fs").writeFileSync("hangs", ""); await new Promise(() => {});',
	});
	mkdirSync(desk.path("tmp"));
	const env = { TMPDIR: desk.path("tmp") };
	const killedAt = async (parameters: string[], isThere: () => boolean) => {
		const child = desk.start(["bench", ...parameters], { env });
		while (!isThere()) await Bun.sleep(5);
		child.kill("SIGKILL");
		await child.exited;
		return readdirSync(desk.path("tmp"));
	};
	expect(await killedAt(["hangs.ts"], () => existsSync(desk.path("hangs")))).toEqual([]);
	const folders = () => readdirSync(desk.path("tmp"));
	expect(await killedAt(["trivial.ts", "--rounds", "10"], () => folders().length > 0)).toHaveLength(1);
	mkdirSync(desk.path(`tmp/brood-bench-${process.pid}-abcdef`));
	expect((await desk.run(["bench", "trivial.ts", ...quick], { env })).exitCode).toBe(0);
	expect(folders()).toEqual([`brood-bench-${process.pid}-abcdef`]);
});
