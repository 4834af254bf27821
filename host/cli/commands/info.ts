import type { CommandContext } from "../context.ts";
import { describeForPeople, exitCodeOf, reportFailure } from "../failure.ts";
import { withHost } from "../session.ts";
import { explainMissing, failedPlugins } from "./failed.ts";
import { infoRecord } from "./info-record.ts";
import { describeInfo } from "./info-text.ts";

/** `brood info`: everything about one plugin. @returns 4 or 7 when it failed to load, like `list` */
export function info(context: CommandContext, name: string): Promise<number> {
	const { output } = context;
	return withHost(context, async ({ host }) => {
		const plugin = await explainMissing(host, () => host.plugins.get(name));
		const record = infoRecord(host, name);
		output.result(output.json ? JSON.stringify(record) : describeInfo(record, output.paint.result));
		const [failed] = failedPlugins([plugin]);
		if (failed === undefined) return 0;
		if (output.json) return reportFailure(failed.error, output);
		output.note(describeForPeople(failed.error, output));
		return exitCodeOf(failed.error);
	});
}
