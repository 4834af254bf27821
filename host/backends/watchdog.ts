import { messageOf } from "../../runtime/errors.ts";

/** Ends process groups whose host died without a chance to do it. */
export interface Watchdog {
	/** Starts its process, so that it is there before the first child. */
	start(): void;
	watch(group: number): void;
	forget(group: number): void;
	/** Ends the watchdog; groups that it still knows are killed. */
	close(): void;
}

export interface WatchdogOptions {
	/** Hears why there is none; the host works without. */
	problem(text: string): void;
	/** Runs the script. */
	shell?: string;
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

// Somebody may kill it; where it ends again and again something is wrong that another start does not mend.
const startsMax = 10;

/** Makes the one small process that a host has for all of its children; another one takes over when it is killed. */
export function createWatchdog({ problem, shell = "/bin/sh" }: WatchdogOptions): Watchdog {
	const groups = new Set<number>();
	let running: ReturnType<typeof spawnWatchdog> | undefined;
	let starts = 0;
	let closed = false;

	function start(): void {
		if (closed || running !== undefined) return;
		if (starts === startsMax) return miss(`it ended ${starts} times`);
		starts += 1;
		try {
			const started = spawnWatchdog(shell);
			running = started;
			void started.exited.then(() => {
				running = undefined;
				start();
			});
		} catch (error) {
			return miss(messageOf(error));
		}
		for (const group of groups) tell(`watch ${group}`);
	}

	function miss(reason: string): void {
		problem(`there is no watchdog (${reason}): subprocesses of plugins may outlive a host that is killed`);
	}

	function tell(line: string): void {
		if (running === undefined) return;
		const { stdin } = running;
		quietly(() => Promise.all([stdin.write(`${line}\n`), stdin.flush()]));
	}

	return {
		start,
		watch(group) {
			groups.add(group);
			tell(`watch ${group}`);
		},
		forget(group) {
			if (groups.delete(group)) tell(`forget ${group}`);
		},
		close() {
			closed = true;
			quietly(() => running?.stdin.end());
			// One that was stopped would never see the end of its pipe.
			running?.kill("SIGCONT");
		},
	};
}

/** Writes to one that may have been killed just now: the next one is told of all groups. */
function quietly(write: () => unknown): void {
	try {
		Promise.resolve(write()).catch(() => {});
	} catch {
		// A pipe that nobody reads any more fails at once or later.
	}
}

function spawnWatchdog(shell: string) {
	const watchdog = Bun.spawn([shell, "-c", script], {
		stdin: "pipe",
		stdout: "ignore",
		stderr: "ignore",
		env: {},
		cwd: "/",
		detached: true,
	});
	watchdog.unref();
	return watchdog;
}
