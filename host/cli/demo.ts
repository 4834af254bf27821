/** The demo: loads every example, uses what they contribute, ends them and proves that nothing is left. */
import { emitter } from "../../runtime/disposable.ts";
import { messageOf } from "../../runtime/errors.ts";
import { createHost, type Host, type HostEvent } from "../host.ts";
import { callTool, demoUI, passGates, showContributions } from "./demo-acts.ts";
import { createLoadView } from "./demo-load.ts";
import { type Census, createCensus } from "./demo-processes.ts";
import { createScreen, inMs, type Screen } from "./demo-screen.ts";

const examples = Bun.fileURLToPath(new URL("../../examples/plugins", import.meta.url));

/** Ends with 1 when an example does not load, a step fails or a process is left. */
async function demo(screen: Screen): Promise<number> {
	const begin = performance.now();
	const census = createCensus();
	const happened = emitter<HostEvent>();
	const { paint } = screen;
	screen.line(`${paint("bold", "brood")} ${paint("dim", `each plugin in a process of its own · Bun ${Bun.version}`)}`);

	screen.heading("Load");
	const view = createLoadView(screen);
	const loading = happened.listen(view.observe);
	const host = await createHost({
		plugins: [examples],
		places: false,
		providers: { ui: demoUI(screen) },
		observe: happened.emit,
	});
	loading.unsubscribe();
	census.look();
	screen.heading("When each did what");
	view.waterfall();

	const unloaded = view.failed();
	for (const [plugin, message] of unloaded) screen.line(`  ${paint("red", "✗")} ${plugin}: ${message}`);

	let failed = unloaded.length > 0;
	try {
		await act(screen, host, happened, census);
	} catch (error) {
		failed = true;
		screen.line(`  ${paint("red", messageOf(error))}`);
	}
	await stop(screen, host, happened, census);
	const nothingLeft = await prove(screen, census);
	screen.line(paint("dim", `\nDone in ${((performance.now() - begin) / 1000).toFixed(2)} s.`));
	return failed || !nothingLeft ? 1 : 0;
}

type Happened = ReturnType<typeof emitter<HostEvent>>;

async function act(screen: Screen, host: Host, happened: Happened, census: Census): Promise<void> {
	screen.heading("What they contribute");
	showContributions(screen, host);

	screen.heading("A tool is called");
	await callTool(screen, host, "greet", { name: "Ada" });
	await callTool(screen, host, "next_number", {});

	screen.heading("A command asks");
	const { plugin, ms } = await host.commands.run("deploy");
	screen.line(`  ${screen.paint("green", "✓")} deploy  ${screen.paint("dim", `${plugin}, ${inMs(ms)} ms`)}`);

	screen.heading("Tool calls pass the gates, in the order of their names");
	for (const command of ["npm publish", "sudo npm install -g left-pad", "npm test"])
		await passGates(screen, host, command);

	screen.heading("A plugin is killed and comes back");
	await crash(screen, host, happened);
	await callTool(screen, host, "greet", { name: "Grace" });
	census.look();
}

async function crash(screen: Screen, host: Host, happened: Happened): Promise<void> {
	const { pid } = host.plugins.get("hello");
	if (pid === null) throw new Error("The plugin hello does not run.");
	const begin = performance.now();
	const at = (text: string) =>
		screen.row([[screen.paint("dim", `${inMs(performance.now() - begin).padStart(6)} ms`), 9]], text);
	const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
	// The wait for a restart does not keep a program alive, so this does.
	const late = setTimeout(() => reject(new Error("The plugin hello did not come back.")), comebackMsMax);
	using _ = happened.listen((event) => {
		if (event.type === "registry") {
			for (const { kind, key } of event.change.removed) at(`withdrawn   ${kind} ${key}`);
			for (const { kind, key } of event.change.added) at(`published   ${kind} ${key}`);
		}
		if (event.type !== "state" || event.plugin !== "hello") return;
		at(
			`${event.state.padEnd(11)} ${event.state === "ready" ? `process ${host.plugins.get("hello").pid}` : ""}`.trimEnd(),
		);
		if (event.state === "ready") resolve();
		if (event.state === "failed") reject(event.error);
	});
	at(`SIGKILL     process ${pid}`);
	process.kill(pid, "SIGKILL");
	await ready.finally(() => clearTimeout(late));
}

async function stop(screen: Screen, host: Host, happened: Happened, census: Census): Promise<void> {
	const { paint } = screen;
	screen.heading("Stop");
	census.look();
	const begin = performance.now();
	const ended: string[] = [];
	let withdrawn = 0;
	let withdrawnMs = 0;
	using _ = happened.listen((event) => {
		const ms = performance.now() - begin;
		if (event.type === "registry") {
			withdrawn += event.change.removed.length;
			withdrawnMs = ms;
		}
		if (event.type === "state" && event.state === "stopped") ended.push(`${event.plugin} ${paint("dim", inMs(ms))}`);
	});
	await host.stop();
	screen.line(`  ${withdrawn} tools, commands, skills, modes, links and handlers withdrawn in ${inMs(withdrawnMs)} ms`);
	screen.line(`  ${ended.length} plugins disposed and ended in ${inMs(performance.now() - begin)} ms, all at once:`);
	for (let at = 0; at < ended.length; at += 4) screen.line(`    ${ended.slice(at, at + 4).join(paint("dim", " · "))}`);
}

async function prove({ heading, line, paint }: Screen, census: Census): Promise<boolean> {
	heading("Proof");
	// What watches over the children ends by itself as soon as it sees that the host is done.
	const left = await census.settle(endMsMax);
	if (left.length === 0) {
		line(
			`  ${paint("green", "✓")} No process is left: ${census.seen.size} ran, and the process table holds none of them,`,
		);
		line("    no child of this program and nothing in the groups that they led.");
		return true;
	}
	line(`  ${paint("red", "✗")} ${left.length} of ${census.seen.size} processes are left:`);
	for (const { pid, parent, group, name } of left) line(`    ${pid} ${name}, parent ${parent}, group ${group}`);
	return false;
}

const comebackMsMax = 10_000;
const endMsMax = 2_000;

process.exitCode = await demo(createScreen(process.stdout));
