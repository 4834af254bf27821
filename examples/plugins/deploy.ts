// A command that asks before it acts: a choice, a secret and a last question. Whoever cancels one of them cancels all.
// The host draws the dialogs; a secret is never shown, logged or traced.
// Run it: brood -p examples/plugins/deploy.ts run deploy
import type { PluginAPI } from "@ampcode/plugin";

export const description = "Deploys the workspace, after asking where to and whether";

const machines: Record<string, number> = { staging: 1, production: 3 };

export default function (amp: PluginAPI) {
	amp.registerCommand("deploy", { title: "Deploy the workspace", category: "Release" }, async ({ ui, signal }) => {
		const target = await ui.select({ title: "Where to?", options: Object.keys(machines), initialValue: "staging" });
		if (target === undefined) return;

		const token = await ui.input({ title: "Token", helpText: `Of the ${target} account`, secret: true });
		if (!token) return;

		const count = machines[target] ?? 0;
		const sure = await ui.confirm({
			title: `Deploy to ${target}?`,
			message: `This replaces what runs on ${count === 1 ? "one machine" : `${count} machines`}.`,
			confirmButtonText: "Deploy",
		});
		if (!sure) return;

		await deploy(target, token, signal);
		await ui.notify(`Deployed to ${target}.`);
	});
}

/** Where a real plugin calls its service, with the token in a header and the signal in the request. */
async function deploy(_target: string, _token: string, signal: AbortSignal): Promise<void> {
	signal.throwIfAborted();
}
