import type { Shown } from "./members.ts";

/** What is promised of members and has no place in the shape of an object: forms, limits, rules, events and answers. */
export const formTests: Shown = {
	"test/process/core/ui-calls.test.ts": {
		"of each kind reaches a command, with cancelling as false and undefined": [
			"ui.confirm",
			"ui.confirm with fields",
			"ui.select",
		],
		"each dialog rejects with an error that the helper recognises, and the plugin loads": ["ui without a host UI"],
	},
	"test/process/logs/cases.test.ts": {
		"136-secret-input-not-logged: with all logs and traces on, the answer is nowhere but in the plugin": [
			"ui.input secret",
		],
	},
	"test/process/asks/options.test.ts": {
		"dialogs with odd options are shown, and answered, as a person would expect": [
			"ui.input fieldName",
			"ui requireHuman",
			"ui.confirm with image fields",
			"ui.select allowOther",
			"ui.select initialValue",
		],
	},
	"test/process/ai/provider.test.ts": {
		"as fields becomes one JSON Schema of an object": ["ai.generate with schema"],
		"reaches the provider as it was meant, without what it does not know": ["ai options"],
		"without a provider each member says which one is missing and what to set": ["ai without a provider"],
	},
	"test/process/ai/attachments.test.ts": {
		"at the limits is taken, and one past them is refused with the limit named": ["attachments limits"],
	},
	"test/process/api/details.test.ts": {
		"has its default: a command's category is its plugin, it is enabled, and a mode's label is its agent's": [
			"registerCommand category and description",
			"registerTool title and transcriptGroup",
			"registerAgentMode label and color",
		],
		"is accepted or refused by the rules of Amp, each refusal names its rule": ["registerLinkPattern rules"],
		"events carry what their caller says of the changes that are made: the workflow, of a turn and of a prompt": [
			"changesWorkflow and workflow",
		],
		"answers that mean no change are taken as that by every event: undefined, null and {}": ["answer nothing"],
		"has an agent that is held to the rules of createAgent, made by it or not": ["registerAgentMode agent"],
	},
	"test/process/api/contract.test.ts": {
		"a default export gets exactly one argument, and what it returns means nothing": ["default export"],
		"members work when they are taken off the API, replaced by the plugin, or called only if they are there": [
			"destructured members",
		],
		"of one name the last registration counts, in its place, and the stale subscription removes nothing": [
			"the same name twice",
		],
	},
	"test/process/events/contributions.test.ts": {
		"shows each command with its availability, and tells of each change of one": [
			"availability enabled, disabled, hidden",
		],
		"runs the command of its own plugin, or hands back its address": ["status item command:ID"],
	},
	"test/process/core/wire-after.test.ts": {
		"a plugin that crashed and waits for its next launch gets no dispose": ["onDispose not after a crash"],
	},
	"test/process/skills/skills.test.ts": {
		"a skill that a plugin gives up is gone for everybody, and may be registered again": ["registerSkill unsubscribe"],
	},
	"test/process/cases/skills.test.ts": {
		"of eight paths the one that is a skill of the plugin is accepted; each other is refused and named": [
			"registerSkill path",
		],
		"a plugin that is one file has no skills, and is told so": ["registerSkill of a directory plugin only"],
	},
	"test/process/cases/modes.test.ts": {
		"modes whose comments have drifted work, and each difference is a warning with file and line": ["mode comments"],
		"are kept, or refused in the plugin's own call with the limit named; the plugin goes on": [
			"limits of labels, colours, keys and names",
		],
	},
	"test/process/cases/registration.test.ts": {
		"065-mode-keys-differ-by-case: one mode is there, and the refusal names both keys": [
			"mode keys are case-insensitive",
		],
	},
	"test/process/core/stop.test.ts": {
		"that never settles is given up, told of in the log, and the plugin ends": ["onDispose three seconds"],
	},
	"test/process/threads/agents.test.ts": {
		"what createAgent is given is checked, and a refusal says what is allowed": ["createAgent rules"],
	},
	"test/process/threads/members.test.ts": {
		"what a plugin passes wrongly is refused with what is allowed, and an unknown thread is named": [
			"arguments of a thread",
		],
	},
	"test/process/threads/defaults.test.ts": {
		"what a plugin leaves out is said to the provider: ten messages from the end, ten minutes for a response": [
			"defaults of messages and waitForResponse",
		],
	},
	"test/unit/host/threads/messages.test.ts": {
		"long thoughts, tool inputs and outputs are cut unless they are wanted in full; what was said is not": [
			"messages full",
		],
		"pages that follow each other from either end give every message once": ["messages from, offset and limit"],
	},
	"test/process/threads/context.test.ts": {
		"a command has no thread where none is active, and the key itself is absent": ["command without a thread"],
	},
	"test/process/events/forms.test.ts": {
		"%s: each form comes to what is documented, and a wrong one is told of": [
			"event session.start",
			"event tool.call",
			"event tool.result",
			"event agent.start",
			"event agent.end",
			"event changes.prompt",
			"answer allow",
			"answer reject-and-continue",
			"answer modify",
			"answer synthesize",
			"answer error",
			"answer of tool.result",
			"answer of agent.start",
			"answer continue",
			"answer of changes.prompt",
		],
		"its defaults stand in for what an event leaves out, so that handlers may read every member": [
			"payloads of events",
		],
	},
	"test/process/cases/modules.test.ts": {
		"resolves for types, for imports that nobody uses and for values, under both names, however they are imported": [
			"defineAgent",
			"defineTool",
		],
		"each default export is told what it is and what is expected, and a function of either kind loads": [
			"default export that is none",
		],
	},
	"test/unit/host/static.test.ts": {
		"may have 300 characters and not one more": ["description"],
	},
	"test/unit/host/amp-source.test.ts": {
		"are searched in order of precedence, and all plugins of one name are returned": ["places"],
	},
	"test/unit/host/ui/dialogs.test.ts": {
		"of every member is cleaned, and cut where it is too long": [
			"ui.input title, helpText, initialValue, submitButtonText",
			"ui.confirm message, confirmButtonText",
			"ui.select message",
		],
	},
	"test/unit/child/helpers.test.ts": {
		"the shell command of a call: %s": ["table of shellCommandFromToolCall"],
		"the files that a call modifies: %s": ["table of filesModifiedByToolCall"],
		"the path of a URI comes from text and from objects alike": ["URIs of filePathFromURI"],
		"tool calls are paired by id in the order of their final results": ["pairs of toolCallsInMessages"],
	},
	"test/unit/child/helpers-sed.test.ts": {
		"%j edits %j": ["sed in place, and what brood understands beside Amp"],
	},
	"test/unit/child/uri.test.ts": {
		"a file URI shows its path and is escaped as text": ["URI toString and fsPath"],
	},
	"test/unit/child/links.test.ts": {
		"stands where it says, between words, for any text": ["link patterns end at tokens"],
		"fills each placeholder, and one of a group without a text with nothing": ["placeholders of a link"],
	},
	"test/unit/host/threads/resolve-agent.test.ts": {
		"the tools of an agent": ["tools of createAgent"],
	},
	"test/process/core/events-merge.test.ts": {
		"session.start isolates its handlers, also those of one plugin, and takes no answer": ["session.start is isolated"],
		"is continued five times in a row, then the turn ends and the log tells": ["maxContinuations"],
		"changes.prompt collects all appends in the order of rank": ["appends in load order"],
	},
	"test/process/api/unawaited.test.ts": {
		"a mistake in what is passed to the API, in a call that nobody awaits, is logged and ends no plugin": [
			"calls that nobody awaits",
		],
	},
	"test/process/core/tool-results.test.ts": {
		"%s is a result": ["results of tools"],
	},
	"test/process/core/tool-inputs.test.ts": {
		"that does not compile is reported, its calls fail with the reason, and other tools work": [
			"inputSchema that cannot be used",
		],
	},
	"test/process/api/load-awaits.test.ts": {
		"a load that fails at a call of the API says which call it was, and what was wrong with it": [
			"calls awaited while loading",
		],
	},
	"test/process/system/executor.test.ts": {
		"outside of a managed remote keepAlive rejects with a named error, and the plugin lives when nobody awaits it": [
			"keepAlive outside of a managed remote",
		],
	},
	"test/unit/host/registry.test.ts": {
		"of a mode is the same however it is written": ["mode keys of several plugins"],
	},
	"test/unit/host/mode-drift.test.ts": {
		"modes that were announced as they were registered cause no warning, whatever the case of their keys": [
			"mode comments by any case",
		],
	},
};
