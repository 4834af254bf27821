/** Ends process groups whose host died without a chance to do it. */
export interface Watchdog {
	/** Starts its process, so that it is there before the first child. */
	start(): void;
	watch(group: number): void;
	forget(group: number): void;
	/** Ends the watchdog; groups that it still knows are killed. */
	close(): void;
}

// It holds a pipe to the host and acts at its end, which also comes when the host is killed.
// Signals to the host's terminal must not reach it first, so it ignores them and leads a session of its own.
const script = `
trap '' INT TERM HUP
groups=' '
while read -r word group; do
	case $word in
		watch) groups="$groups$group " ;;
		forget) groups="\${groups%% $group *} \${groups#* $group }" ;;
	esac
done
for group in $groups; do kill -KILL "-$group" 2>/dev/null; done
`;

/** Makes the one small process that a host has for all of its children. */
export function createWatchdog(): Watchdog {
	let sink: Bun.FileSink | undefined;
	let closed = false;

	function tell(line: string): void {
		if (closed || sink === undefined) return;
		sink.write(`${line}\n`);
		// A watchdog that somebody killed is missed only by a host that is killed as well.
		Promise.resolve(sink.flush()).catch(() => {});
	}

	return {
		start() {
			if (!closed) sink ??= spawnWatchdog();
		},
		watch: (group) => tell(`watch ${group}`),
		forget: (group) => tell(`forget ${group}`),
		close() {
			closed = true;
			Promise.resolve(sink?.end()).catch(() => {});
		},
	};
}

function spawnWatchdog(): Bun.FileSink {
	const watchdog = Bun.spawn(["/bin/sh", "-c", script], {
		stdin: "pipe",
		stdout: "ignore",
		stderr: "ignore",
		env: {},
		cwd: "/",
		detached: true,
	});
	watchdog.unref();
	return watchdog.stdin;
}
