import { bundledChild } from "../backends/child-bundle.ts";
import { currentOrigin } from "../backends/child-origin.ts";

/** Whether children start from their bundle, which is made when it is not there yet, and not from the sources of brood. */
export async function isChildBundled(environment: Record<string, string | undefined> = process.env): Promise<boolean> {
	const origin = currentOrigin();
	return origin === undefined || (await bundledChild(environment, origin)) !== origin.instead;
}
