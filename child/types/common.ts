/** Undoes one registration or subscription; calling it again does nothing. */
export interface Subscription {
	unsubscribe(): void;
}

/** What an observer may react to. */
export interface Observer<Value> {
	next?(value: Value): void;
	error?(error: unknown): void;
	complete?(): void;
}

declare global {
	interface SymbolConstructor {
		/** The key of the observable protocol; brood defines it where the engine does not. */
		readonly observable: symbol;
	}
}

/** A value over time. Subscribers hear the current value first where there is one, then each change. */
export interface Observable<Value> {
	subscribe(observer: ((value: Value) => void) | Observer<Value>): Subscription;
	pipe<Result>(operator: (source: Observable<Value>) => Result): Result;
	/** For libraries that look for the observable protocol. */
	readonly [key: symbol]: () => Observable<Value>;
}

/** A file URI; `toString()` percent-encodes. */
export interface URI {
	readonly scheme: string;
	readonly path: string;
	readonly fsPath: string;
	toString(): string;
	toJSON(): string;
}

/** Writes to the plugin's log, under the plugin's name. Any value may be given; objects are shown with their members. */
export interface Logger {
	log(...values: unknown[]): void;
}

/** A running `sh` command resolves with this, whatever its exit code. */
export interface ShellResult {
	exitCode: number;
	stdout: string;
	stderr: string;
}

/** Runs a command with `sh` in the plugin's folder. Interpolated values are quoted; arrays become several words. */
export type Shell = (strings: TemplateStringsArray, ...values: unknown[]) => Promise<ShellResult>;
