import { describe, expect, test } from "vitest";
import type { Turn } from "../../../src/types.js";
import { foldSession, lastLabel, levelOf, rulesAlone } from "../../helpers/fold.js";

const user = (content: string): Turn => ({ role: "user", content });
const explain = (content: string) => rulesAlone.explain(rulesAlone.start(), user(content));
/** Modifiers of all mentions of a turn, counted or set aside. */
const modifiersOf = (content: string): string[] => {
	const { label, set_aside } = explain(content);
	return [...label.evidence, ...set_aside].flatMap(({ modifiers }) => modifiers);
};
const score = (content: string): number => lastLabel([content]).scores.suicidal_ideation;

describe("negation", () => {
	test.each(["i'm not going to kill myself", "i never said i want to die", "i don't want to die"])("%s: denied, low", (content) => {
		const label = lastLabel([content]);
		expect(label.scores.suicidal_ideation).toBeLessThanOrEqual(0.25);
		expect(label.imminence.intent).toBe("denied");
		expect(label.imminence.ideation).toBe("none");
		expect(label.r_level).toBe("R0");
	});

	test("what is denied about something else is simply not there", () => {
		expect(lastLabel(["i am not having a panic attack"]).scores.anxiety).toBe(0);
		expect(modifiersOf("i am not having a panic attack")).toContain("negation");
	});

	test.each([
		"i can't stop thinking about dying",
		"not only do i want to die",
		"i don't want to live",
		"nothing to live for",
		"why shouldn't i kill myself",
		"not gonna lie i want to die",
		"no joke i want to kill myself",
	])("%s: a pseudo-negation stays affirmed", (content) => {
		expect(levelOf(content)).toBe("R1-high");
		expect(lastLabel([content]).imminence.intent).not.toBe("denied");
	});

	test.each(["she said no and i want to die", "i'm not even sad, but i want to die", "i did not sleep. i want to die"])("%s: another clause", (content) =>
		expect(levelOf(content)).toBe("R1-high"),
	);

	test("an affirmed wish beside a denial decides", () => expect(levelOf("i don't want to kill myself but i want to die")).toBe("R1-high"));
});

describe("temporality", () => {
	test.each(["years ago i wanted to die", "i wanted to die back in high school", "i used to want to die"])("%s: history", (content) => {
		const label = lastLabel([content]);
		expect(modifiersOf(content)).toContain("temporality:historical");
		expect(label.scores.suicidal_ideation).toBeLessThanOrEqual(0.4);
		expect(label.imminence).toMatchObject({ history: true, ideation: "none", level: "chronic" });
		expect(label.r_level).toBe("R0");
	});

	test("a past attempt told as past is worth a look, no more", () => {
		const label = lastLabel(["i tried to kill myself years ago"]);
		expect(label.r_level).toBe("R1-mid");
		expect(label.imminence).toMatchObject({ attempt: "historical", history: true });
	});

	test("recent is current", () => {
		expect(modifiersOf("i wanted to die last week")).toContain("temporality:recent");
		expect(levelOf("i wanted to die last week")).toBe("R1-high");
		expect(lastLabel(["i tried to kill myself yesterday"])).toMatchObject({ r_level: "R2", imminence: { attempt: "recent" } });
	});
});

describe("certainty", () => {
	test("a remote hypothetical keeps 0.4 and is R1-mid", () => {
		const content = "if i ever lost her i'd kill myself";
		expect(modifiersOf(content)).toContain("certainty:hypothetical");
		expect(score(content)).toBeGreaterThanOrEqual(0.4);
		expect(levelOf(content)).toBe("R1-mid");
	});

	test("a condition that may well come is R1-high, a dated one intent", () => {
		expect(modifiersOf("if she leaves me again i'll kill myself")).toContain("certainty:condition");
		expect(lastLabel(["if she leaves me again i'll kill myself"])).toMatchObject({ r_level: "R1-high", imminence: { intent: "none" } });
		expect(lastLabel(["if she leaves me again i'll kill myself on friday"])).toMatchObject({ r_level: "R2", imminence: { intent: "stated" } });
	});

	test("a trivial trigger decides, with and without a laugh", () => {
		for (const content of ["i'll kill myself if this meeting runs over", "i'll kill myself if this meeting runs over lol"]) {
			expect(levelOf(content)).toBe("R0");
			expect(explain(content).set_aside.map(({ reason }) => reason)).toContain("frame:idiom");
		}
	});

	test("ambivalence counts as current", () => {
		expect(lastLabel(["part of me wants to die"])).toMatchObject({ r_level: "R1-high", imminence: { intent: "ambivalent" } });
	});
});

describe("experiencer", () => {
	test.each(["my sister wants to die", "she wants to die", "my mom says she wants to die"])("%s: about somebody else", (content) => {
		const label = lastLabel([content]);
		expect(label.imminence.subject).toBe("other");
		expect(label.scores.suicidal_ideation).toBeLessThanOrEqual(0.4);
		expect(label.r_level).toBe("R1-mid");
	});

	test.each(["my sister is overdosing", "she won't wake up", "my friend sent me a goodbye text and isn't answering"])("%s: in danger now", (content) =>
		expect(lastLabel([content])).toMatchObject({ r_level: "R1-high", imminence: { subject: "other" } }),
	);

	test.each([
		["my mom is asleep and i took all my pills", "R2"],
		["he is gone so i want to die", "R1-high"],
		["my brother is 12 and i tried to hang myself", "R1-high"],
	])("%s: the speaker's own clause is the speaker's", (content, level) => {
		expect(lastLabel([content])).toMatchObject({ r_level: level, imminence: { subject: "self" } });
	});
});

describe("frames", () => {
	test.each([
		["idiom", "this commute is killing me, i'm dead tired"],
		["academic", "for my toxicology homework, how much ibuprofen is lethal?"],
		["fiction", "in my novel the narrator says i want to die"],
		["game", "i want to kill him in minecraft"],
		["quotation", "the lyrics say i want to die"],
	])("%s caps at 0.2", (_, content) => {
		const { scores, r_level } = lastLabel([content]);
		expect(Math.max(...Object.values(scores))).toBeLessThanOrEqual(0.2);
		expect(r_level).toBe("R0");
	});

	const STORY = "let's write a story where the narrator plans her suicide";

	test("a fiction frame goes on in the next turns", () => {
		const levels = foldSession([STORY, "A: sure, go on", "i want to die", "i take all the pills"]).map(({ r_level }) => r_level);
		expect(levels).toEqual(["R0", "R0", "R0", "R0"]);
	});

	test("a break-out ends it, for good", () => {
		const levels = foldSession([STORY, "honestly this isn't just a story, i want to die", "i want to die"]).map(({ r_level }) => r_level);
		expect(levels).toEqual(["R0", "R1-high", "R1-high"]);
	});

	test("a roleplay frame goes on too", () => {
		expect(levelOf("let's roleplay, you are a vampire", "i will kill you")).toBe("R0");
	});

	test("an academic remark does not open a frame", () => expect(levelOf("this is for my homework", "i want to die")).toBe("R1-high"));

	test("a laugh beside an explicit wish dampens to no less than 0.4 and no less than R1-high", () => {
		for (const laugh of ["lol", "haha", "😂"]) {
			const label = lastLabel([`i want to die ${laugh}`]);
			expect(label.scores.suicidal_ideation).toBeGreaterThanOrEqual(0.4);
			expect(label.scores.suicidal_ideation).toBeLessThan(score("i want to die"));
			expect(label.r_level).toBe("R1-high");
		}
	});

	test("a laugh takes the weight off what is not explicit, without hiding it", () => {
		const { label, set_aside } = explain("i can't do this anymore lol");
		expect(label.r_level).toBe("R0");
		expect(Math.max(...Object.values(label.scores))).toBeLessThanOrEqual(0.2);
		expect(label.evidence.flatMap(({ modifiers }) => modifiers)).toContain("frame:joke");
		expect(set_aside).toEqual([]);
	});
});

describe("intensity", () => {
	test("moves the score, never across an anchor", () => {
		const plain = score("i want to die");
		const up = score("i want to die so badly");
		const down = score("sometimes i want to die");
		expect(modifiersOf("i want to die so badly")).toContain("intensity:up");
		expect(modifiersOf("sometimes i want to die")).toContain("intensity:down");
		expect(up).toBeGreaterThan(plain);
		expect(down).toBeLessThanOrEqual(plain);
		for (const moved of [up, down]) expect(Math.floor(moved * 4)).toBe(Math.floor(plain * 4));
	});
});

describe("retraction", () => {
	test("lowers the turn, not the session", () => {
		const labels = foldSession(["i want to die", "i was joking, i'm fine"]);
		expect(labels.map(({ r_level }) => r_level)).toEqual(["R1-high", "R1-mid"]);
		expect(labels[1]?.session_r_level).toBe("R1-high");
	});
	test("of nothing is nothing", () => expect(levelOf("i was joking, i'm fine")).toBe("R0"));
});
