/** The same work under Node, in plain JavaScript without an import: the least that a process under Node can take. */
const tools = new Map();
const lists = { "tool.list": [], "command.list": [], "event.list": [] };
const [, , plugin] = process.argv;
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

const amp = {
	registerTool({ execute, ...tool }) {
		tools.set(tool.name, execute);
		lists["tool.list"].push(tool);
		send({ method: "tools.changed", params: { revision: 1 } });
	},
	registerCommand(id, command) {
		lists["command.list"].push({ id, ...command });
		send({ method: "commands.changed", params: { revision: 1 } });
	},
	on(name) {
		lists["event.list"].push({ name });
		send({ method: "events.changed", params: { revision: 1 } });
	},
};

async function hear({ id, method, params }) {
	if (method === undefined) {
		const module = await import(plugin);
		await module.default(amp);
		send({ method: "runtime.ready", params: {} });
	} else if (method === "tool.execute") {
		send({ id, result: { content: await tools.get(params.name)(params.input) } });
	} else {
		send({ id, result: { items: lists[method] } });
	}
}

let rest = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (text) => {
	const lines = (rest + text).split("\n");
	rest = lines.pop();
	for (const line of lines) hear(JSON.parse(line));
});
send({ id: 1, method: "client.info", params: { protocol: "1.0.0", pid: process.pid } });
