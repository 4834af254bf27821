import type {
	Agent,
	CommandContext,
	CommandSubscription,
	EventContext,
	PluginAPI,
	PluginThread,
	StatusItem,
	ToolContext,
	WebhookEvent,
	WebhookHandlerContext,
} from "../../../child/plugin.ts";

type Names<Type> = Record<keyof Type, true>;

const context = { ui: true, ai: true, system: true, $: true, thread: true } as const;

/** The members that the types promise, by the names that the shape of the runtime has; the compiler asks for each. */
export const typedMembers = {
	amp: {
		logger: true,
		system: true,
		configuration: true,
		$: true,
		helpers: true,
		ui: true,
		ai: true,
		attachments: true,
		activeThread: true,
		threads: true,
		experimental: true,
		on: true,
		registerTool: true,
		registerCommand: true,
		registerSkill: true,
		registerAgentMode: true,
		registerLinkPattern: true,
		onDispose: true,
		createAgent: true,
		getBuiltinAgent: true,
		createStatusItem: true,
		createWebhook: true,
	} satisfies Names<PluginAPI>,
	PluginThread: {
		id: true,
		title: true,
		state: true,
		agent: true,
		parentThreadID: true,
		waitForResponse: true,
		cancel: true,
		setVisibility: true,
		setMultiplayer: true,
		messages: true,
		append: true,
		appendUserMessage: true,
	} satisfies Names<PluginThread>,
	Agent: { definition: true, createThread: true, run: true } satisfies Names<Agent>,
	StatusItem: { update: true, unsubscribe: true } satisfies Names<StatusItem>,
	CommandSubscription: { unsubscribe: true, setAvailability: true } satisfies Names<CommandSubscription>,
	WebhookEvent: {
		id: true,
		body: true,
		headers: true,
		payload: true,
		metadata: true,
		receivedAt: true,
	} satisfies Names<WebhookEvent>,
	// brood sets no span.
	"event context": { ...context, logger: true } satisfies Names<Omit<EventContext, "span">>,
	"command context": { ...context, signal: true } satisfies Names<CommandContext>,
	"tool context": { ui: true, logger: true, thread: true, signal: true } satisfies Names<ToolContext>,
	"webhook context": { ...context, logger: true, signal: true } satisfies Names<Omit<WebhookHandlerContext, "span">>,
};
