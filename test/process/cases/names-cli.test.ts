import { expect, test } from "bun:test";
import { createDesk } from "../cli/support.ts";
import { toolPlugin } from "./modules-support.ts";

const desk = createDesk();

test("the command line takes paths with spaces and letters beyond ASCII, also for its cache and temporary files", async () => {
	await desk.write({
		"my wörk é/.git/HEAD": "",
		"my wörk é/.amp/plugins/the place.ts": "export default () => {};",
		"my plugins é/the one.ts": toolPlugin("go", "[import.meta.file, amp.system.workspaceRoot.fsPath].join()"),
		"my tmp é/keep": "",
	});
	const env = {
		XDG_CACHE_HOME: desk.path("my cache é"),
		XDG_CONFIG_HOME: desk.path("my config é"),
		TMPDIR: desk.path("my tmp é"),
	};
	const parameters = ["--cwd", "my wörk é", "-p", "my plugins é/the one.ts"];
	const called = await desk.run([...parameters, "call", "go", "{}", "--json"], { env });
	expect({ exitCode: called.exitCode, stderr: called.stderr }).toEqual({ exitCode: 0, stderr: "" });
	expect(JSON.parse(called.stdout)).toMatchObject({ ok: true, text: `the one.ts,${desk.path("my wörk é")}` });
	const listed = await desk.run([...parameters, "list", "--json"], { env });
	expect(JSON.parse(listed.stdout).plugins).toMatchObject([
		{ name: "the one", state: "ready", path: desk.path("my plugins é/the one.ts") },
		{ name: "the place", state: "ready", path: desk.path("my wörk é/.amp/plugins/the place.ts") },
	]);
});
