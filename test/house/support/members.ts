/** A file of tests → the name of a test, or of the group it stands in → what that test shows. */
export type Shown = Record<string, Record<string, string[]>>;

/** Every member that a plugin can reach, and the test that shows it. */
export const memberTests: Shown = {
	"test/process/core/rejections.test.ts": {
		"a logger takes anything, and one that it cannot show does not throw": ["amp.logger.log"],
	},
	"test/process/system/system.test.ts": {
		"open gives the provider a URL as it would stand in a browser, and refuses what no browser should be given": [
			"amp.system.open",
		],
		"the workspace is a file URI, one and the same object for the life of the process, whatever its name holds": [
			"amp.system.workspaceRoot",
		],
		"contexts have the same system": ["event context.system", "command context.system"],
		"the user and the base URL are the host's, each member as it was given": ["amp.system.ampURL", "amp.system.user"],
	},
	"test/process/system/executor.test.ts": {
		"the kind %s is told to plugins as %s": ["amp.system.executor.kind"],
		"what is kept alive is released by each subscription once, and the rest with the process": [
			"amp.system.executor.keepAlive",
			"keepAlive.unsubscribe",
			"keepAlive[Symbol.dispose]",
		],
	},
	"test/process/configuration/settings.test.ts": {
		"writes the workspace's, or the user's, and reads them merged": [
			"amp.configuration.get",
			"amp.configuration.update",
			"amp.configuration.delete",
		],
	},
	"test/process/configuration/subscribe.test.ts": {
		"hears them as they are, then each change of its own, of another plugin and of another host, once": [
			"amp.configuration.subscribe",
		],
		"may have many observers, each with copies of its own; one that throws keeps no other from hearing": [
			"amp.configuration.pipe",
			"amp.configuration[Symbol.observable]",
		],
	},
	"test/process/shell/shell.test.ts": {
		"amp.$ of a tool and ctx.$ of commands and handlers do what sh does": [
			"amp.$",
			"event context.$",
			"command context.$",
		],
	},
	"test/process/shell/helpers.test.ts": {
		"the helpers read what the events of a real host carry, calls and results alike": [
			"amp.helpers.shellCommandFromToolCall",
			"amp.helpers.filesModifiedByToolCall",
			"amp.helpers.filePathFromURI",
		],
		"the calls in the messages of a turn are paired with their final results": ["amp.helpers.toolCallsInMessages"],
		"a plugin can tell that there is no UI from another failure, across the process boundary": [
			"amp.helpers.isPluginUINotAvailableError",
		],
	},
	"test/process/core/ui-calls.test.ts": {
		"opened through amp.ui, outside of any call, is answered too": ["amp.ui.confirm"],
		"of each kind reaches a command, with cancelling as false and undefined": [
			"amp.ui.notify",
			"amp.ui.input",
			"amp.ui.select",
			"command context.ui",
		],
		"opened in a tool call is answered while the call is open": ["tool context.ui"],
		"opened in a hook is answered while the event is open, and decides it": ["event context.ui"],
	},
	"test/process/ai/provider.test.ts": {
		"must be a judgement for ask; else the plugin gets a named error and the log a line": ["amp.ai.ask"],
		"must be a text for generate without a schema": ["amp.ai.generate"],
	},
	"test/process/ai/given-up.test.ts": {
		"what an event or a command asked a model is given up with it, and what amp.ai was asked goes on": [
			"event context.ai",
			"command context.ai",
		],
	},
	"test/process/ai/attachments.test.ts": {
		"may be given as bytes, as a part of a buffer, as base64 or as a data URL": ["amp.attachments.upload"],
	},
	"test/process/core/events-chain.test.ts": {
		"several in one plugin all run, in the order of their registration": ["amp.on"],
		"that are unsubscribed see nothing any more": ["Subscription.unsubscribe"],
	},
	"test/process/api/details.test.ts": {
		"ends with unsubscribe, again as often as it is called, and with the block that uses it": [
			"Subscription[Symbol.dispose]",
			"StatusItem[Symbol.dispose]",
			"CommandSubscription[Symbol.dispose]",
			"observable subscription[Symbol.dispose]",
		],
		"has its key before a plugin's libraries look for it, and each observable speaks it": [
			"observable subscription.unsubscribe",
			"amp.activeThread.pipe",
			"amp.activeThread[Symbol.observable]",
			"PluginThread.title.pipe",
			"PluginThread.title[Symbol.observable]",
			"PluginThread.state.pipe",
			"PluginThread.state[Symbol.observable]",
		],
		"the logger of a tool and of an event is that of the plugin": ["tool context.logger", "event context.logger"],
	},
	"test/process/api/webhook-members.test.ts": {
		"a webhook has a URL, and its handler gets the request with the members of an event's context and a signal": [
			"amp.createWebhook",
			"webhook.url",
			"WebhookEvent.id",
			"WebhookEvent.body",
			"WebhookEvent.headers",
			"WebhookEvent.metadata",
			"WebhookEvent.receivedAt",
			"WebhookEvent.payload",
			"webhook context.ui",
			"webhook context.logger",
			"webhook context.$",
			"webhook context.ai",
			"webhook context.system",
			"webhook context.thread",
		],
		"the signal of a webhook's handler aborts when its delivery is given up": ["webhook context.signal"],
	},
	"test/process/events/contributions.test.ts": {
		"shows each command with its availability, and tells of each change of one": [
			"amp.registerCommand",
			"CommandSubscription.setAvailability",
		],
	},
	"test/process/core/wire-after.test.ts": {
		"what is unsubscribed goes the same way, and a call of it fails clearly": ["CommandSubscription.unsubscribe"],
	},
	"test/process/core/tool-inputs.test.ts": {
		"that fits its schema reaches the tool unchanged": ["amp.registerTool"],
	},
	"test/process/core/tool-results.test.ts": {
		"by its timeout is a timeout, and the handler's signal fires": ["tool context.signal"],
		"a command hears of it in its context too": ["command context.signal"],
	},
	"test/process/skills/skills.test.ts": {
		"a skill can be registered once, also when two registrations wait at the same time": ["amp.registerSkill"],
	},
	"test/process/events/links.test.ts": {
		"are found with their place, text, plugin and address": ["amp.registerLinkPattern"],
	},
	"test/process/cases/modes.test.ts": {
		"the older names of members and modes do what the newer ones do": [
			"amp.registerAgentMode",
			"amp.getBuiltinAgent",
			"amp.experimental.createAgent",
			"amp.experimental.getBuiltinAgent",
			"amp.experimental.registerAgentMode",
			"amp.experimental.createStatusItem",
			"amp.experimental.activeThread",
			"amp.experimental.threads",
		],
	},
	"test/process/core/stop.test.ts": {
		"callbacks run at once, one that throws is logged and spoils nothing": ["amp.onDispose"],
	},
	"test/process/threads/agents.test.ts": {
		"an agent runs and makes threads through the provider, which gets all that the plugin passed": [
			"amp.createAgent",
			"Agent.createThread",
			"Agent.run",
		],
		"a mode brings what its agent extends as a definition, and one that JSON cannot carry is refused by name": [
			"Agent.definition",
		],
	},
	"test/process/core/status.test.ts": {
		"status items are shown, changed and taken away; a change after that brings nothing back": [
			"amp.createStatusItem",
			"StatusItem.update",
			"StatusItem.unsubscribe",
		],
	},
	"test/process/threads/observe.test.ts": {
		"activeThread starts from the hello and follows each change, also before a plugin first looks": [
			"amp.activeThread.subscribe",
			"amp.activeThread.current",
		],
		"a subscriber hears the current value first and then each change; only who subscribed is told": [
			"PluginThread.title.subscribe",
			"PluginThread.state.subscribe",
		],
	},
	"test/process/threads/members.test.ts": {
		"a plugin reads and acts on a thread through every member of its handle": [
			"amp.threads.get",
			"PluginThread.id",
			"PluginThread.title.get",
			"PluginThread.state.get",
			"PluginThread.agent",
			"PluginThread.parentThreadID",
			"PluginThread.cancel",
			"PluginThread.setVisibility",
			"PluginThread.setMultiplayer",
			"PluginThread.messages",
			"PluginThread.append",
			"PluginThread.appendUserMessage",
		],
		"waitForResponse gives the message that answers what the plugin appended": ["PluginThread.waitForResponse"],
	},
	"test/process/threads/context.test.ts": {
		"the thread of a tool, a command and an event is a handle that reads and writes it, and is { id } as JSON": [
			"tool context.thread",
			"command context.thread",
			"event context.thread",
		],
	},
};
