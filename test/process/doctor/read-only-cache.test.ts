import { expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { dirname } from "node:path";
import { bundledChild } from "../../../host/backends/child-bundle.ts";
import { createDesk, main } from "../cli/support.ts";
import { asAnybody, canBeRefused, createDoctor } from "./support.ts";

const desk = createDesk({ ownCache: true });
const doctor = createDoctor(desk);

test.skipIf(!canBeRefused)(
	"a cache that can only be read is a note while it has the bundle of the child, and a warning without",
	async () => {
		const cache = dirname(dirname(await bundledChild({ XDG_CACHE_HOME: desk.home(".cache") })));
		const look = async () =>
			(await doctor(["--no-load"], { command: [...asAnybody, process.execPath, main] })).of("folders");
		const empty = desk.home("empty");
		await Bun.write(`${empty}/brood/nothing`, "");
		chmodSync(cache, 0o555);
		chmodSync(`${empty}/brood`, 0o555);
		try {
			expect(await look()).toMatchObject([
				{ status: "note", message: expect.stringContaining("Plugins start from the bundle that lies there") },
			]);
			const env = { XDG_CACHE_HOME: empty };
			const { of } = await doctor(["--no-load"], { env, command: [...asAnybody, process.execPath, main] });
			expect(of("folders")).toMatchObject([
				{ status: "warning", message: expect.stringContaining("Every plugin starts from the sources of brood") },
			]);
		} finally {
			chmodSync(cache, 0o755);
			chmodSync(`${empty}/brood`, 0o755);
		}
	},
);
