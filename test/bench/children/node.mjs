/** The same work under Node, in plain JavaScript without an import: the least that a process under Node can take. */
const tools = new Map();
const lists = { tool: [], command: [], event: [] };
const [, , plugin] = process.argv;
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

const amp = {
	registerTool({ execute, ...tool }) {
		tools.set(tool.name, execute);
		lists.tool.push(tool);
	},
	registerCommand(id, command) {
		lists.command.push({ id, ...command });
	},
	on(name) {
		lists.event.push({ name });
	},
};

async function hear({ id, method, params }) {
	if (method === undefined) await load();
	else send({ id, result: { content: await tools.get(params.name)(params.input) } });
}

async function load() {
	const module = await imported;
	await module.default(amp);
	send({ method: "runtime.ready", params: lists });
}

let rest = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (text) => {
	const lines = (rest + text).split("\n");
	rest = lines.pop();
	for (const line of lines) hear(JSON.parse(line));
});
send({ id: 1, method: "client.info", params: { protocol: "1.0.0", pid: process.pid } });
// While the answer is on its way.
const imported = import(plugin);
