import { ConvolutionReader } from "./convolution.js";
import { FeatureBuffer } from "./features.js";
import { HEADS } from "./heads.js";
import { type Model, predictLinear, sigmoid } from "./model.js";

/** A model at work: the model, what it reads of the turn, and what it says. One a scorer, used turn after turn. */
export class Predictor {
	/** Filled by the caller before `predict`. */
	readonly features = new FeatureBuffer();
	/** Calibrated probabilities of all heads after `predict`. */
	readonly probabilities = new Float64Array(HEADS);
	private readonly convolution: ConvolutionReader;

	constructor(readonly model: Model) {
		this.convolution = new ConvolutionReader(model.convolution);
	}

	/** Reads `features`: linear part and convolution add up, then each head's calibration. */
	predict(): void {
		const { model, features, probabilities } = this;
		predictLinear(model, features, probabilities);
		this.convolution.addTo(probabilities, features.words, features.wordCount);
		for (let head = 0; head < HEADS; head++)
			probabilities[head] = sigmoid((model.slope[head] as number) * (probabilities[head] as number) + (model.offset[head] as number));
	}
}
