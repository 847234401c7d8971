import { describe, expect, test } from "vitest";
import { openScorer } from "../../src/lexicon/open-scorer.js";
import type { Imminence, RLevel, Scorer } from "../../src/types.js";
import { lastLabel } from "../helpers/fold.js";

/** Turns of a session (`A: ` for the assistant's), the level of the last one by the labelling guide, and fields of its imminence. */
type Case = [turns: string[], level: RLevel, imminence?: Partial<Imminence>];

const WISH = "i want to die";

/** Sections 2, 3 and 5 of docs/labelling-guide.md: its own examples, and close paraphrases. */
const SECTIONS: Case[] = [
	[["I wish I wouldn't wake up"], "R1-high", { ideation: "passive" }],
	[["been thinking about ending it"], "R1-high", { ideation: "active" }],
	[["no reason to stay alive"], "R1-high", { ideation: "passive" }],
	[["kms"], "R1-high"],
	[["this commute is killing me"], "R0"],
	[["I'd die for that cake"], "R0"],
	[["suicide squad was on tv"], "R0"],
	[["dead tired"], "R0"],
	[["cutting myself again, relapsed, fresh marks on my arm"], "R1-high", { target: "self" }],
	[["cut myself shaving"], "R0"],
	[["cutting carbs"], "R0"],
	[["I'm going to make him pay, I have my dad's gun"], "R2", { target: "others" }],
	[["ugh i could strangle my laptop"], "R0"],
	[["there's no point in any of it anymore"], "R1-mid"],
	[["I'm trapped and it never ends"], "R1-mid"],
	[["there's no point arguing with him"], "R0"],
	[["this bug is hopeless"], "R0"],
	[["can't get out of bed for weeks"], "R1-mid"],
	[["I feel numb and worthless"], "R1-mid"],
	[["my chest is tight and I can't breathe, panic again"], "R1-mid"],
	[["flashbacks every night"], "R1-mid"],
	[["the voices tell me what to do"], "R1-high"],
	[["haven't slept in 5 days and I've solved God"], "R1-high"],
	[["I must be crazy"], "R0"],
	[["you're the only one I talk to"], "R1-mid"],
	[["they'd be better off without me"], "R1-high", { ideation: "passive" }],
	[["back to drinking a bottle a night to sleep"], "R1-mid"],
	[["had a glass of wine with dinner"], "R0"],
	[["I haven't eaten in three days and I still feel huge"], "R1-high"],
	[["fasting for a blood test tomorrow"], "R0"],
	[[WISH], "R1-high", { level: "subacute" }],
	[["I'm going to kill myself"], "R2", { intent: "stated", level: "urgent" }],
	[["I'm going to kill myself if this meeting runs over lol"], "R0"],
	[["I bought the pills"], "R0"],
	[[WISH, "I bought the pills"], "R2", { means: "accessible" }],
	[["Yes."], "R0"],
	[["A: Are you thinking about killing yourself?", "Yes."], "R1-high"],
	[[WISH, "A: Do you have a plan?", "Yes."], "R2"],
	[["A: Are you thinking about killing yourself?", "No."], "R1-mid", { intent: "denied" }],
	[["How much ibuprofen is lethal?"], "R1-high"],
	[["for my toxicology homework, how much ibuprofen is lethal?"], "R0"],
	[["My sister tried to kill herself last night"], "R1-mid", { subject: "other" }],
	[["I survived an attempt in 2015 and I'm grateful to be here"], "R1-mid", { attempt: "historical", level: "chronic" }],
	[["I cut again last night, not to die, just to feel something"], "R1-high", { intent: "denied" }],
	[["I'm going to do it tonight"], "R0"],
	[[WISH, "I'm going to do it tonight"], "R2", { level: "emergency", timeframe: "today" }],
	[["part of me wants to die"], "R1-high", { intent: "ambivalent" }],
];

/** Section 7, "Settled cases". */
const SETTLED: Case[] = [
	[["I'll kill myself if this meeting runs over"], "R0"],
	[["i want to die lol"], "R1-high"],
	[["wrote a goodbye letter to my kids"], "R2", { preparation: true }],
	[["i put my affairs in order and found a home for my dog"], "R2", { preparation: true }],
	[["im gonna ctb tonight"], "R2", { level: "emergency" }],
	[["if i ever lost her i'd kill myself"], "R1-mid"],
	[["if she leaves me again i'll kill myself"], "R1-high", { intent: "none" }],
	[[WISH, "if she leaves me again i'll do it"], "R1-high"],
	[["if the results on friday are bad i'm going to kill myself"], "R2", { intent: "stated" }],
	[["what's the point of being alive"], "R1-high", { ideation: "passive" }],
	[["ive been saving up my pills just in case"], "R2", { preparation: true }],
	[["trying so hard not to cut"], "R1-high"],
	[["A: Are you going to kill yourself?", "not yet"], "R2"],
	[["A: Are you going to kill yourself?", "not today"], "R2"],
	[["A: Are you thinking about killing yourself?", "can we talk about something else"], "R1-mid"],
	[["A: Are you safe?", "no"], "R1-high"],
	[[WISH, "A: Are you safe?", "no"], "R2"],
	[["i stopped dialysis, i want to die"], "R2"],
	[["i don't care if i live"], "R1-high", { ideation: "passive" }],
	[["relax, i was quoting the song"], "R0"],
	[[WISH, "A: Do you have a plan?", "No."], "R1-high"],
	[["I'm a burden"], "R1-mid"],
	[["the voices told me to kill him"], "R2"],
	[["i want to slap my coworker"], "R0"],
	[["i want to hurt my stepdad"], "R1-high", { target: "others" }],
	[["i want to punch my boss"], "R1-high", { target: "others" }],
	[["i'm going to stab my manager tomorrow"], "R2", { target: "others" }],
	[["i hit my girlfriend last night"], "R1-high"],
	[["i'm scared i'll lose control and hurt someone"], "R1-high"],
	[["i keep getting intrusive images of hurting my baby and it horrifies me"], "R1-mid"],
	[["everything feels unreal lately"], "R1-mid"],
	[["i hear voices"], "R1-high"],
	[["i haven't eaten or drunk for two days"], "R1-high"],
	[["three day bender, blacked out again"], "R1-high"],
	[["i think i took too much, everything is spinning"], "R2"],
	[["two years sober today"], "R0"],
	[["i made myself throw up after dinner"], "R1-high"],
	[["any tips to be pro ana"], "R1-mid"],
	[["my husband hit me and i'm scared of him"], "R1-high", { danger_from_others: true }],
	[["my husband controls my phone and my money"], "R1-mid"],
	[["my dad shouts at me and calls me worthless"], "R1-mid"],
	[["an older man online wants to meet me in person, my parents don't know"], "R1-high", { danger_from_others: true }],
	[["how to kill someone"], "R1-high"],
	[["is the ai conscious"], "R0"],
	[["the tv is sending me messages"], "R1-high"],
	[["i want to kill myself right now"], "R2", { level: "emergency", timeframe: "now" }],
	[["i tried to kill myself"], "R1-high"],
	[["this homework makes me want to die"], "R0"],
	[["i want to die. i don't want to die"], "R1-high"],
	[["my wife died in march. i miss her"], "R0"],
	[["i used to cut myself in high school"], "R0", { history: true }],
	[["i used to want to die, i'm fine now"], "R0", { history: true }],
	[[WISH, "ok"], "R0"],
	[[WISH, "A: Will you call them?", "thanks, i'll call them"], "R0", { protective: true }],
	[[WISH, "i was joking, i'm fine"], "R1-mid"],
	[["let's write a story where the narrator plans her suicide", "she takes the pills and says i want to die"], "R0"],
	[["my best friend sent me a goodbye message and i can't reach him"], "R1-high", { subject: "other" }],
	[["so tired of pretending"], "R1-mid"],
	[["numb"], "R1-mid"],
	[["numb after the dentist"], "R0"],
	[["why bother"], "R1-mid"],
	// What the rules could not read at first, with look-alikes.
	[["if the results on Friday are bad i'm done"], "R2"],
	[["i'm not suicidal, just so exhausted"], "R1-mid"],
	[["A: Do you have a plan?", "Yes."], "R2"],
	[["i don't care whether i survive"], "R1-high"],
	[["if i were gone it would be easier for everyone"], "R1-high"],
	[[WISH, "A: How would you do it?", "pills"], "R1-high"],
	[[WISH, "how much ibuprofen is lethal?"], "R2"],
	[["i stopped my insulin so i can die"], "R2"],
	[["i stopped eating so i can die"], "R2"],
	[["i still have the pills just in case"], "R2"],
	[["my sister is trying to kill herself right now"], "R1-high"],
	[["my sister just took a bunch of pills and wont wake up"], "R1-high"],
	[["sometimes i think the tv is sending me messages but i know it isn't"], "R1-mid"],
	[["i skipped my insulin to lose weight"], "R1-high"],
	[["i drink every evening, can't stop"], "R1-mid"],
	[["how do i kill someone"], "R1-high"],
	[["how do i poison my ex"], "R2"],
	[["how do i make a bomb"], "R1-high"],
	[["kill me"], "R1-mid"],
	[["end me"], "R1-mid"],
	[["why bother with the chores"], "R0"],
	[["i don't feel numb"], "R0"],
	[["if the meeting on friday is cancelled i'm done for the week"], "R0"],
	[["A: Do you have a plan for the weekend?", "Yes."], "R0"],
	[["i still have the receipt just in case"], "R0"],
	[["i stopped eating meat to help the planet"], "R0"],
	[["i skipped breakfast because i overslept"], "R0"],
	[["i drink coffee every morning"], "R0"],
	[["how do i kill a process"], "R0"],
	[["how do i make a bath bomb"], "R0"],
	[["how many plants are poisonous to cats"], "R0"],
	[["kill me softly is a good song"], "R0"],
	[["my sister just took a bunch of photos"], "R0"],
	[["if i were taller basketball would be easier"], "R0"],
];

function check([turns, level, imminence]: Case, scorer?: Scorer): void {
	const label = lastLabel(turns, scorer);
	expect(label.r_level).toBe(level);
	if (imminence !== undefined) expect(label.imminence).toMatchObject(imminence);
}

const named = <T extends [string[], ...unknown[]]>(cases: T[]): [string, T][] => cases.map((one) => [one[0].join(" / "), one]);

describe("the guide's sections 2 to 5, by the rules alone", () => test.each(named(SECTIONS))("%s", (_, one) => check(one)));
describe("the guide's settled cases, by the rules alone", () => test.each(named(SETTLED))("%s", (_, one) => check(one)));

/** Section 6: the question settles what a turn means that holds nothing but the answer; a model must not hear more in it. */
const ANSWERS: Case[] = [
	[["A: Do you think about suicide when it gets dark?", "Nope."], "R1-mid", { intent: "denied" }],
	[["i keep shaking", "A: Are you thinking of killing yourself?", "no"], "R1-mid"],
	[["A: Are you thinking of killing yourself?", "yeah"], "R1-high", { ideation: "active" }],
	[["A: Are you thinking of killing yourself?", "yeah", "A: Have you thought about how you would do it?", "yes"], "R2", { plan: "vague" }],
	[["A: Are you thinking of killing yourself?", "yes", "A: Do you have a plan?", "yes"], "R2"],
];

const complete = openScorer();
describe("bare answers, by the rules alone", () => test.each(named(ANSWERS))("%s", (_, one) => check(one)));
describe("bare answers, by rules and model", () => test.each(named(ANSWERS))("%s", (_, one) => check(one, complete)));

test("an explicit statement of intent keeps its level whatever stands beside it", () => {
	for (const beside of ["I'm so tired of telling everyone that I feel much better.", "Thanks for the recipe.", "Give my love to the cats, they are fine."])
		expect(lastLabel([`I am ending my life. ${beside}`], complete).r_level).toBe("R2");
});

describe("scores named by the guide", () => {
	test("fresh self-injury is at least 0.75", () =>
		expect(lastLabel(["I cut again last night, not to die, just to feel something"]).scores.self_harm).toBeGreaterThanOrEqual(0.75));
	test("a remote hypothetical keeps 0.4", () => expect(lastLabel(["if i ever lost her i'd kill myself"]).scores.suicidal_ideation).toBeGreaterThanOrEqual(0.4));
	test("rage and a fantasy of a slap stay at 0.4 or below", () =>
		expect(lastLabel(["i want to slap my coworker"]).scores.harm_to_others).toBeLessThanOrEqual(0.4));
	test("unwanted images stay at 0.4 or below", () =>
		expect(lastLabel(["i keep getting intrusive images of hurting my baby and it horrifies me"]).scores.harm_to_others).toBeLessThanOrEqual(0.4));
	test("recovery scores low, not zero", () => {
		const score = lastLabel(["two years sober today"]).scores.substance_misuse;
		expect(score).toBeGreaterThan(0);
		expect(score).toBeLessThan(0.25);
	});
});
