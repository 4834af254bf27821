import { expect, test } from "bun:test";
import { createBench } from "../support/host.ts";

const bench = createBench();

test("a load says hello, both stages, each changed kind once and ready, then exactly those kinds are listed once", async () => {
	const { wire } = await bench.start({
		full: `export default (amp) => {
			for (const name of ["one", "two", "three"]) amp.registerTool({ name, description: "", inputSchema: { type: "object" }, execute: () => name });
			amp.registerCommand("go", { title: "Go" }, () => {});
			amp.on("agent.end", () => {});
			amp.on("agent.end", () => {});
		};`,
	});
	expect(wire("full")).toEqual([
		"<- client.info",
		"-> client.info ok",
		"<- runtime.stage import",
		"<- runtime.stage activate",
		"<- commands.changed",
		"<- tools.changed",
		"<- events.changed",
		"<- runtime.ready",
		"-> command.list",
		"-> tool.list",
		"-> event.list",
		"<- command.list ok",
		"<- tool.list ok",
		"<- event.list ok",
	]);
});
