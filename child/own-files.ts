/** Parts of the paths of this runtime's own files: what lies there is none of a plugin's author's places. */
export const ownFiles: readonly string[] = ownFilesOf(Bun.main);

/** @param main the file that Bun runs: the entry of the sources or of a bundle, or a file that holds everything */
export function ownFilesOf(main: string): string[] {
	const at = main.lastIndexOf("/") + 1;
	const [folder, name] = [main.slice(0, at), main.slice(at)];
	if (name === "entry.ts") return [folder, folder.replace(/child\/$/, "runtime/")];
	return name === "entry.js" ? [main, `${folder}core.js`, `${folder}rest.js`] : [main];
}
