import { describe, expect, test } from "vitest";
import { lastLabel } from "../../helpers/fold.js";

const read = (content: string): string => {
	const { language, coverage } = lastLabel([content]);
	return `${language} ${coverage}`;
};

describe("language and coverage", () => {
	test.each([
		["english", "I really want to go home and sleep for a while", "en full"],
		["chat english", "idk man just feelin kinda low rn tbh", "en full"],
		["spanish", "ya no quiero vivir, estoy muy cansado de todo y no tengo nada", "es none"],
		["german", "ich will nicht mehr leben und ich kann auch nichts mehr essen", "de none"],
		["french", "je ne veux plus vivre, je suis fatigué de tout dans ma vie", "fr none"],
		["chinese", "我真的不想活了", "und none"],
		["russian", "я больше не хочу жить", "und none"],
		["arabic", "لا أريد أن أعيش", "und none"],
		["no letters", "!!! ??? ---", "und none"],
		["empty", "", "und none"],
		["an emoji", "😭", "und partial"],
		["a number", "42", "und partial"],
		["noise", "xqzt bvrk plmw qqrz wvxk zzkt", "und none"],
		["one unknown word", "blorptastic", "und partial"],
	])("%s", (_, content, expected) => expect(read(content)).toBe(expected));

	test("text of two scripts is read in part", () => expect(read("i feel so alone 我真的很難過 and tired")).toBe("en partial"));

	test("a text that can not be read is never scored as if it had been", () => {
		const label = lastLabel(["я больше не хочу жить"]);
		expect(label.coverage).toBe("none");
		expect(label.evidence).toEqual([]);
	});
});
