/** Gives messages back, read as most programs read lines of JSON. */
const decoder = new TextDecoder();
const output = Bun.stdout.writer();
let text = "";
for await (const chunk of Bun.stdin.stream()) {
	text += decoder.decode(chunk, { stream: true });
	for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n")) {
		const { id, params } = JSON.parse(text.slice(0, end));
		text = text.slice(end + 1);
		output.write(`${JSON.stringify({ id, result: params })}\n`);
		await output.flush();
	}
}
