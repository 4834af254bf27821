import { expect, test } from "bun:test";
import { createDesk } from "../cli/support.ts";

const desk = createDesk();

const plugin = `export default (amp) => {
	const at = amp.activeThread.current;
	async function work(context) {
		const thread = amp.threads.get(context.thread.id);
		const [newest] = await thread.messages({ limit: 1 });
		await thread.appendUserMessage("seen: " + newest?.content[0].text, { steer: true });
		return [at?.id, context.thread.id, await thread.title.get(), await thread.state.get()].join(" ");
	}
	amp.registerTool({ name: "work", description: "d", inputSchema: { type: "object" }, execute: (_, context) => work(context) });
	amp.registerTool({ name: "idle", description: "d", inputSchema: { type: "object" }, execute: (_, { thread }) => thread.id });
	amp.registerCommand("work", { title: "Work" }, (context) => work(context));
	amp.on("agent.start", async (event, context) => { await amp.threads.get(event.thread.id).cancel(); });
};`;
const threads = [
	{ id: "T-1", title: "one", messages: [{ role: "user", content: "hello" }] },
	{
		id: "T-2",
		title: "two",
		state: "running",
		messages: [{ role: "assistant", content: [{ type: "text", text: "yes" }] }],
	},
];
const base = ["-p", "plugin.ts", "--no-places"];

test("--threads and --thread give plugins the threads of a file, and --json tells what plugins did to them", async () => {
	await desk.write({
		"plugin.ts": plugin,
		"list.json": JSON.stringify(threads),
		"active.json": JSON.stringify({ threads, active: "T-2" }),
	});
	const did = (threadID: string, text: string) => [
		{ plugin: "plugin", threadID, type: "user-message", content: `seen: ${text}`, steer: true },
	];
	const [call, run, emit, idle, alone, note] = await Promise.all([
		desk.run([...base, "call", "work", "--threads", "list.json", "--thread", "T-1", "--json"]),
		desk.run([...base, "run", "work", "--threads", "active.json", "--json"]),
		desk.run([...base, "emit", "agent.start", "--threads", "-", "--thread", "T-2", "--json"], {
			stdin: JSON.stringify(threads),
		}),
		desk.run([...base, "call", "idle", "--json"]),
		desk.run([...base, "call", "idle", "--thread", "T-new", "--json"]),
		desk.run([...base, "run", "work", "--threads", "active.json", "--thread", "T-1"]),
	]);
	expect(JSON.parse(call.stdout)).toMatchObject({ text: "T-1 T-1 one idle", threads: did("T-1", "hello") });
	expect(JSON.parse(run.stdout).threads).toEqual(did("T-2", "yes"));
	expect(JSON.parse(emit.stdout).threads).toEqual([{ plugin: "plugin", threadID: "T-2", type: "cancel" }]);
	expect(JSON.parse(idle.stdout)).not.toHaveProperty("threads");
	expect(JSON.parse(alone.stdout).text).toBe("T-new");
	expect(note.stderr).toContain('Plugin plugin, thread T-1: steered by the message "seen: hello"');
	expect([call, run, emit, idle, alone, note].map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0, 0, 0]);
});

test("a file of threads that cannot be used is refused with the place and what is allowed", async () => {
	const files: [string, string, string][] = [
		["{", "is no JSON: line 1", "syntax"],
		['{"a":1}', 'threads: Invalid input: expected array, received undefined; it: Unrecognized key: "a"', "shape"],
		['[{"title":"x"}]', "threads.0.id: Invalid input: expected string, received undefined", "id"],
		['[{"id":"T","state":"busy"}]', 'threads.0.state: Invalid option: expected one of "idle"|"running"|', "state"],
		['[{"id":"T","messages":[{"role":"robot"}]}]', "threads.0.messages.0.role: Invalid", "role"],
		[
			'[{"id":"T","messages":[{"role":"user","content":1}]}]',
			"threads.0.messages.0.content: expected a text, or",
			"content",
		],
		['[{"id":"T","titel":"x"}]', 'threads.0: Unrecognized key: "titel"', "key"],
		['[{"id":"T"},{"id":"T"}]', 'There is a thread "T" already', "twice"],
		['{"threads":[{"id":"T"}],"active":"U"}', 'There is no thread "U" in active.json', "active"],
	];
	await desk.write({ "plugin.ts": plugin });
	await desk.write(Object.fromEntries(files.map(([text, , name]) => [`${name}.json`, text])));
	const runs = files.map(([, , name]) => desk.run([...base, "run", "work", "--threads", `${name}.json`, "--json"]));
	const outcomes = await Promise.all([...runs, desk.run([...base, "run", "work", "--threads", "gone.json", "--json"])]);
	const messages = outcomes.map(({ errors }) => errors[0]?.error.message ?? "");
	for (const [index, [, message]] of files.entries()) expect(messages[index]).toContain(message);
	expect(messages.at(-1)).toContain("--threads gone.json cannot be read: ");
	expect(new Set(outcomes.map(({ exitCode }) => exitCode))).toEqual(new Set([2]));
});
