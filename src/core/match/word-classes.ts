import { FIRST_CLASS } from "./automaton.js";

/** Which words belong to which classes as plain arrays: one bit for each word and class, a row a word that is in any. */
export interface WordClassesData {
	rows: Int32Array;
	/** Where each word's row begins; row 0 is empty. */
	rowOf: Int32Array;
}

/** Which words belong to which classes. */
export class WordClasses {
	private readonly rows: Int32Array;
	private readonly rowOf: Int32Array;

	constructor({ rows, rowOf }: WordClassesData) {
		this.rows = rows;
		this.rowOf = rowOf;
	}

	has(word: number, symbol: number): boolean {
		const number = symbol - FIRST_CLASS;
		return ((this.rows[(this.rowOf[word] as number) + (number >>> 5)] as number) & (1 << (number & 31))) !== 0;
	}
}

/** @param classesOfWord for each word the symbols of its classes */
export function toWordClasses(classesOfWord: readonly Int32Array[]): WordClassesData {
	let classCount = 0;
	for (const classes of classesOfWord) for (const symbol of classes) classCount = Math.max(classCount, symbol - FIRST_CLASS + 1);
	const stride = Math.max(1, Math.ceil(classCount / 32));
	let rowCount = 1;
	const rowOf = Int32Array.from(classesOfWord, (classes) => (classes.length === 0 ? 0 : rowCount++ * stride));
	const rows = new Int32Array(stride * rowCount);
	classesOfWord.forEach((classes, word) => {
		for (const symbol of classes) {
			const place = (rowOf[word] as number) + ((symbol - FIRST_CLASS) >>> 5);
			rows[place] = (rows[place] as number) | (1 << ((symbol - FIRST_CLASS) & 31));
		}
	});
	return { rows, rowOf };
}
