import { afterEach, describe, expect, test } from "bun:test";
import { type Asked, inTerminal as openSession } from "../fixtures/ui/terminal-session.ts";

const key = { enter: "\r", escape: "\u001b", interrupt: "\u0003", tab: "\t", down: "\u001b[B", up: "\u001b[A" };
const backspace = "\u007f";

const cleanups: (() => Promise<void>)[] = [];

afterEach(async () => {
	for (const cleanup of cleanups.splice(0)) await cleanup();
});

const inTerminal = (asked: Asked[]) => openSession(asked, cleanups);

async function answersTo(asked: Asked, keys: [seen: string, typed: string][]): Promise<unknown> {
	const session = await inTerminal([asked]);
	for (const [text, typed] of keys) {
		await session.see(text);
		session.type(typed);
	}
	return (await session.outcome()).answers[0];
}

describe("each kind of dialog", () => {
	test("an input dialog is answered with the text that was typed, the initial value edited", async () => {
		const asked: Asked = {
			method: "input",
			request: { title: "Your name", helpText: "As friends say it", initialValue: "Ad" },
		};
		expect(
			await answersTo(asked, [
				["As friends say it", ""],
				["[demo] Your name", ""],
				["Ad", "a é😀"],
				["Ada é😀", key.enter],
			]),
		).toEqual({ answer: "Ada é😀" });
	});

	test("what is typed into a secret input never reaches the screen", async () => {
		const session = await inTerminal([{ method: "input", request: { title: "Token", secret: true } }]);
		await session.see("[demo] Token");
		session.type("hunter2");
		await session.see("▪".repeat(7));
		session.type(key.enter);
		expect(await session.outcome()).toEqual({ answers: [{ answer: "hunter2" }], raw: false });
		expect(session.shown()).not.toContain("hunter2");
		expect(session.shown()).not.toContain("h▪");
	});

	test("a secret input keeps its initial value when nothing is typed, and does not show it", async () => {
		const request = { title: "Token", secret: true, initialValue: "s3cret" };
		const session = await inTerminal([{ method: "input", request }]);
		await session.see("Enter keeps the present value");
		session.type(key.enter);
		expect((await session.outcome()).answers).toEqual([{ answer: "s3cret" }]);
		expect(session.shown()).not.toContain("s3cret");
	});

	test("a confirm dialog is answered by its button, the other one means no", async () => {
		const request = { title: "Deploy?", message: "To three machines", confirmButtonText: "Ship it" };
		expect(
			await answersTo({ method: "confirm", request }, [
				["To three machines", ""],
				["Ship it", key.enter],
			]),
		).toEqual({ answer: true });
		expect(
			await answersTo({ method: "confirm", request }, [
				["● Ship it", "\u001b[C"],
				["● Cancel", key.enter],
			]),
		).toEqual({ answer: false });
	});

	test("a select dialog starts at its initial value and follows the arrows", async () => {
		const request = { title: "Colour", options: ["red", "green", "blue"], initialValue: "green" };
		expect(
			await answersTo({ method: "select", request }, [
				["● green", key.down],
				["● blue", key.enter],
			]),
		).toEqual({ answer: "blue" });
	});

	test("a select dialog with other answers offers an entry for them, and trims what is typed", async () => {
		const request = { title: "Colour", options: ["red"], allowOther: true };
		expect(
			await answersTo({ method: "select", request }, [
				["● red", key.down],
				["● Other…", key.enter],
				["Colour: other", "  teal "],
				["  teal ", key.enter],
			]),
		).toEqual({ answer: "teal" });
	});

	test("an other answer that is left blank cancels", async () => {
		const request = { title: "Colour", options: ["red"], allowOther: true };
		expect(
			await answersTo({ method: "select", request }, [
				["● red", key.up],
				["● Other…", key.enter],
				["Colour: other", key.enter],
			]),
		).toEqual({ answer: null });
	});

	test("a form asks its text fields in turn, holds on to one that must not be empty and shows its images", async () => {
		const fields = [
			{ type: "image", name: "shot", label: "Screenshot", value: "data:image/png;base64,AAAA" },
			{ type: "text", name: "title", label: "Title", value: "" },
			{ type: "text", name: "note", label: "Note", value: "", optional: true },
		];
		expect(
			await answersTo({ method: "form", request: { title: "New issue", fields } }, [
				["[demo] New issue", ""],
				["Screenshot: an embedded image (image/png)", ""],
				["Title", key.enter],
				["Title must not be empty", "Bug"],
				["Bug", key.enter],
				["Note (optional)", key.enter],
			]),
		).toEqual({ answer: { title: "Bug", note: "" } });
	});

	test("a form without text fields asks for a yes", async () => {
		const fields = [{ type: "image", name: "shot", label: "Screenshot", value: "/tmp/shot.png" }];
		const request = { title: "Looks right?", fields };
		expect(
			await answersTo({ method: "form", request }, [
				["Screenshot: /tmp/shot.png", ""],
				["● Yes", key.enter],
			]),
		).toEqual({ answer: {} });
	});

	test("a field of several lines takes blank lines and characters outside the basic plane", async () => {
		const fields = [{ type: "text", name: "body", label: "Body", value: "", multiline: true }];
		const request = { title: "Commit", fields };
		expect(
			await answersTo({ method: "form", request }, [
				["[ submit ]", `Fix 😀!${key.enter}${key.enter}Why`],
				["Why█", key.tab + key.enter],
			]),
		).toEqual({ answer: { body: "Fix 😀!\n\nWhy" } });
	});

	test("an initial value of several lines is edited as such", async () => {
		const request = { title: "Message", initialValue: "one\ntwo" };
		expect(
			await answersTo({ method: "input", request }, [
				["two█", `${backspace}${backspace}en`],
				["ten█", key.tab + key.enter],
			]),
		).toEqual({
			answer: "one\nten",
		});
	});
});

describe("leaving a dialog", () => {
	const every: Asked[] = [
		{ method: "input", request: { title: "Leave me" } },
		{ method: "input", request: { title: "Leave me", secret: true } },
		{ method: "confirm", request: { title: "Leave me" } },
		{ method: "select", request: { title: "Leave me", options: ["a", "b"] } },
		{
			method: "form",
			request: { title: "Leave me", fields: [{ type: "text", name: "a", label: "Field", value: "x" }] },
		},
	];

	test.each(["escape", "interrupt"] as const)("%s cancels every kind and gives the terminal back", async (name) => {
		const session = await inTerminal(every);
		for (const asked of every) {
			await session.see("Leave me");
			await session.see(asked.method === "form" ? "x█" : "└");
			session.type(key[name]);
			await session.see("■");
		}
		expect(await session.outcome()).toEqual({ answers: every.map(() => ({ answer: null })), raw: false });
		const shown = session.shown();
		expect(shown.lastIndexOf("\u001b[?25h")).toBeGreaterThan(shown.lastIndexOf("\u001b[?25l"));
	});
});

test("a terminal that hangs up ends the open dialog and those behind it with a code", async () => {
	const session = await inTerminal([
		{ method: "input", request: { title: "One" } },
		{ method: "input", request: { title: "Two" } },
	]);
	await session.see("[demo] One");
	session.terminal.close();
	expect((await session.outcome()).answers).toEqual([{ code: "ui_not_available" }, { code: "ui_not_available" }]);
});

describe("several dialogs", () => {
	test("wait for each other in the order of asking, each under the name of its plugin", async () => {
		const session = await inTerminal([
			{ method: "input", plugin: "first", request: { title: "One" } },
			{ method: "confirm", plugin: "second", request: { title: "Two" } },
			{ method: "notify", plugin: "third", request: { message: "Three" } },
		]);
		await session.see("[first] One");
		session.type("1");
		await session.see("1█");
		session.type(key.enter);
		expect(await session.see("[second] Two")).not.toContain("[third]");
		session.type("n");
		await session.see("[third] Three");
		expect((await session.outcome()).answers).toEqual([{ answer: "1" }, { answer: false }, { answer: null }]);
	});

	test("one whose caller is gone is withdrawn, and the next one shows and takes the keys", async () => {
		const session = await inTerminal([
			{ method: "input", plugin: "gone", request: { title: "One" } },
			{ method: "input", plugin: "here", request: { title: "Two" } },
		]);
		await session.see("[gone] One");
		session.type("half");
		await session.see("half█");
		session.child.kill("SIGUSR1");
		await session.see("■  [gone] One");
		await session.see("Withdrawn");
		await session.see("[here] Two");
		session.type("whole");
		await session.see("whole█");
		session.type(key.enter);
		expect(await session.outcome()).toEqual({ answers: [{ code: "cancelled" }, { answer: "whole" }], raw: false });
	});
});

test("no control character of a plugin reaches the terminal", async () => {
	const bad = "\u001b]0;owned\u0007\u001b[2J\u0007\u0000\u009b31m\u202e";
	const session = await inTerminal([
		{ method: "notify", request: { message: `${bad}note` } },
		{ method: "select", request: { title: `${bad}Pick\none`, message: `${bad}why`, options: [`${bad}plain`, "b"] } },
	]);
	await session.see("note");
	await session.see("why");
	await session.see("Pick one");
	await session.see("plain");
	session.type(key.enter);
	expect((await session.outcome()).answers).toEqual([{ answer: null }, { answer: `${bad}plain` }]);
	for (const part of ["owned", "\u001b[2J", "\u0007", "\u0000", "\u009b", "\u202e"])
		expect(session.shown()).not.toContain(part);
});
