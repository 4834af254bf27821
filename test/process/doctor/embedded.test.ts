import { expect, test } from "bun:test";
import { diagnose } from "../../../host/index.ts";
import { createBench } from "../support/host.ts";

const bench = createBench();

test("an embedder gets the findings, with its own plugins, limits and launch", async () => {
	const paths = ["one", "two"].map((name) => bench.write(name, "export default () => {};"));
	const options = { plugins: paths, places: false, cwd: bench.path("") };
	const checks = await diagnose(options);
	expect(checks.find(({ name }) => name === "plugins")).toEqual({
		name: "plugins",
		status: "ok",
		message: "2 plugins loaded.",
	});
	const few = await diagnose({ ...options, limits: { load: { diagnosedMax: 1 } } });
	expect(few.find(({ name }) => name === "plugins")).toMatchObject({ status: "warning" });
	const command = [process.execPath, "-e", "process.exit(3)"];
	const broken = await diagnose({ ...options, launch: { form: "custom", command } });
	expect(broken.filter(({ name }) => name === "plugins").map(({ status }) => status)).toEqual(["problem", "problem"]);
});

test("a diagnosis that is given up rejects with the reason", async () => {
	const reason = new Error("enough");
	const options = { plugins: [bench.write("one", "export default () => {};")], places: false, cwd: bench.path("") };
	const ended = await diagnose({ ...options, signal: AbortSignal.abort(reason) }).catch((error: unknown) => error);
	expect(ended).toBe(reason);
});
