import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { currentSurroundings, planLaunch } from "../../../host/backends/launch.ts";
import type { UIProvider } from "../../../host/contracts/providers.ts";
import { createHost, type Host, type HostEvent } from "../../../host/host.ts";
import type { Frame } from "../../../runtime/call.ts";
import type { LimitOverrides } from "../../../runtime/limits.ts";
import { writePlugins } from "./plugins.ts";
import { files } from "./points.ts";
import type { Plan } from "./relay.ts";
import { handingOver } from "./webhook.ts";

/** A host with the two plugins, and all that was visible in it. */
export interface World {
	host: Host;
	folder: string;
	/** What happened to the subject, oldest first. */
	seen: Seen[];
	/** What is visible now: the whole registry, and the owners of status items. */
	visible(): string[];
	/** Whether a line with this text stands in the log of the subject. */
	logged(text: string): boolean;
	/** Dialogs that were opened, and whether each was taken from the screen before anybody answered. */
	dialogs: { isAborted: boolean }[];
	/** Resolves once the subject has been asked to run a tool. */
	asked(tool: string): Promise<void>;
	/** When the host gave the subject up for its silence. */
	givenUpAt(): number | undefined;
}

/** What was visible after one event. */
export interface Seen {
	at: number;
	state: string;
	visible: string[];
}

export interface WorldOptions {
	folder: string;
	plan: Omit<Plan, "child">;
	limits: LimitOverrides;
	/** How long a person takes to answer a dialog of this method. */
	dialogMs(method: string): number;
}

// The sibling is started without a relay; beside the relay runs what only the end of its group ends.
const launcher = `
case "$5" in
*/sibling.ts) eval "exec $4 \\"\\$5\\"" ;;
*)
	sleep 300 </dev/null >/dev/null 2>&1 &
	exec "$1" "$2" "$3" "$5" ;;
esac
`;

const relay = join(import.meta.dir, "relay.ts");

export async function openWorld({ folder, plan, limits, dialogMs }: WorldOptions): Promise<World> {
	mkdirSync(folder, { recursive: true });
	const child = await realChild();
	writeFileSync(join(folder, files.plan), JSON.stringify({ ...plan, child } satisfies Plan));
	const quoted = child.map((word) => `'${word}'`).join(" ");
	const record = createRecord();
	const dialogs: World["dialogs"] = [];
	const webhooks = handingOver();
	const host = await createHost({
		plugins: [writePlugins(folder)],
		places: false,
		cwd: folder,
		endWithProgram: false,
		launch: { form: "custom", command: ["/bin/sh", "-c", launcher, "sh", process.execPath, relay, folder, quoted] },
		limits,
		providers: { ui: person(dialogs, dialogMs), webhooks: webhooks.provider },
		observe: record.observe,
		wire: record.wire,
	});
	webhooks.belongsTo(host);
	const status = () => host.statusItems.list().map(({ plugin }) => `status ${plugin}`);
	return {
		host,
		folder,
		seen: record.seen,
		visible: () => [...record.visible(), ...status()].sort(),
		logged: (text) => host.plugins.log("subject").some(({ message }) => message.includes(text)),
		dialogs,
		asked: record.asked,
		givenUpAt: () => record.givenUpAt,
	};
}

/** How this host would start a child, without the path of a plugin. */
async function realChild(): Promise<string[]> {
	const spec = { name: "subject", path: "", root: "" };
	const { command } = planLaunch(spec, {}, await currentSurroundings());
	return command.slice(0, command.indexOf(spec.path));
}

function createRecord() {
	const entries = new Map<string, string>();
	const seen: Seen[] = [];
	let state = "";
	const visible = () => [...entries.values()].sort();
	const asked = new Map<string, PromiseWithResolvers<void>>();
	const askedFor = (tool: string) => {
		const waiting = asked.get(tool) ?? Promise.withResolvers<void>();
		asked.set(tool, waiting);
		return waiting;
	};
	const record = {
		seen,
		visible,
		givenUpAt: undefined as number | undefined,
		asked: (tool: string) => askedFor(tool).promise,
		wire(_: string, { message }: Frame): void {
			const { method, params } = message as { method?: string; params?: { name?: unknown } };
			if (method === "tool.execute") askedFor(String(params?.name)).resolve();
		},
		observe(event: HostEvent): void {
			if (event.type === "log" && event.entry.message.startsWith("it did not answer for"))
				record.givenUpAt = Date.now();
			if (event.type === "registry") {
				const { added, changed, removed } = event.change;
				for (const { kind, key } of removed) entries.delete(`${kind} ${key}`);
				for (const { kind, key, plugin } of [...added, ...changed]) {
					entries.set(`${kind} ${key}`, `${kind} ${plugin} ${key}`);
				}
			} else if (event.type !== "state" || event.plugin !== "subject") return;
			else state = event.state;
			seen.push({ at: Date.now(), state, visible: visible() });
		},
	};
	return record;
}

/** Somebody who answers every dialog the same way after a moment. */
function person(dialogs: World["dialogs"], dialogMs: WorldOptions["dialogMs"]): UIProvider {
	const answer =
		<Answer>(method: string, value: Answer) =>
		async (_: unknown, { signal }: { signal: AbortSignal }) => {
			const dialog = { isAborted: false };
			dialogs.push(dialog);
			const { promise, resolve } = Promise.withResolvers<void>();
			const onAbort = () => {
				dialog.isAborted = true;
				resolve();
			};
			signal.addEventListener("abort", onAbort, { once: true });
			const timer = setTimeout(resolve, dialogMs(method));
			await promise;
			clearTimeout(timer);
			signal.removeEventListener("abort", onAbort);
			return value;
		};
	return {
		available: true,
		notify: async () => {},
		input: answer("ui.input", "Ada"),
		confirm: answer("ui.confirm", true),
		form: answer("ui.confirm", {}),
		select: answer("ui.select", "red"),
	};
}
