import { eventNames, type JsonObject } from "../../runtime/records.ts";
import type { HandlerReport } from "../calls/events.ts";
import type { UIProvider } from "../contracts/providers.ts";
import type { Host } from "../host.ts";
import { scriptedUI } from "../ui/scripted.ts";
import { inMs, type Screen } from "./demo-screen.ts";
import { narratedUI } from "./demo-ui.ts";

/** Lists what the plugins have contributed, by kind. */
export function showContributions(screen: Screen, host: Host): void {
	const { paint, fit } = screen;
	const show = (kind: string, key: string, plugin: string, what: string) => {
		const cells: [string, number][] = [
			[paint("dim", kind), 8],
			[key, 27],
			[paint("cyan", plugin), 17],
		];
		screen.row(cells, paint("dim", fit(what, 60)));
	};
	for (const { key, plugin, item } of host.tools.list()) show("tool", key, plugin, item.description);
	for (const { key, plugin, item } of host.commands.list()) show("command", key, plugin, item.title);
	for (const { key, plugin, item } of host.skills.list()) show("skill", key, plugin, item.description);
	for (const { key, plugin, item } of host.modes.list()) show("mode", key, plugin, item.description ?? item.label);
	for (const { key, plugin, item } of host.links.list()) show("link", key, plugin, `${item.pattern} → ${item.href}`);
	for (const { plugin, text, url } of host.statusItems.list()) show("status", text, plugin, url ?? "");
	for (const event of eventNames) {
		const plugins = host.plugins.list().filter(({ events }) => events.includes(event));
		const names = plugins.map(({ name }) => paint("cyan", name));
		if (names.length > 0)
			screen.row(
				[
					[paint("dim", "event"), 8],
					[event, 27],
				],
				names.join(paint("dim", " → ")),
			);
	}
}

/** Calls a tool. */
export async function callTool(screen: Screen, host: Host, name: string, input: JsonObject): Promise<void> {
	const { paint } = screen;
	const { text, plugin, ms } = await host.tools.call(name, input);
	screen.line(`  ${paint("bold", name)} ${JSON.stringify(input)}`);
	screen.line(`  ${paint("green", "›")} ${text}  ${paint("dim", `${plugin}, ${inMs(ms)} ms`)}`);
}

/** The answers that a person would give to `deploy`. */
export function demoUI(screen: Screen): UIProvider {
	const { paint } = screen;
	const script = scriptedUI(
		[
			{ kind: "select", title: "Where to?", answer: "production" },
			{ kind: "input", title: "Token", answer: "a secret that nobody sees" },
			{ kind: "confirm", title: "Deploy to production?", answer: true },
		],
		{ source: "the demo" },
	);
	return narratedUI(script, (told) => {
		if (told.type === "answered") {
			return screen.row(
				[["", 8]],
				told.answer === undefined ? paint("dim", "cancelled") : `${paint("green", "›")} ${told.answer}`,
			);
		}
		screen.row([[paint("dim", told.kind), 8]], `${paint("bold", told.title)}  ${paint("dim", told.details)}`);
	});
}

/** Lets all gates see a shell command and shows what each makes of it. */
export async function passGates(screen: Screen, host: Host, cmd: string): Promise<void> {
	const { paint, fit } = screen;
	const outcome = await host.emit("tool.call", { tool: "Bash", input: { cmd } });
	screen.line(`  ${paint("bold", "Bash")} ${cmd}`);
	for (const report of outcome.handlers) {
		const { action, text } = describeAnswer(report);
		const cells: [string, number][] = [
			[paint("cyan", report.plugin), 17],
			[action === "reject-and-continue" ? paint("red", action) : action, 19],
			[paint("dim", `${inMs(report.ms).padStart(5)} ms`), 8],
		];
		screen.row(cells, fit(text, 54));
	}
}

function describeAnswer({ result, error }: HandlerReport): { action: string; text: string } {
	if (error !== undefined) return { action: "failed", text: error.message };
	if (typeof result !== "object" || result === null || Array.isArray(result)) return { action: "–", text: "" };
	const { action, input, message, result: output } = result;
	return {
		action: String(action),
		text: textIn(input, "cmd") ?? textIn({ message }, "message") ?? textIn(output, "output") ?? "",
	};
}

function textIn(value: unknown, key: string): string | undefined {
	if (typeof value !== "object" || value === null) return undefined;
	const text: unknown = Reflect.get(value, key);
	return typeof text === "string" ? text : undefined;
}
