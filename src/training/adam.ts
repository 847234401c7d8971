/** Numbers that are trained, with their gradient, by Adam (Kingma and Ba 2015); a row that got no step is left alone. */
export class Trained {
	readonly gradient: Float32Array;
	private readonly mean: Float32Array;
	private readonly square: Float32Array;
	private readonly steps: Int32Array;

	/**
	 * @param rowLength numbers that are stepped together
	 * @param gradientLength default: as many as values; less where few rows meet in a batch (`stepRow`)
	 */
	constructor(
		readonly values: Float32Array,
		private readonly rowLength: number,
		gradientLength = values.length,
	) {
		this.gradient = new Float32Array(gradientLength);
		this.mean = new Float32Array(values.length);
		this.square = new Float32Array(values.length);
		this.steps = new Int32Array(values.length / rowLength);
	}

	/** Steps all rows against their gradient, which is set back to 0. */
	step(rate: number): void {
		for (let row = 0; row < this.steps.length; row++) this.stepRow(row, row, rate);
	}

	/** Steps one row against the gradient in row `from` of `gradient`, which is set back to 0. */
	stepRow(row: number, from: number, rate: number): void {
		const { values, gradient, mean, square, rowLength } = this;
		const steps = (this.steps[row] as number) + 1;
		this.steps[row] = steps;
		const scale = (rate * Math.sqrt(1 - 0.999 ** steps)) / (1 - 0.9 ** steps);
		for (let at = row * rowLength, place = from * rowLength; at < (row + 1) * rowLength; at++, place++) {
			const g = gradient[place] as number;
			gradient[place] = 0;
			const first = 0.9 * (mean[at] as number) + 0.1 * g;
			const second = 0.999 * (square[at] as number) + 0.001 * g * g;
			mean[at] = first;
			square[at] = second;
			values[at] = (values[at] as number) - (scale * first) / (Math.sqrt(second) + 1e-8);
		}
	}
}
