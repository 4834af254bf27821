/** The same work under Node, in plain JavaScript without an import: the least that a process under Node can take. */
const tools = new Map();
const lists = { tools: [], commands: [], events: [] };
const [, , plugin] = process.argv;
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
let answered;
const answer = new Promise((resolve) => {
	answered = resolve;
});

const amp = {
	registerTool({ execute, ...tool }) {
		tools.set(tool.name, execute);
		lists.tools.push(tool);
	},
	registerCommand: (id, command) => lists.commands.push({ id, ...command }),
	on: (name) => lists.events.push({ name }),
};

async function hear({ id, method, params }) {
	if (method === undefined) answered();
	else send({ id, result: { content: await tools.get(params.name)(params.input) } });
}

let rest = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (text) => {
	const lines = (rest + text).split("\n");
	rest = lines.pop();
	for (const line of lines) hear(JSON.parse(line));
});
send({ id: 1, method: "client.info", params: { protocol: "1.0.0", pid: process.pid } });
// While the answer to hello is on its way.
const module = await import(plugin);
await answer;
await module.default(amp);
send({ method: "runtime.ready", params: { lists } });
