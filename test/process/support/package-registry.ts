import { createHash } from "node:crypto";

/** A registry of packages on this machine, which speaks the part of npm's protocol that Bun asks for. */
export interface PackageRegistry extends AsyncDisposable {
	readonly url: string;
	/** The path of each request so far. */
	readonly requests: string[];
	/** How it answers from now on. */
	behave(behaviour: Behaviour): void;
}

/** With what it has, with that status to everything, with nothing until the end, or with nothing but package lists. */
export type Behaviour = "answer" | 500 | "hang" | "hang on archives";

/** The files of each version of each package, by path; `package.json` is written where it is not given. */
export type Packages = Record<string, Record<string, Record<string, string>>>;

/** Opens a registry on a port of its own; of several versions the last one is the newest. */
export async function openRegistry(packages: Packages): Promise<PackageRegistry> {
	const requests: string[] = [];
	const archives = new Map<string, Uint8Array>();
	let behaviour: Behaviour = "answer";
	const ended = Promise.withResolvers<void>();
	for (const [name, versions] of Object.entries(packages)) {
		for (const [version, files] of Object.entries(versions)) {
			archives.set(archivePath(name, version), await pack({ name, version }, files));
		}
	}

	const server = Bun.serve({
		hostname: "127.0.0.1",
		port: 0,
		idleTimeout: 0,
		async fetch(request): Promise<Response> {
			const path = decodeURIComponent(new URL(request.url).pathname);
			requests.push(path);
			const archive = archives.get(path);
			if (behaviour === "hang" || (behaviour === "hang on archives" && archive !== undefined)) await ended.promise;
			if (behaviour === 500) return new Response("broken", { status: 500 });
			if (archive !== undefined) return new Response(archive);
			const versions = packages[path.slice(1)];
			if (versions === undefined) return Response.json({ error: "not found" }, { status: 404 });
			return Response.json(describe(path.slice(1), Object.keys(versions)));
		},
	});
	const url = `http://127.0.0.1:${server.port}/`;

	function describe(name: string, versions: string[]) {
		const entries = versions.map((version) => {
			const manifest = packages[name]?.[version]?.["package.json"];
			const archive = archives.get(archivePath(name, version)) ?? new Uint8Array();
			const integrity = `sha512-${createHash("sha512").update(archive).digest("base64")}`;
			const tarball = new URL(archivePath(name, version), url).href;
			return [version, { name, version, ...JSON.parse(manifest ?? "{}"), dist: { tarball, integrity } }];
		});
		return { name, "dist-tags": { latest: versions.at(-1) }, versions: Object.fromEntries(entries) };
	}

	return {
		url,
		requests,
		behave(next) {
			behaviour = next;
		},
		async [Symbol.asyncDispose]() {
			ended.resolve();
			await server.stop(true);
		},
	};
}

function archivePath(name: string, version: string): string {
	return `/${name}/-/${name.split("/").at(-1)}-${version}.tgz`;
}

async function pack(manifest: { name: string; version: string }, files: Record<string, string>): Promise<Uint8Array> {
	const all = { "package.json": JSON.stringify(manifest), ...files };
	const entries = Object.entries(all).map(([path, text]) => [`package/${path}`, text]);
	return await new Bun.Archive(Object.fromEntries(entries), { compress: "gzip" }).bytes();
}
