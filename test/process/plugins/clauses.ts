/** What plugins in the wild do, a clause each, and the samples that do it. */
export interface Clause {
	does: string;
	samples: string[];
}

const clause = (does: string, ...samples: string[]): Clause => ({ does, samples });

const loading = [
	clause("runs a program at top level and awaits it before the default export", "spawns-before-export"),
	clause("reads a file at top level that may not be there", "optional-file-at-load"),
	clause("gives its default export a second parameter with a default", "defaulted-second-parameter"),
	clause("returns a function from its default export", "returns-a-cleanup"),
	clause("awaits one skill after the other", "skills-in-a-loop"),
	clause("awaits its settings before it registers", "awaits-configuration", "writes-settings-at-load"),
	clause("awaits a webhook before it is ready", "awaits-a-webhook"),
	clause("exports more than its default", "extra-exports"),
	clause("returns early and registers nothing", "returns-early"),
	clause("registers when a promise settles that it did not await", "registers-late"),
	clause("takes its default export from another file", "reexported-default"),
	clause("is a file beside a folder of its name that has no index", "beside-its-folder"),
	clause("imports from outside of the folder of plugins", "shared-library"),
	clause("imports from a lib folder among the plugins", "inner-library"),
	clause("calls require in a module", "require-in-module"),
	clause("has 'use strict' in the middle", "strict-in-the-middle"),
	clause("is CommonJS", "common-js"),
	clause("names .ts in specifiers", "ts-specifiers"),
	clause("names .js in specifiers and means .ts", "js-specifiers"),
	clause("has paths in a tsconfig.json beside it", "tsconfig-paths"),
	clause("imports JSON, TOML and text", "imports-data"),
	clause("has enums and namespaces", "enums-and-namespaces"),
	clause("has using declarations", "using-declaration"),
	clause("uses bun:sqlite", "sqlite-store"),
	clause("uses Bun.serve", "serves-http"),
	clause("uses a Worker", "worker-thread"),
	clause("finds siblings by import.meta.path, dir and url", "finds-siblings", "beside-its-folder"),
	clause("is a link to a single file elsewhere", "linked-file"),
];

const surroundings = [
	clause(
		"starts the program that hosts it, with BUN_BE_BUN deleted and a variable against recursion",
		"spawns-the-host",
	),
	clause("looks for flags of the host in process.argv", "scans-argv"),
	clause("walks up its parents with ps", "walks-parents"),
	clause("takes PWD or process.cwd() for the workspace", "cwd-as-workspace"),
	clause("writes settings as it loads", "writes-settings-at-load"),
	clause("reads .amp/settings.json by a relative path", "relative-settings"),
];

const events = [
	clause("answers tool.call with undefined", "counts-tool-calls"),
	clause("answers agent.start with an empty object", "empty-agent-start"),
	clause("answers agent.end with undefined", "silent-agent-end"),
	clause("returns a value from a command and gives it a second parameter", "command-returns-value"),
	clause("gives notify a second argument", "notify-with-level"),
	clause("gives select options of label and value", "select-objects"),
	clause("gives select an initial value", "select-with-initial"),
	clause("compares the answer of ai.ask with true", "asks-ai-for-true"),
	clause("answers a tool with an object, blocks, text, or an error", "tool-results"),
	clause("reads fields of events as if they could be absent", "reads-defensively"),
	clause("replaces members of amp", "replaces-members"),
	clause("calls members of amp only where they are", "optional-calls"),
];

const longLife = [
	clause("has a timer that is unref'd", "ticks-with-unref"),
	clause("has a timer that is not", "ticks-without-unref"),
	clause("connects again a second after a connection ends", "reconnects"),
	clause("watches files", "watches-a-file"),
	clause("reads activeThread.current at load and then subscribes", "follows-active-thread"),
	clause("asks for a thread's state and subscribes to it at once", "thread-state-race"),
	clause("awaits a queue of work as it is disposed", "drains-on-dispose"),
	clause("does I/O as it is disposed, and tries again", "dispose-with-retry"),
	clause("handles SIGINT, SIGTERM, exit and beforeExit and never exits", "signal-handlers"),
	clause("has a child for each turn, ended in agent.end", "child-per-turn"),
	clause("writes a pid file", "pid-file"),
	clause("blocks its loop with spawnSync in a handler", "spawn-sync"),
	clause("runs bash -lc and python3 -c with scripts of several lines", "shell-scripts"),
	clause("sends pipes and quotes through the shell", "shell-pipes"),
	clause("hands all messages as JSON to a program's stdin", "messages-to-stdin"),
	clause("pages messages by twenty", "pages-by-twenty"),
	clause("prints noise on stderr", "noisy-stderr"),
];

const members = [
	clause("logger", "logs-anything"),
	clause("ctx.thread", "thread-of-a-call"),
	clause("registerTool", "sqlite-store", "defines-tools"),
	clause("registerCommand", "asks-for-input"),
	clause("notify", "silent-agent-end"),
	clause("input, also secret", "asks-for-input"),
	clause("confirm", "confirms-first"),
	clause("confirm with fields", "edits-a-form"),
	clause("select", "select-objects"),
	clause("isPluginUINotAvailableError", "without-ui"),
	clause("Agent.definition, createAgent, run and createThread", "runs-an-agent"),
	clause("registerAgentMode with its comment", "agent-modes"),
	clause("nothing but a mode, by way of experimental", "pure-mode"),
	clause("configuration get, update, delete and subscribe", "settings-cycle"),
	clause("onDispose", "drains-on-dispose", "sqlite-store"),
	clause("filePathFromURI and filesModifiedByToolCall", "formats-changed-files"),
	clause("shellCommandFromToolCall", "guards-commands"),
	clause("toolCallsInMessages", "summarises-tools"),
	clause("threads.get, appendUserMessage, append, cancel, title, parent", "steers-a-thread"),
	clause("system.executor.kind, workspaceRoot, ampURL and open", "local-only"),
	clause("status items", "status-of-work"),
	clause("registerSkill", "skills-in-a-loop"),
	clause("registerLinkPattern", "links-tickets"),
	clause("ai.ask, generate, generate with a schema", "writes-commit-message"),
	clause("attachments.upload", "uploads-a-shot"),
	clause("observables with pipe and Symbol.observable", "observes-with-pipe"),
	clause("createWebhook", "awaits-a-webhook"),
	clause("session.start and unsubscribe", "keeps-sessions"),
	clause("tool.call answers: allow and reject-and-continue", "guards-commands"),
	clause("tool.call answers: modify", "modifies-input"),
	clause("tool.call answers: synthesize", "synthesizes-result"),
	clause("tool.call answers: error", "errors-a-call"),
	clause("tool.result answers with another output", "redacts-output"),
	clause("agent.start answers with a message", "empty-agent-start", "keeps-sessions"),
	clause("agent.end answers: continue", "continues-until-green"),
	clause("changes.prompt answers with text to append", "ts-specifiers"),
	clause("imports only types from the author package", "guards-commands"),
	clause("imports values from the author package", "defines-tools"),
	clause("imports modules of Node by node: names", "optional-file-at-load"),
	clause("imports modules of Node by bare names", "bare-builtins", "common-js"),
	clause("imports a package", "npm-package"),
];

/** By what plugins do it at: their load, their surroundings, events and results, over a long life, with which members. */
export const clauses: Record<string, Clause[]> = { loading, surroundings, events, longLife, members };
