import { statSync } from "node:fs";
import { failure } from "../runtime/errors.ts";
import { checkInstall } from "./backends/install.ts";
import {
	aFunction,
	anObject,
	aSwitch,
	aText,
	checkMethods,
	checkOptions,
	describeValue,
	isObject,
	type OptionKind,
	oneOf,
	refuse,
} from "./base/options.ts";
import { absolutePath } from "./base/paths.ts";
import { describeFileError } from "./base/text-file.ts";
import type { Providers } from "./contracts/providers.ts";
import type { CreateHostOptions } from "./host-api.ts";

/**
 * Finds out before anything starts whether a host can be made with these options.
 *
 * @throws BroodError `unsupported_platform`, or `usage` for what would otherwise have no effect, or fail much later
 */
export function checkHost(options: CreateHostOptions): void {
	if (process.platform === "win32") {
		throw failure("unsupported_platform", { subject: "Windows", hint: "Use Linux or macOS, or WSL." });
	}
	checkOptions("createHost", options, hostOptions);
	const { cwd, providers, client, launch, enablement, install, inspect } = options;
	if (cwd !== undefined) checkFolder(cwd);
	if (providers !== undefined) checkProviders(providers);
	if (client !== undefined) checkOptions("client", client, { name: aText, version: aText, url: aText });
	if (launch !== undefined) checkLaunch(launch);
	if (enablement !== undefined && enablement !== false) checkMethods("enablement", enablement, ["read", "write"]);
	checkInstall(install);
	if (inspect !== undefined) checkInspect(inspect);
}

const anything: OptionKind = { what: "anything", is: () => true };
const someTexts: OptionKind = { what: "a list of texts", is: isTexts };

const hostOptions: Record<keyof CreateHostOptions, OptionKind> = {
	cwd: { what: "the path of a folder", is: (value) => typeof value === "string" },
	plugins: { ...someTexts, what: "a list of paths" },
	places: aSwitch,
	providers: anObject,
	enablement: { what: "false or an object with read and write", is: (value) => value === false || isObject(value) },
	// Each of its names is looked at where they are laid over the defaults.
	limits: anything,
	env: { what: '"inherit", "minimal" or an object of texts', is: isEnvironment },
	launch: { what: 'an object such as { form: "be-bun", childSource }', is: isObject },
	// checkInstall has words of its own.
	install: anything,
	warm: { what: "a whole number of at least 0", is: (value) => Number.isInteger(value) && Number(value) >= 0 },
	toolCallFailure: oneOf("reject", "allow"),
	checkInputs: aSwitch,
	client: { what: "an object such as { name, version }", is: isObject },
	inspect: { what: "an object such as { plugin, listen }", is: isObject },
	endWithProgram: aSwitch,
	wire: aFunction,
	observe: aFunction,
	log: aFunction,
	logFilter: aText,
};

/** What each provider must have; what it may have is asked for when a plugin needs it. */
export const requiredMethods: {
	[Name in keyof Providers]-?: readonly (string & keyof NonNullable<Providers[Name]>)[];
} = {
	ui: ["notify", "input", "confirm", "form", "select"],
	system: ["open"],
	executor: [],
	configuration: ["get"],
	ai: ["ask", "generate"],
	attachments: ["upload"],
	agents: ["run", "createThread"],
	threads: [
		"title",
		"state",
		"subscribe",
		"agent",
		"parentThreadID",
		"waitForResponse",
		"cancel",
		"setVisibility",
		"setMultiplayer",
		"messages",
		"append",
	],
	webhooks: ["open"],
};

function checkProviders(providers: Providers): void {
	checkOptions(
		"providers",
		providers,
		Object.fromEntries(Object.keys(requiredMethods).map((name) => [name, anObject])),
	);
	for (const [name, needed] of Object.entries(requiredMethods)) {
		const provider: unknown = Reflect.get(providers, name);
		if (isObject(provider)) checkMethods(`providers.${name}`, provider, needed);
	}
	const { threads, ui } = providers;
	if (ui !== undefined) checkAvailable(ui);
	if (threads === undefined) return;
	const { activeThread } = threads;
	if (!isObject(activeThread)) refuse("providers.threads lacks activeThread, an object with current and subscribe");
	checkMethods("providers.threads.activeThread", activeThread, ["subscribe"]);
}

function checkAvailable(ui: NonNullable<Providers["ui"]>): void {
	let available: unknown;
	try {
		available = ui.available;
	} catch {
		// It may be able to say so later; what it then throws is told of the plugin that starts.
		return;
	}
	if (typeof available === "boolean") return;
	refuse(`providers.ui.available is true or false, not ${describeValue(available)}`);
}

function checkLaunch(launch: NonNullable<CreateHostOptions["launch"]>): void {
	const { form } = launch;
	if (form === "be-bun") return checkOptions("launch", launch, { form: aText, childSource: aText });
	if (form !== "custom") refuse(`The option "form" of launch is "be-bun" or "custom", not ${describeValue(form)}`);
	checkOptions("launch", launch, { form: aText, command: someTexts });
}

function checkInspect(inspect: NonNullable<CreateHostOptions["inspect"]>): void {
	checkOptions("inspect", inspect, { plugin: aText, listen: aFunction, break: aSwitch });
	checkMethods("inspect", inspect, ["listen"]);
	if (!inspect.plugin) refuse("inspect lacks plugin, the name of one");
}

/** @throws BroodError `usage` for what is no folder: there would be no plugin in it, and nobody would know why */
function checkFolder(cwd: string): void {
	const facts = statOf(absolutePath(cwd), cwd);
	if (!facts.isDirectory()) refuse(`The option "cwd" of createHost cannot be used: ${cwd} is no directory`);
}

function statOf(path: string, cwd: string) {
	try {
		return statSync(path);
	} catch (error) {
		return refuse(`The option "cwd" of createHost cannot be used: ${cwd}: ${describeFileError(error)}`);
	}
}

function isTexts(value: unknown): boolean {
	return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isEnvironment(value: unknown): boolean {
	if (typeof value === "string") return value === "inherit" || value === "minimal";
	return isObject(value) && Object.values(value).every((text) => text === undefined || typeof text === "string");
}
