/** What the text of an error is made of. */
export interface TextFacts {
	plugin?: string;
	/** The tool, command, method or file that it is about. */
	subject?: string;
	/** The provider of the host that is to blame, such as `ai`. */
	provider?: string;
	/** What exactly was wrong, as a clause. */
	reason?: string;
	ms?: number;
}

const of = (facts: TextFacts) => (facts.plugin === undefined ? "" : ` of plugin "${facts.plugin}"`);
const who = (facts: TextFacts) => (facts.plugin === undefined ? "The plugin" : `Plugin "${facts.plugin}"`);
const why = (facts: TextFacts) => (facts.reason === undefined ? "" : `: ${facts.reason}`);
const provider = (facts: TextFacts) => `${facts.provider ? `The ${facts.provider}` : "A"} provider of the host`;
/** A subject of several words begins the sentence; one word alone is the name of a method. */
const start = ({ subject = "" }: TextFacts) =>
	/^[a-z]+ /.test(subject) ? subject.charAt(0).toUpperCase() + subject.slice(1) : subject;
const row = (jsonRpcCode: number, exitCode: number, text: (facts: TextFacts) => string) => ({
	jsonRpcCode,
	exitCode,
	text,
});

/** One row a code: the JSON-RPC number on the wire, the exit code of the CLI, the text. */
export const errorTable = {
	internal: row(-32603, 1, (f) => `brood failed unexpectedly${why(f)}`),
	parse_error: row(-32700, 1, (f) => `A line is no JSON${why(f)}`),
	invalid_request: row(-32600, 1, (f) => `The message is no JSON-RPC 2.0 request${why(f)}`),
	method_not_found: row(-32601, 1, (f) => `There is no method "${f.subject}" on this side`),
	invalid_params: row(-32602, 1, (f) => `The parameters of "${f.subject}"${of(f)} are wrong${why(f)}`),
	plugin_error: row(-32000, 5, (f) => `${start(f)}${of(f)} failed${why(f)}`),
	cancelled: row(-32001, 130, (f) => `${start(f)}${of(f)} was cancelled${why(f) || " by its caller"}`),
	timeout: row(-32002, 6, (f) => `${start(f)}${of(f)} did not answer within ${f.ms} ms`),
	busy: row(-32003, 5, (f) => `${start(f)}${of(f)} was not sent${why(f)}`),
	channel_closed: row(-32004, 5, (f) => `The connection was closed${why(f)}`),
	not_serializable: row(-32005, 5, (f) => `${start(f)}${of(f)} cannot be carried as JSON${why(f)}`),
	invalid_answer: row(-32006, 5, (f) =>
		f.provider === undefined
			? `The answer to ${f.subject}${of(f)} is not allowed${why(f)}`
			: `${provider(f)} answered ${f.subject}${of(f)} wrongly${why(f)}`,
	),
	message_too_large: row(-32007, 5, (f) => `A message is larger than the limit${why(f)}`),
	launch_failed: row(-32010, 4, (f) => `${who(f)} could not be started${why(f)}`),
	ready_timeout: row(-32011, 4, (f) => `${who(f)} was not ready within ${f.ms} ms${why(f)}`),
	load_failed: row(-32012, 4, (f) => `${who(f)} failed to load${why(f)}`),
	no_default_export: row(-32013, 4, (f) => `${who(f)} must export a default function${why(f)}`),
	invalid_registration: row(-32014, 4, (f) => `${f.subject} was refused${why(f)}`),
	exited_before_ready: row(-32015, 4, (f) => `${who(f)} ended before it was ready${why(f)}`),
	incompatible_protocol: row(-32016, 7, (f) => `${who(f)} speaks another protocol${why(f)}`),
	plugin_exited: row(-32017, 5, (f) => `${who(f)} ended${why(f)}`),
	plugin_not_found: row(-32018, 2, (f) => `There is no plugin "${f.plugin}"${why(f)}`),
	plugin_not_ready: row(-32019, 4, (f) => `${who(f)} is not ready${why(f)}`),
	tool_not_found: row(-32020, 2, (f) => `There is no tool "${f.subject}"${why(f)}`),
	command_not_found: row(-32021, 2, (f) => `There is no command "${f.subject}"${why(f)}`),
	command_disabled: row(-32022, 5, (f) => `Command "${f.subject}"${of(f)} is disabled${why(f)}`),
	invalid_input: row(-32023, 2, (f) => `The input for tool "${f.subject}"${of(f)} does not fit its schema${why(f)}`),
	invalid_schema: row(-32024, 5, (f) => `The input schema of tool "${f.subject}"${of(f)} cannot be used${why(f)}`),
	tool_rejected: row(-32025, 5, (f) => `The call of tool "${f.subject}" was stopped by plugin "${f.plugin}"${why(f)}`),
	ui_not_available: row(-32030, 5, (f) => `Plugin UI not available${why(f)}`),
	provider_missing: row(-32031, 5, (f) => `${start(f)} has no provider in this host${why(f)}`),
	provider_failed: row(-32034, 5, (f) => `${provider(f)} failed at ${f.subject}${of(f)}${why(f)}`),
	invalid_skill: row(-32032, 3, (f) => `Skill "${f.subject}"${of(f)} was refused${why(f)}`),
	skill_not_found: row(-32035, 2, (f) => `There is no skill "${f.subject}"${why(f)}`),
	skill_unreadable: row(-32036, 5, (f) => `Skill "${f.subject}"${of(f)} cannot be read${why(f)}`),
	thread_not_found: row(-32037, 2, (f) => `There is no thread "${f.subject}"${why(f)}`),
	invalid_settings: row(-32033, 3, (f) => `The settings file ${f.subject} cannot be used${why(f)}`),
	invalid_state: row(-32038, 3, (f) => `The file of saved plugin states ${f.subject} cannot be used${why(f)}`),
	setting_not_found: row(-32039, 2, (f) => `There is no setting "${f.subject}"${why(f)}`),
	webhook_not_found: row(-32043, 2, (f) => `There is no webhook "${f.subject}"${of(f)}${why(f)}`),
	webhooks_unavailable: row(-32044, 5, (f) => `Webhooks${of(f)} cannot be had${why(f)}`),
	invalid_plugin: row(-32045, 3, (f) => `${who(f)} is not valid${why(f)}`),
	budget_exceeded: row(-32046, 8, (f) => `${who(f)} is past its budget${why(f)}`),
	host_stopped: row(-32040, 1, () => "The host has been stopped"),
	unsupported_platform: row(-32041, 1, (f) => `brood does not run on ${f.subject} yet${why(f)}`),
	usage: row(-32042, 2, (f) => `${f.reason}`),
} as const satisfies Record<string, { jsonRpcCode: number; exitCode: number; text: (facts: TextFacts) => string }>;

/** Stable name of a kind of failure; scripts and plugins may branch on it. */
export type ErrorCode = keyof typeof errorTable;
