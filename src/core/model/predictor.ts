import type { Role } from "../../types.js";
import type { TokenBuffer } from "../text/tokens.js";
import { type Before, HEARD_ROLES, hear } from "./before.js";
import { ConvolutionReader } from "./convolution-reader.js";
import { addTextFeatures, FeatureBuffer } from "./features.js";
import { HEADS } from "./heads.js";
import { LinearReader } from "./linear-reader.js";
import { type Model, sigmoid } from "./model.js";

/** Texts of more words than this are also read passage by passage: what one sentence discloses is lost in the mean of a long post. */
const LONG = 30;
/** A passage is whole sentences, of at least and about at most this many words. */
const SHORTEST_PASSAGE = 12;
const LONGEST_PASSAGE = 40;

/** A model at work: the model, what it reads of the turn, and what it says. One a scorer, used turn after turn. */
export class Predictor {
	/** Filled by the caller before `predict`. */
	readonly features = new FeatureBuffer();
	/** Calibrated probabilities of all heads after `predict`. */
	readonly probabilities = new Float64Array(HEADS);
	readonly linear: LinearReader;
	private readonly convolution: ConvolutionReader;
	private readonly passage = new FeatureBuffer();
	private readonly ofPassage = new Float64Array(HEADS);
	private readonly strongest = new Float64Array(HEADS);

	constructor(readonly model: Model) {
		this.linear = new LinearReader(model);
		this.convolution = new ConvolutionReader(model.convolution);
	}

	/** What stands before the next turn, given what stood before this one. */
	hear(tokens: TokenBuffer, role: Role, before: Before<number[]>): Before<number[]> {
		return hear(before, role, () => this.convolution.hear(tokens.hash, tokens.count, HEARD_ROLES.indexOf(role as "user")));
	}

	/** Reads `features`, made of `tokens`: linear part, convolution and what was said `before` add up, then each head's calibration. */
	predict(tokens: TokenBuffer, before: Before<number[]>): void {
		const { model, features, probabilities } = this;
		this.linear.read(features, probabilities);
		if (tokens.count > LONG) this.meetStrongestPassage(tokens);
		this.convolution.addTo(probabilities, features.words, features.wordCount, before);
		for (let head = 0; head < HEADS; head++)
			probabilities[head] = sigmoid((model.slope[head] as number) * (probabilities[head] as number) + (model.offset[head] as number));
	}

	/** Moves the linear outputs half way up to those of the strongest passage (docs/accuracy.md: better than either alone). */
	private meetStrongestPassage(tokens: TokenBuffer): void {
		const { passage, ofPassage, strongest, probabilities } = this;
		strongest.set(probabilities);
		let from = 0;
		for (let at = 1; at <= tokens.count; at++) {
			const isInSentence = at < tokens.count && tokens.sentence[at] === tokens.sentence[at - 1];
			if (at < tokens.count && at - from < LONGEST_PASSAGE && (isInSentence || at - from < SHORTEST_PASSAGE)) continue;
			passage.clear();
			addTextFeatures(passage, tokens, from, at);
			this.linear.read(passage, ofPassage);
			for (let head = 0; head < HEADS; head++) strongest[head] = Math.max(strongest[head] as number, ofPassage[head] as number);
			from = at;
		}
		for (let head = 0; head < HEADS; head++) probabilities[head] = ((probabilities[head] as number) + (strongest[head] as number)) / 2;
	}
}
