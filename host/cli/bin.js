#!/usr/bin/env node
// Plain JavaScript: it has to run, and to explain itself, where there is no Bun.
import { accessSync, constants, readFileSync, statSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

// node:url is slow to load; on Windows the drive comes after a slash.
const here = decodeURIComponent(new URL(import.meta.url).pathname).replace(/^\/(?=[A-Za-z]:\/)/, "");
const exitCodes = { incompatible: 7, notFound: 127 };
// With it set, a Bun that is got anew would not be looked at.
const mendVariable = "Let BROOD_BUN name a Bun that can be run, or unset it, so that brood looks for one itself.";

if (process.versions.bun === undefined) await launch();
else if (checkVersion(process.versions.bun, process.execPath)) await import("./main.ts");

/** Runs this file again, under Bun, and ends as that run ends. */
async function launch() {
	// Bun, which has no need of them, would take a good part of a start to load them.
	const [{ spawn, spawnSync }, { constants: system }] = await Promise.all([
		import("node:child_process"),
		import("node:os"),
	]);
	const bun = findBun();
	if (bun === undefined) {
		const places = "in BROOD_BUN, on the PATH and in node_modules/bun beside brood or above it";
		return fail("bun_not_found", exitCodes.notFound, `brood needs Bun, which was looked for ${places}.`);
	}
	const { status, stdout, stderr, error } = spawnSync(bun.path, ["--version"], { encoding: "utf8" });
	if (status !== 0) {
		const reason = error?.message ?? (stderr.trim().split("\n")[0] || `it exited with ${status}`);
		const message = `brood needs Bun, and ${bun.path} (from ${bun.source}) cannot be run: ${reason}`;
		const hint = bun.source === "BROOD_BUN" ? mendVariable : undefined;
		return fail("bun_not_found", exitCodes.notFound, message, hint);
	}
	if (checkVersion(stdout.trim(), bun.path)) run(bun.path, spawn, system.signals);
}

/** Where Bun is, and who said so. */
function findBun() {
	const { BROOD_BUN, PATH = "" } = process.env;
	// Whoever names one does not want another.
	if (BROOD_BUN) return { path: BROOD_BUN, source: "BROOD_BUN" };
	const onPath = PATH.split(delimiter)
		.filter((folder) => folder !== "")
		.map((folder) => ({ path: join(folder, "bun"), source: "the PATH" }));
	const installed = ancestors(dirname(here)).map((folder) => {
		return { path: join(folder, "node_modules", "bun", "bin", "bun.exe"), source: "node_modules" };
	});
	return [...onPath, ...installed].find(({ path }) => isExecutable(path));
}

function ancestors(folder) {
	const parent = dirname(folder);
	return parent === folder ? [folder] : [folder, ...ancestors(parent)];
}

function isExecutable(path) {
	try {
		accessSync(path, constants.X_OK);
		return statSync(path).isFile();
	} catch {
		return false;
	}
}

/** Whether a Bun is new enough; says so when it is not. */
function checkVersion(version, path) {
	const manifest = JSON.parse(readFileSync(join(dirname(here), "../../package.json"), "utf8"));
	const oldest = manifest.engines.bun.replace(/^>=/, "");
	if (!isOlder(version, oldest)) return true;
	const message = `brood needs Bun ${oldest} or newer, and ${path} is Bun ${version}.`;
	fail("bun_too_old", exitCodes.incompatible, message, "Bring it up to date with: bun upgrade");
	return false;
}

function isOlder(version, oldest) {
	const [a, b] = [version, oldest].map((text) => text.split(/[.+-]/, 3).map((part) => Number.parseInt(part, 10)));
	const differs = b.findIndex((part, index) => a[index] !== part);
	return differs !== -1 && !(a[differs] > b[differs]);
}

function run(bun, spawn, signals) {
	// What lies in the folder where brood is called is the plugins' business, not the host's. Killed by SIGKILL, this
	// process could not take it along.
	const flags = ["--no-orphans", "--no-env-file", "--config=/dev/null", "--no-install"];
	const child = spawn(bun, [...flags, here, ...process.argv.slice(2)], { stdio: "inherit" });
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
		process.on(signal, () => {
			// A terminal has sent it to the child too, for which a second SIGINT means: kill at once.
			if (signal !== "SIGINT" || !isInTerminal()) child.kill(signal);
		});
	}
	child.on("error", (error) => fail("bun_not_found", exitCodes.notFound, `${bun} cannot be run: ${error.message}`));
	child.on("exit", (code, signal) => process.exit(signal === null ? code : 128 + signals[signal]));
}

function isInTerminal() {
	return process.stdin.isTTY || process.stderr.isTTY;
}

function fail(
	code,
	exitCode,
	message,
	hint = "Get it with: npm install -g bun (or run: npx --package bun --package brood brood)",
) {
	const json = process.argv.includes("--json");
	console.error(json ? JSON.stringify({ error: { code, message, hint } }) : `error: ${message}\n  hint: ${hint}`);
	process.exitCode = exitCode;
}
