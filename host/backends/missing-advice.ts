import type { LaunchInstall } from "../contracts/services.ts";
import { canFetch } from "./install.ts";

/** What decides about the advice for an import that found nothing. */
export interface MissingQuestion {
	/** As the import names it. */
	specifier: string;
	/** How the child was launched. */
	form: string;
	/** Whether the package could be fetched. */
	install: LaunchInstall | undefined;
	/** Where a package is to be added. */
	folder: string;
	/** Whether a package lies where the import looks. */
	isInstalled(name: string): Promise<boolean>;
	/** Why it could not be fetched. */
	note: string | undefined;
}

/** Says what to do about an import that found nothing; undefined for a file, which the message names already. */
export async function advise(question: MissingQuestion): Promise<string | undefined> {
	const { specifier, folder, form } = question;
	if (/^[./]|^file:/.test(specifier)) return undefined;
	if (/^(?:node|bun):/.test(specifier)) return `Bun ${Bun.version} has no builtin module of that name; check it.`;
	const foreign = /^npm:(.*)/.exec(specifier)?.[1];
	if (/^https?:/.test(specifier)) return "Bun imports nothing by its address: add its package, or save the file.";
	const { name, version, path } = partsOf(foreign ?? specifier);
	if (name === undefined) {
		return 'That is no package name: check "paths" in tsconfig.json and "imports" in package.json.';
	}
	if (process.getBuiltinModule(name) !== undefined)
		return `The builtin module "${name}" has no "${specifier}"; check it.`;
	if (foreign !== undefined) return `Write "${name}${path}", and run "bun add ${name}${version}" in ${folder}.`;
	if (await question.isInstalled(name)) {
		if (form === "compiled") {
			return `node_modules/${name} exists: compile the host with --compile-autoload-package-json --compile-autoload-tsconfig.`;
		}
		return path === "" && version === ""
			? `node_modules/${name} exists and has no file to import: run "bun install --force" in ${folder}.`
			: `node_modules/${name} exists and has no "${specifier}": check the path, or "exports" in its package.json.`;
	}
	const plain = version === "" ? "" : `, and import "${name}${path}"`;
	const add = `run "bun add ${name}${version}", or "bun install" where package.json has it already, in ${folder}`;
	return `${beforeAdding(question)}${add}${plain}${afterAdding(question)}.`.replace(/^r/, "R");
}

function beforeAdding({ install, note }: MissingQuestion): string {
	if (install !== "auto") return "";
	if (note === undefined || /- 404$|^No version matching/.test(note)) return "Check its name and its version, or ";
	// Settings of Bun in bunfig.toml do not count here.
	if (/- 40[13]$/.test(note)) return "Put the token that the registry asks for into .npmrc, or ";
	if (note.includes(" extracting tarball ")) return "Try again, since what the registry sent is damaged, or ";
	return "Try again when the registry answers, or ";
}

function afterAdding({ install, form }: MissingQuestion): string {
	if (install === "auto") return "";
	if (install === undefined) return canFetch(form) ? '; or let it be fetched: install: "auto" (--install)' : "";
	return `; a host that starts its plugins in the form ${form} cannot fetch packages`;
}

/** The name of a package with the version and the path behind it; no name where it can be none. */
function partsOf(specifier: string): { name: string | undefined; version: string; path: string } {
	const found = /^((?:@[\w.~-]+\/)?[a-z\d][\w.~-]*)(@[^/]+)?(\/.*)?$/i.exec(specifier);
	return { name: found?.[1], version: found?.[2] ?? "", path: found?.[3] ?? "" };
}
