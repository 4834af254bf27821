import { describe, expect, test } from "bun:test";
import { findConfigHome, findStateHome, findWorkspaceRoot, pluginPlaces } from "../../../host/base/paths.ts";
import { temporaryFolder } from "./temporary.ts";

const disk = temporaryFolder();

test("the folder for state lies in XDG_STATE_HOME when that is absolute, else in ~/.local/state, else nowhere", () => {
	expect(findStateHome({ XDG_STATE_HOME: "/xdg/", HOME: "/home/ann" })).toBe("/xdg");
	for (const XDG_STATE_HOME of ["", "state", "./state"]) {
		expect(findStateHome({ XDG_STATE_HOME, HOME: "/home/ann" })).toBe("/home/ann/.local/state");
	}
	for (const HOME of ["", "home"]) expect(findStateHome({ HOME })).toBeNull();
	expect(findStateHome({})).toBeNull();
});

describe("the workspace root", () => {
	test("is the nearest folder above that holds .git", () => {
		disk.folder("outer/.git");
		disk.folder("outer/inner/.git");
		const deep = disk.folder("outer/inner/src/deep");
		expect(findWorkspaceRoot(deep)).toBe(disk.path("outer/inner"));
		expect(findWorkspaceRoot(disk.path("outer"))).toBe(disk.path("outer"));
	});

	test("is found by the .git file of a linked work tree", () => {
		disk.file("tree/.git", "gitdir: /somewhere/else\n");
		expect(findWorkspaceRoot(disk.folder("tree/src"))).toBe(disk.path("tree"));
	});

	test("is the folder itself outside of a work tree, also when the folder does not exist", () => {
		expect(findWorkspaceRoot(disk.folder("plain/src"))).toBe(disk.path("plain/src"));
		expect(findWorkspaceRoot(disk.path("gone"))).toBe(disk.path("gone"));
	});
});

describe("the user's configuration", () => {
	test("lies in XDG_CONFIG_HOME, else in ~/.config", () => {
		expect(findConfigHome({ XDG_CONFIG_HOME: "/xdg", HOME: "/home/ann" })).toEqual({ path: "/xdg" });
		expect(findConfigHome({ HOME: "/home/ann" })).toEqual({ path: "/home/ann/.config" });
	});

	test("ignores an XDG_CONFIG_HOME that is empty or relative", () => {
		for (const XDG_CONFIG_HOME of ["", "conf", "./conf"]) {
			expect(findConfigHome({ XDG_CONFIG_HOME, HOME: "/home/ann" }).path).toBe("/home/ann/.config");
		}
	});

	test("does not exist without a usable HOME, and says why", () => {
		expect(findConfigHome({}).path).toBeNull();
		expect(findConfigHome({}).reason).toContain("HOME is not set");
		expect(findConfigHome({ HOME: "" }).reason).toContain("HOME is not set");
		expect(findConfigHome({ HOME: "ann" }).reason).toContain("HOME is not an absolute path");
	});
});

test("plugin places come project before user, and brood's own before Amp's", () => {
	expect(pluginPlaces("/w", "/c")).toEqual([
		{ path: "/w/.brood/plugins", scope: "project" },
		{ path: "/w/.amp/plugins", scope: "project" },
		{ path: "/c/brood/plugins", scope: "user" },
		{ path: "/c/amp/plugins", scope: "user" },
	]);
	expect(pluginPlaces("/w", null)).toHaveLength(2);
});
