import { gravest } from "../context/answer-meanings.js";
import { gravestRisk, stands } from "../context/memory.js";
import type { TurnReading } from "../reading.js";
import { hashWord, type TokenBuffer } from "../text/tokens.js";
import { addNamedFeature, addTextFeatures, addWordsInContext, type FeatureBuffer } from "./features.js";

/** Longest turn, in words, whose words are also read together with the context (guide, section 6: answers and ellipsis are short). */
const LONGEST_IN_CONTEXT = 24;

/**
 * The model's features of a finished rule reading: its text with set-aside mentions masked, what the rules found, and what the
 * session knows. The same function feeds training and scoring.
 */
export function addTurnFeatures(features: FeatureBuffer, reading: TurnReading): void {
	maskSetAside(reading);
	const { tokens, findings, state, answer } = reading;
	addTextFeatures(features, tokens, 0, tokens.count);
	const name = (text: string): void => {
		const hash = hashWord(text);
		addNamedFeature(features, hash);
		features.addWord(hash);
	};
	for (const { rule, setAside, subject, modifiers } of findings) {
		// What merely waits for ideation says nothing: its words are read as they stand.
		if (setAside?.startsWith("needs")) continue;
		if (setAside !== undefined) {
			name(`aside:${rule.signal}:${setAside}`);
			continue;
		}
		name(`rule:${rule.id}:${subject}`);
		name(`signal:${rule.signal}:${rule.level}:${subject}`);
		for (const modifier of modifiers) name(`${rule.signal}:${modifier}`);
	}
	name(`level:${reading.level}`);
	if (reading.frame !== null) name(`frame:${reading.frame}`);
	const context = contextOf(reading);
	if (context !== "") {
		name(`context:${context}`);
		if (answer !== undefined) name(`answer:${answer.topic}:${answer.answer}`);
		for (const topic of state.asked) name(`asked:${topic}`);
		if (tokens.count <= LONGEST_IN_CONTEXT) addWordsInContext(features, tokens, hashWord(context));
	}
	for (let at = 0; at < tokens.count; at++) features.addWord(tokens.hash[at] as number);
}

/** What was asked, else what stands in the session; empty without either. */
function contextOf({ state }: TurnReading): string {
	const asked = gravest(state.asked);
	if (asked !== undefined) return `${asked}${stands(state, "ideation") ? "+" : ""}`;
	return gravestRisk(state) ?? "";
}

/** Mentions that were set aside (negated, idiom, fiction...) are hidden from the model, so that it can not raise them again. */
function maskSetAside({ findings, tokens }: TurnReading): void {
	if (findings.every(({ setAside }) => setAside === undefined)) return;
	const isHeard = new Uint8Array(tokens.count);
	for (const { setAside, first, until } of findings) if (setAside === undefined) isHeard.fill(1, first, until);
	for (const { setAside, rule, first, until } of findings) {
		if (setAside === undefined || setAside.startsWith("needs") || isHeard.subarray(first, until).includes(1)) continue;
		hide(tokens, first, until, hashWord(`mask:${rule.signal}:${setAside}`));
	}
}

function hide(tokens: TokenBuffer, first: number, until: number, hash: number): void {
	for (let at = first; at < until; at++) {
		tokens.hash[at] = hash;
		tokens.charEnd[at] = tokens.charStart[at] as number;
	}
}
