import type { CommandContext } from "../context.ts";
import { withHost } from "../session.ts";
import { explainMissing, failedPlugins } from "./failed.ts";
import { infoRecord } from "./info-record.ts";
import { describeInfo } from "./info-text.ts";

export interface InfoOptions {
	/** Whether the URLs of webhooks are shown. */
	urls?: boolean;
}

/** `brood info`: everything about one plugin. @throws BroodError of exit code 4 or 7 when it failed to load, like `list` */
export function info(context: CommandContext, name: string, { urls = false }: InfoOptions = {}): Promise<number> {
	const { output } = context;
	return withHost(context, async ({ host }) => {
		const plugin = await explainMissing(host, () => host.plugins.get(name));
		const record = await infoRecord(host, name, { urls });
		output.result(output.json ? JSON.stringify(record) : describeInfo(record, output.paint.result));
		const [failed] = failedPlugins([plugin]);
		if (failed !== undefined) throw failed.error;
		return 0;
	});
}
