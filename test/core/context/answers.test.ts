import { describe, expect, test } from "vitest";
import { LONGEST_ANSWER } from "../../../src/core/context/answers.js";
import { lastLabel, levelOf } from "../../helpers/fold.js";

const ASKS = {
	ideation: "A: Are you thinking about killing yourself?",
	plan: "A: Do you have a plan to end your life?",
	intent: "A: Are you going to kill yourself?",
	safety: "A: Are you safe?",
	"self-harm": "A: Are you hurting yourself?",
	attempt: "A: Have you ever tried to kill yourself?",
	purpose: "A: Were you trying to die?",
	living: "A: Is there a reason to live for you?",
	purging: "A: Do you make yourself throw up?",
} as const;
const WISH = "i want to die";

describe("an answer takes its meaning from the question", () => {
	test.each([
		["ideation", "yes", "R1-high"],
		["ideation", "yeah i have", "R1-high"],
		["ideation", "no", "R1-mid"],
		["ideation", "not really", "R1-mid"],
		["ideation", "can we talk about something else", "R1-mid"],
		["plan", "yes", "R2"],
		["plan", "no", "R1-mid"],
		["intent", "yes", "R2"],
		["intent", "not yet", "R2"],
		["intent", "not today", "R2"],
		["intent", "no", "R1-mid"],
		["safety", "no", "R1-high"],
		["safety", "yes", "R0"],
		["self-harm", "yes", "R1-high"],
		["attempt", "yes", "R1-high"],
		["purging", "yes", "R1-high"],
		["purpose", "yes", "R2"],
		["purpose", "no, just to feel something", "R1-high"],
		["living", "no", "R1-high"],
		["living", "yes", "R0"],
	] as const)("%s: %s is %s", (topic, answer, level) => expect(levelOf(ASKS[topic], answer)).toBe(level));

	test.each([
		["plan", "no", "R1-high"],
		["intent", "no", "R1-high"],
		["safety", "no", "R2"],
		["ideation", "no", "R1-mid"],
	] as const)("after affirmed ideation, %s: %s is %s", (topic, answer, level) => expect(levelOf(WISH, ASKS[topic], answer)).toBe(level));

	test.each([
		["yes", "R0"],
		["no", "R1-mid"],
	] as const)("after a wish to die, eaten today: %s is %s", (answer, level) => expect(levelOf(WISH, "A: Have you eaten today?", answer)).toBe(level));

	test.each([
		["ideation", "last night", "R1-high"],
		["ideation", "when i was 15", "R1-mid"],
		["ideation", "not today", "R1-high"],
		["ideation", "4", "R1-high"],
		["self-harm", "yesterday", "R1-high"],
		["self-harm", "not since school", "R1-mid"],
		["attempt", "last week", "R2"],
		["attempt", "years ago", "R1-mid"],
		["purging", "this morning", "R1-high"],
	] as const)("when it was decides: %s, %s is %s", (topic, answer, level) => expect(levelOf(ASKS[topic], answer)).toBe(level));

	test.each([
		["A: You're not suicidal, right?", "right", "R1-mid"],
		["A: You're not suicidal, right?", "no", "R1-mid"],
		["A: You're not suicidal, right?", "i am", "R1-high"],
		["A: No thoughts of hurting yourself?", "correct", "R1-mid"],
		["A: You haven't tried to kill yourself, have you?", "yeah i have", "R1-high"],
		["A: You don't want to die, do you?", "right", "R1-mid"],
		["A: You don't want to die, do you?", "i do", "R1-high"],
		["A: Are you not suicidal?", "yes", "R1-high"],
		["A: You're not suicidal, right?", "of course", "R1-mid"],
		["A: You're not suicidal, right?", "bit yeah", "R1-high"],
		["A: You're not suicidal, right?", "yeah i'm fine", "R1-mid"],
		["A: You have no thoughts of suicide?", "correct", "R1-mid"],
		["A: You can't stop thinking about suicide?", "yes", "R1-high"],
		["A: You haven't slept, are you thinking of suicide?", "yes", "R1-high"],
		["A: You're not suicidal, right?", "i never said i was", "R0"],
		["A: No wonder you think about suicide, right?", "yes", "R1-high"],
		["A: You haven't told your mum you are suicidal?", "no i am suicidal", "R1-high"],
	] as const)("a question that expects a no: %s %s is %s", (question, answer, level) => expect(levelOf(question, answer)).toBe(level));

	test.each([
		["How many did you take?", "all of them", "R2"],
		["How many did you take?", "like 30", "R2"],
		["Have you taken anything?", "yes", "R2"],
		["Have you taken anything?", "an hour ago", "R2"],
		["Have you taken anything?", "no", "R1-mid"],
	] as const)("after a wish to die: %s %s is %s", (question, answer, level) => expect(levelOf(WISH, `A: ${question}`, answer)).toBe(level));

	test("what was taken means nothing where nothing worrying was said", () => {
		expect(levelOf("my head hurts from the heat", "A: Have you taken anything?", "yes")).toBe("R0");
		expect(levelOf("my head hurts from the heat", "A: Did you take something?", "yes")).toBe("R0");
		expect(levelOf("the survey has 40 items", "A: How many did you take?", "like 30")).toBe("R0");
	});

	test.each(["Do you have someone with you?", "Do you have a safety plan?", "Have you decided who you could call?"])(
		"an offer of help is no question of means: %s",
		(question) => expect(["R0", "R1-mid"]).toContain(levelOf(WISH, `A: ${question}`, "yes")),
	);

	test("a plan that nobody fears is none", () => {
		expect(levelOf("i need a phone contract", "A: Do you have a plan?", "yes")).toBe("R0");
		expect(levelOf("A: Do you have a plan?", "yes")).toBe("R2");
	});

	test("a word of help elsewhere in the question changes nothing", () => {
		expect(levelOf(WISH, "A: Can we talk about whether you have a plan?", "yes")).toBe("R2");
		expect(levelOf("A: Are you going to kill yourself tonight when your family is asleep?", "yes")).toBe("R2");
	});

	test("who does not feel safe is not safe", () => expect(levelOf(WISH, "A: You don't feel safe?", "yes")).toBe("R2"));

	test("a question about suicide after violent talk is one about suicide", () => {
		const { r_level, scores } = lastLabel(["i want to kill my brother", "A: Are you going to kill yourself?", "yes"]);
		expect([r_level, scores.harm_to_others < 0.5]).toEqual(["R2", true]);
	});

	test("a plan after violent talk is one of violence", () => {
		const label = lastLabel(["i want to kill my brother", "A: Do you have a plan?", "yes"]);
		expect(label.r_level).toBe("R2");
		expect(label.scores.harm_to_others).toBeGreaterThan(0.8);
		expect(label.imminence).toMatchObject({ target: "others", ideation: "none" });
	});

	test("yes and no alone say nothing", () => {
		for (const answer of ["yes", "no", "tonight", "pills", "not yet"]) expect(levelOf(answer)).toBe("R0");
	});

	test("a denial is recorded", () => expect(lastLabel([ASKS.ideation, "no"]).imminence.intent).toBe("denied"));

	test("the answer is evidence, over the whole turn", () => {
		const { evidence } = lastLabel([ASKS.ideation, "yeah"]);
		expect(evidence).toContainEqual({
			signal: "suicidal_ideation",
			start: 0,
			end: 4,
			text: "yeah",
			rule: "answer.ideation.yes",
			modifiers: ["answer"],
			contribution: 0.75,
		});
	});
});

describe("what is asked", () => {
	test.each([
		["Do you feel like you want to kill yourself?", "yes", "R1-high"],
		["Are you cutting your arms again?", "mhm", "R1-high"],
		["Would you rather be dead?", "kind of", "R1-high"],
		["Have you been hearing voices in your head?", "yeah", "R1-high"],
		["Do you want to kill your brother?", "a bit yeah", "R1-high"],
	])("a question is read as what the user would say: %s %s", (question, answer, level) => expect(levelOf(`A: ${question}`, answer)).toBe(level));

	test("a condition, a quotation, a statement and a text ask nothing", () => {
		expect(levelOf("A: If you are thinking of suicide, call 988. Did you find the menu?", "yes")).toBe("R0");
		expect(levelOf('A: It means "I want to kill myself". Is that the line?', "yes")).toBe("R0");
		expect(levelOf("A: I'm glad you are safe and happy to be alive. Anything else?", "no")).toBe("R0");
		expect(levelOf("A: Does the character want to kill himself, do you think of suicide there?", "yes")).toBe("R0");
	});

	test("a statement asks where it says what the user said, or a tag follows", () => {
		expect(levelOf("A: You told me you want to die. Are you still in that place?", "yes")).toBe("R1-high");
		expect(levelOf("A: You have been wishing you were dead. Is that right?", "right")).toBe("R1-high");
	});

	test("how often, still, when: of what the user has just said", () => {
		const often = "A: How often does that happen?";
		expect(levelOf(WISH, often, "most nights")).toBe("R1-high");
		expect(levelOf("i cut my arms again", often, "most nights")).toBe("R1-high");
		expect(levelOf("my train is late", often, "most nights")).toBe("R0");
		expect(levelOf(WISH, "A: When?", "saturday")).toBe("R2");
		const longAgo = [WISH, ...Array.from({ length: 3 }, () => ["A: The form is on page two.", "thanks, found it"]).flat()];
		expect(levelOf(...longAgo, often, "most nights")).toBe("R0");
		expect(levelOf(...longAgo, "A: When?", "saturday")).toBe("R0");
	});

	test("the first, the second: of the alternatives; the other side is denied", () => {
		const asks = "A: Is somebody hurting you, or do you hurt yourself?";
		expect(lastLabel([asks, "the second one"]).scores.self_harm).toBeGreaterThanOrEqual(0.5);
		expect(lastLabel([asks, "the first"]).imminence.danger_from_others).toBe(true);
		expect(levelOf("A: Are you suicidal, or just tired?", "the second one")).toBe("R1-mid");
		expect(levelOf("A: Would you like the red one or the blue one?", "the second one")).toBe("R0");
	});

	test.each([
		["Do you feel safe at home?", "R0", "R1-high"],
		["Are you safe right now?", "R0", "R1-high"],
		["Are you a danger to yourself?", "R1-high", "R0"],
		["Is life worth living?", "R0", "R1-high"],
		["Do you not want to live?", "R1-high", "R1-mid"],
	])("polarity: %s yes is %s, no is %s", (question, yes, no) => {
		expect(levelOf(`A: ${question}`, "yes")).toBe(yes);
		expect(levelOf(`A: ${question}`, "no")).toBe(no);
	});

	test("after ideation, means put away protect, means kept do not", () => {
		const asks = "A: Can you give the pills to your mum tonight?";
		expect(levelOf(WISH, asks, "yes")).not.toBe("R2");
		expect(levelOf(WISH, asks, "no")).toBe("R2");
		expect(levelOf(WISH, "A: Can you promise me to stay safe tonight?", "i promise")).not.toBe("R2");
	});

	test("since when, how much, what is left", () => {
		expect(levelOf("A: When did you last eat?", "three days ago")).toBe("R1-high");
		expect(levelOf("A: When did you last eat?", "an hour ago")).toBe("R0");
		expect(levelOf("A: How much do you drink?", "a bottle a day")).toBe("R1-high");
		expect(levelOf(WISH, "A: Is there anything that keeps you going?", "just the dog")).toBe("R1-high");
	});

	test("somebody else's emergency counts once something worrying was said", () => {
		expect(levelOf("A: Is she breathing?", "yes but slow")).toBe("R0");
		expect(levelOf("i feel so anxious all the time and my friend took too many pills", "A: Is she breathing?", "yes but slow")).toBe("R1-high");
	});

	test.each([
		"Do you see it on the screen?",
		"Is it asking you for a password?",
		"Did you mean to end the call?",
		"Would you like to live in Berlin?",
		"Is the battery life really worth it?",
		"Can you hold on a moment?",
		"Are you tired of living with roommates?",
		"Is the tooth hurting you?",
		"Did you try another cable?",
		"Are you still thinking of moving?",
	])("everyday questions: %s", (question) => {
		for (const answer of ["yes", "no", "every day", "not yet", "tonight", "the second one"]) expect(levelOf(`A: ${question}`, answer)).toBe("R0");
	});

	test("a turn of 80,000 words, each of them a question, is read like any other", () => {
		// Finding each question's sentence by walking back once took longer than a test may.
		expect(levelOf(WISH, `A: if ${"urges ".repeat(80_000)}`, "no")).toBe("R0");
		expect(levelOf(WISH, `A: ${"urges ".repeat(80_000)}?`, "yes")).toBe("R1-high");
	});
});

describe("what an answer is not", () => {
	test("ordinary questions count only where suicide is spoken of", () => {
		expect(levelOf("A: Do you have a plan for the trip?", "yes")).toBe("R0");
		expect(levelOf("A: When are you leaving?", "tonight")).toBe("R0");
		// The bare question is the one of the C-SSRS (guide, section 5).
		expect(levelOf("A: Do you have a plan?", "yes")).toBe("R2");
		expect(levelOf(WISH, "A: Do you have a plan?", "yes")).toBe("R2");
	});

	test("an answer belongs to the last assistant turn only", () => {
		expect(levelOf(ASKS.ideation, "hello", "yes")).toBe("R0");
		expect(levelOf(ASKS.ideation, "A: What did you eat today?", "yes")).toBe("R0");
		expect(levelOf(ASKS.ideation, "S: connected", "yes")).toBe("R1-high");
	});

	test("a long turn is no short answer", () => {
		const long = `yes ${"the train was late and i read the paper ".repeat(3)}`;
		expect(long.split(" ").length).toBeGreaterThan(LONGEST_ANSWER);
		expect(levelOf(ASKS.ideation, long)).toBe("R0");
	});

	test("the gravest of several questions is answered", () => {
		expect(levelOf("A: How is your mood? Are you thinking about killing yourself? Do you have a plan to end your life?", "yes")).toBe("R2");
	});

	test("a question that a user asks is no question to the user", () => expect(levelOf("Are you thinking about killing yourself?", "yes")).toBe("R0"));
});
