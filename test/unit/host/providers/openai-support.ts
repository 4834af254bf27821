import type { Server } from "bun";

/** What a server was asked, in order. */
export interface Asked {
	path: string;
	headers: Headers;
	body: Record<string, unknown>;
}

export interface ChatServer extends AsyncDisposable {
	url: string;
	asked: Asked[];
}

type Answer = (asked: Asked, count: number) => Response | Promise<Response>;

/** A real server on this machine that answers each request with what a test wants. */
export function chatServer(answer: Answer): ChatServer {
	const asked: Asked[] = [];
	const server: Server<undefined> = Bun.serve({
		hostname: "127.0.0.1",
		port: 0,
		async fetch(request) {
			const { pathname, search } = new URL(request.url);
			asked.push({ path: pathname + search, headers: request.headers, body: JSON.parse(await request.text()) });
			return answer(asked[asked.length - 1] as Asked, asked.length);
		},
	});
	return {
		url: `http://127.0.0.1:${server.port}`,
		asked,
		[Symbol.asyncDispose]: () => server.stop(true),
	};
}

/** A completion with this content, as the protocol has it. */
export function completion(content: unknown, more: Record<string, unknown> = {}): Response {
	const choice = { index: 0, message: { role: "assistant", content }, finish_reason: "stop", ...more };
	return Response.json({ id: "c", object: "chat.completion", choices: [choice], usage: {} });
}

/** An error as the protocol has it. */
export function refusal(status: number, message: string, headers: Record<string, string> = {}): Response {
	return Response.json({ error: { message, type: "invalid_request_error" } }, { status, headers });
}
