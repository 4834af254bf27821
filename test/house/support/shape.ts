/**
 * A plugin that tells the shape of all that the API gives it: the `amp` object, the contexts of handlers, and what its
 * members return. Its tool `shape` answers with the paths, one a line.
 */
export const shapePlugin = `
const names = (value) => [...Object.getOwnPropertyNames(value), ...Object.getOwnPropertySymbols(value)];
const nameOf = (name) => typeof name === "string" ? "." + name : "[Symbol." + (name === Symbol.observable ? "observable" : name === Symbol.dispose ? "dispose" : name.description) + "]";
// Values of the platform, and values that the host made, are leaves.
const isLeaf = (value) => typeof value !== "object" || value === null || value instanceof URL || value instanceof AbortSignal || "fsPath" in value || value.workspace !== undefined;

function walk(path, value, known, found = []) {
	const alias = known.get(value);
	if (path !== "amp" && (isLeaf(value) || alias !== undefined)) return [...found, path];
	known.set(value, path);
	return [...found, ...names(value).flatMap((name) => walk(path + nameOf(name), value[name], known))];
}

const shapes = {};
const keys = (kind, value) => { shapes[kind] = names(value).map((name) => kind + nameOf(name)); };

export default async (amp) => {
	const inputSchema = { type: "object" };
	shapes.amp = walk("amp", amp, new Map());
	keys("Subscription", amp.on("session.start", () => {}));
	keys("observable subscription", amp.configuration.subscribe(() => {}));
	keys("StatusItem", amp.createStatusItem());
	keys("Agent", amp.createAgent({ model: "a/b", instructions: "i" }));
	shapes.thread = walk("PluginThread", amp.threads.get("T-1"), new Map());
	keys("webhook", await amp.createWebhook({ key: "shape", handler: (event, ctx) => { keys("WebhookEvent", event); keys("webhook context", ctx); } }));
	amp.on("agent.start", (event, ctx) => keys("event context", ctx));
	keys("CommandSubscription", amp.registerCommand("shape", { title: "Shape" }, async (ctx) => {
		keys("command context", ctx);
		keys("keepAlive", await ctx.system.executor.keepAlive());
	}));
	amp.registerTool({ name: "shape", description: "", inputSchema, execute: (input, ctx) => {
		keys("tool context", ctx);
		return Object.values(shapes).flat().join("\\n");
	} });
};`;
