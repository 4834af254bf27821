import {
	appendFileSync,
	closeSync,
	cpSync,
	fsyncSync,
	mkdirSync,
	openSync,
	realpathSync,
	renameSync,
	rmSync,
	symlinkSync,
	writeFileSync,
	writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

/** Leaves a text in a file, the way that some editor or tool does it. */
export type Save = (file: string, text: string) => void | Promise<void>;

/** How files are saved: each leaves the text where the file is, read through links, and nothing else beside it. */
export const styles: Record<string, Save> = {
	"written in place": (file, text) => writeFileSync(file, text),
	"written in place and synced": (file, text) => {
		const descriptor = openSync(file, "w");
		writeSync(descriptor, text);
		fsyncSync(descriptor);
		closeSync(descriptor);
	},
	"written aside and renamed over it": renamedOver,
	"renamed away, written anew, the old one removed": (file, text) => {
		renameSync(file, `${file}~`);
		writeFileSync(file, text);
		rmSync(`${file}~`);
	},
	"removed and written at once": (file, text) => {
		rmSync(file);
		writeFileSync(file, text);
	},
	"removed, and renamed into its place after 100 ms": async (file, text) => {
		rmSync(file);
		await Bun.sleep(100);
		renamedOver(file, text);
	},
	"written in two halves, 30 ms apart": async (file, text) => {
		writeFileSync(file, text.slice(0, text.length / 2));
		await Bun.sleep(30);
		appendFileSync(file, text.slice(text.length / 2));
	},
	"emptied, and written after 20 ms": async (file, text) => {
		writeFileSync(file, "");
		await Bun.sleep(20);
		writeFileSync(file, text);
	},
	"written twenty times at once": (file, text) => {
		for (let left = 19; left > 0; left -= 1) writeFileSync(file, before(text, left));
		writeFileSync(file, text);
	},
	"written twenty times, some milliseconds apart": async (file, text) => {
		for (let left = 19; left > 0; left -= 1) {
			writeFileSync(file, before(text, left));
			await Bun.sleep(left % 4);
		}
		writeFileSync(file, text);
	},
	"put into its place with the folder that it is in": (file, text) => {
		const folder = dirname(file);
		cpSync(folder, `${folder}.next`, { recursive: true, verbatimSymlinks: true });
		writeFileSync(join(`${folder}.next`, basename(file)), text);
		renameSync(folder, `${folder}.last`);
		renameSync(`${folder}.next`, folder);
		rmSync(`${folder}.last`, { recursive: true });
	},
	"removed with its folder, both made anew after 20 ms": async (file, text) => {
		rmSync(dirname(file), { recursive: true });
		await Bun.sleep(20);
		madeAnew(file, text);
	},
	"removed with its folder, both made anew and edited at once": (file, text) => {
		rmSync(dirname(file), { recursive: true });
		madeAnew(file, "");
		writeFileSync(file, text);
	},
};

/** How what a link leads to is saved; the file is a link. */
export const linkStyles: Record<string, Save> = {
	"written in place, through the link": (link, text) => writeFileSync(link, text),
	"written in place, where the link leads": (link, text) => writeFileSync(realpathSync(link), text),
	"renamed over what the link leads to": (link, text) => renamedOver(realpathSync(link), text),
	"put where the link is led from now on": (link, text) => {
		const target = realpathSync(link);
		const next = join(dirname(target), `next-${basename(target).replaceAll("next-", "")}`);
		const other = next === target ? join(dirname(target), basename(target).replaceAll("next-", "")) : next;
		writeFileSync(other, text);
		symlinkSync(other, `${link}.new`);
		renameSync(`${link}.new`, link);
		rmSync(target);
	},
};

/** Another text, of the same length. */
function before(text: string, left: number): string {
	return text.replace(/\d/g, String(9 - (left % 2)));
}

function renamedOver(file: string, text: string): void {
	writeFileSync(`${file}.tmp`, text);
	renameSync(`${file}.tmp`, file);
}

function madeAnew(file: string, text: string): void {
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, text);
}
