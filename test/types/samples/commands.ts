import type { CommandAvailability, CommandContext, CommandSubscription, PluginAPI } from "@ampcode/plugin";

export default function (amp: PluginAPI) {
	const off: CommandAvailability = { type: "disabled", reason: "Nothing to do" };
	const run = async (ctx: CommandContext, times = 1) => {
		ctx.signal.throwIfAborted();
		await ctx.ui.notify(`${times} in ${ctx.thread?.id ?? "no thread"} at ${ctx.system.ampURL}`);
		return "ignored";
	};
	const command: CommandSubscription = amp.registerCommand(
		"run",
		{ title: "Run", category: "Sample", description: "Runs.", availability: off },
		run,
	);
	command.setAvailability({ type: "enabled" });
	command.setAvailability({ type: "hidden" });
	amp.registerCommand?.("gone", { title: "Gone" }, () => {}).unsubscribe();
}
