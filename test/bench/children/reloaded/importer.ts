/** A program that has a plugin in its own process, and says what its tools are. */
const { default: activate } = await import(process.argv[2] ?? "");

activate({
	registerTool: ({ name }: { name: string }) => console.log(name),
	registerCommand: () => {},
	on: () => {},
});
// It is there until it is told to end.
setInterval(() => {}, 60_000);
