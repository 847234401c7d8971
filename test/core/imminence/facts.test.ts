import { describe, expect, test } from "vitest";
import { addFacts, carry, imminenceLevel, noFacts } from "../../../src/core/imminence/facts.js";
import type { Facts } from "../../../src/core/lexicon.js";
import { foldSession, lastLabel, rulesAlone } from "../../helpers/fold.js";

const withFacts = (...all: Facts[]) => {
	const facts = noFacts();
	for (const one of all) addFacts(facts, one);
	return facts;
};

describe("adding facts", () => {
	test("the weightier value stands, whatever the order", () => {
		for (const order of [
			[
				{ ideation: "active", timeframe: "today", attempt: "recent" },
				{ ideation: "passive", timeframe: "days", attempt: "historical" },
			],
			[
				{ ideation: "passive", timeframe: "days", attempt: "historical" },
				{ ideation: "active", timeframe: "today", attempt: "recent" },
			],
		] as Facts[][])
			expect(withFacts(...order)).toMatchObject({ ideation: "active", timeframe: "today", attempt: "recent" });
	});

	test("two targets make both; a stated intent outweighs a denied one; the newer method wins", () => {
		expect(withFacts({ target: "self" }, { target: "others" }).target).toBe("both");
		expect(withFacts({ intent: "stated" }, { intent: "denied" }).intent).toBe("stated");
		expect(withFacts({ method: "overdose" }, { method: "hanging" }).method).toBe("hanging");
	});

	test("none, false and absent change nothing", () => {
		const facts = withFacts({ ideation: "active", preparation: true });
		expect(withFacts(facts, { ideation: "none", preparation: false, plan: undefined })).toEqual(facts);
	});

	test("intent with a method or a time is a plan, vague", () => {
		expect(withFacts({ intent: "stated", method: "overdose" }).plan).toBe("vague");
		expect(withFacts({ intent: "stated" }).plan).toBe("none");
	});
});

describe("the level of section 4", () => {
	test.each([
		["nothing", {}, "none"],
		["history", { history: true }, "chronic"],
		["an old attempt", { attempt: "historical" }, "chronic"],
		["passive ideation", { ideation: "passive" }, "subacute"],
		["active ideation", { ideation: "active" }, "subacute"],
		["a vague plan", { ideation: "active", plan: "vague" }, "subacute"],
		["intent", { ideation: "active", intent: "stated" }, "urgent"],
		["a specific plan", { ideation: "active", plan: "specific" }, "urgent"],
		["preparation", { preparation: true }, "urgent"],
		["a recent attempt", { attempt: "recent" }, "urgent"],
		["means at hand", { ideation: "passive", means: "accessible" }, "urgent"],
		["means at hand, of nothing", { means: "accessible" }, "none"],
		["a time, of nothing", { timeframe: "today" }, "none"],
		["today", { ideation: "passive", timeframe: "today" }, "emergency"],
		["now, against others", { target: "others", timeframe: "now" }, "emergency"],
		["an attempt going on", { attempt: "in_progress" }, "emergency"],
	] as [string, Facts, string][])("%s", (_, facts, level) => expect(imminenceLevel({ ...noFacts(), ...facts } as ReturnType<typeof noFacts>)).toBe(level));
});

describe("carrying facts", () => {
	const start = rulesAlone.start();

	test("each field remembers the turn that set its present value", () => {
		const first = carry(start, { ideation: "passive", subject: "self" }, 0);
		const second = carry({ ...start, ...first }, { ideation: "active", means: "accessible" }, 4);
		expect(first.since).toEqual({ ideation: 0, subject: 0, level: 0 });
		expect(second.since).toEqual({ subject: 0, ideation: 4, means: 4, level: 4 });
		const third = carry({ ...start, ...second }, { ideation: "passive" }, 6);
		expect(third).toEqual(second);
	});

	test("method and time together make a plan specific, unless intent is denied", () => {
		expect(carry(start, { ideation: "active", method: "overdose", timeframe: "today" }, 0).facts.plan).toBe("specific");
		expect(carry(start, { ideation: "active", method: "overdose", timeframe: "today", intent: "denied" }, 0).facts.plan).toBe("none");
		expect(carry(start, { method: "overdose", timeframe: "today" }, 0).facts.plan).toBe("none");
	});

	test("the state is not touched", () => {
		const before = structuredClone(start);
		carry(start, { ideation: "active" }, 0);
		expect(start).toEqual(before);
	});
});

describe("accumulation in a session", () => {
	test("ideation, means and tonight make R2 together although no turn would alone", () => {
		const turns = ["i want to die", "A: I'm here.", "i have a rope", "A: Tell me more.", "tonight"];
		const labels = foldSession(turns);
		expect(labels.at(-1)).toMatchObject({
			r_level: "R2",
			imminence: { level: "emergency", ideation: "active", means: "accessible", method: "hanging", timeframe: "today", plan: "specific" },
		});
		expect(labels.at(-1)?.imminence.since).toMatchObject({ ideation: 0, means: 2, timeframe: 4, level: 4 });
		for (const alone of ["i have a rope", "tonight"]) expect(lastLabel([alone]).r_level).toBe("R0");
	});

	test("every field that is set, and only those, has the turn that set it", () => {
		const labels = foldSession([
			"i want to die",
			"ok",
			"i bought the pills",
			"my sister is ill",
			"i used to cut myself in high school",
			"i'm going to do it tonight",
		]);
		labels.forEach(({ imminence: { since, ...fields } }, turn) => {
			const set = Object.entries(fields).filter(([, value]) => value !== "none" && value !== false);
			expect(Object.keys(since).sort()).toEqual(set.map(([field]) => field).sort());
			for (const at of Object.values(since)) expect(at).toBeLessThanOrEqual(turn);
		});
	});

	test("a neutral follow-up is R0 as a turn; the session stays", () => {
		for (const reply of ["ok", "thanks", "what's the weather tomorrow"]) {
			const label = lastLabel(["im going to kill myself tonight", reply]);
			expect(label).toMatchObject({ r_level: "R0", session_r_level: "R2" });
		}
	});
});
