import { type ExitFacts, isBroodError } from "../../runtime/errors.ts";
import type { Redactor } from "../../runtime/redact.ts";
import type { Backend } from "../contracts/backend.ts";

/**
 * Puts a door in front of a backend through which no secret leaves: not in an error, nor in the end of its output.
 * Answers are not touched, since they are for whoever called.
 *
 * @param tailBytesMax a tail of this length has lost its beginning, which may have been that of a secret
 */
export function redactedBackend(backend: Backend, redactor: Redactor, tailBytesMax: number): Backend {
	const exitFacts = (exit: ExitFacts): ExitFacts => ({
		...exit,
		stderrTail: redactor.text(exit.stderrTail, { start: Buffer.byteLength(exit.stderrTail) >= tailBytesMax }),
	});

	function refused(error: unknown): never {
		if (isBroodError(error) && error.exit !== undefined) Object.assign(error, { exit: exitFacts(error.exit) });
		throw redactor.error(error);
	}

	const redacted = <Result>(task: Promise<Result>): Promise<Result> => task.catch(refused);

	const exited = backend.exited.then(exitFacts);
	return {
		get pid() {
			return backend.pid;
		},
		exited,
		facts: () => backend.facts(),
		start: (signal) => redacted(backend.start(signal)),
		call: (call, options) => redacted(backend.call(call, options)),
		emit: (event, options) => redacted(backend.emit(event, options)),
		links: (text, options) => redacted(backend.links(text, options)),
		modules: () => redacted(backend.modules()),
		dispose: (signal) => redacted(backend.dispose(signal)),
		kill: (signal, why) => backend.kill(signal, why),
	};
}
