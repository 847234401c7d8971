/** Matches as parallel arrays: pattern id, first token, token after the last. */
export class MatchBuffer {
	count = 0;
	id = new Int32Array(128);
	first = new Int32Array(128);
	until = new Int32Array(128);

	/** Grows when it is full. */
	add(id: number, first: number, until: number): void {
		if (this.count === this.id.length) {
			for (const field of ["id", "first", "until"] as const) {
				const larger = new Int32Array(this.count * 2);
				larger.set(this[field]);
				this[field] = larger;
			}
		}
		this.id[this.count] = id;
		this.first[this.count] = first;
		this.until[this.count++] = until;
	}
}
