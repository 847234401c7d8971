import { type Automaton, CLASS_FROM, CLASS_UNTIL, FIRST_CLASS, NODE } from "./automaton.js";
import { addWord, MASK, unite } from "./next-words.js";

/** Which words belong to which classes: one bit for each word and class, a row a word that is in any. */
export class WordClasses {
	private readonly stride: number;
	private readonly rows: Int32Array;
	/** Where each word's row begins; row 0 is empty. */
	private readonly rowOf: Int32Array;

	/**
	 * @param classesOfWord for each word the symbols of its classes
	 * @param classesOfFirstWord for each word the symbols of the classes that have a phrase which begins with it
	 */
	constructor(
		private readonly classesOfWord: readonly Int32Array[],
		private readonly classesOfFirstWord: readonly Int32Array[],
	) {
		let classCount = 0;
		for (const classes of classesOfWord) for (const symbol of classes) classCount = Math.max(classCount, symbol - FIRST_CLASS + 1);
		this.stride = Math.max(1, Math.ceil(classCount / 32));
		let rows = 1;
		this.rowOf = Int32Array.from(classesOfWord, (classes) => (classes.length === 0 ? 0 : rows++ * this.stride));
		this.rows = new Int32Array(this.stride * rows);
		classesOfWord.forEach((classes, word) => {
			for (const symbol of classes) {
				const place = (this.rowOf[word] as number) + ((symbol - FIRST_CLASS) >>> 5);
				this.rows[place] = (this.rows[place] as number) | (1 << ((symbol - FIRST_CLASS) & 31));
			}
		});
	}

	has(word: number, symbol: number): boolean {
		const number = symbol - FIRST_CLASS;
		return ((this.rows[(this.rowOf[word] as number) + (number >>> 5)] as number) & (1 << (number & 31))) !== 0;
	}

	/** Writes into each node of an automaton which words can stand next: on an edge, in a class, or first in a phrase of a class. */
	addNextWords(automaton: Automaton): void {
		const masks = new Map<number, Int32Array>();
		for (const table of [this.classesOfWord, this.classesOfFirstWord]) {
			table.forEach((classes, word) => {
				for (const symbol of classes) {
					let mask = masks.get(symbol);
					if (mask === undefined) {
						mask = new Int32Array(MASK);
						masks.set(symbol, mask);
					}
					addWord(mask, 0, word);
				}
			});
		}
		const { nodes, nodeCount, classSymbols } = automaton;
		for (let node = 0; node < nodeCount; node++) {
			for (const word of automaton.wordsFrom(node)) addWord(nodes, node * NODE, word);
			const until = nodes[node * NODE + CLASS_UNTIL] as number;
			for (let edge = nodes[node * NODE + CLASS_FROM] as number; edge < until; edge++) {
				const mask = masks.get(classSymbols[edge] as number);
				if (mask) unite(nodes, node * NODE, mask);
			}
		}
	}

	/** For each word the nodes that it leads to from the root. */
	rootChildren(automaton: Automaton): Int32Array[] {
		return this.classesOfWord.map((classes, word) =>
			Int32Array.from([automaton.next(0, word), ...Array.from(classes, (symbol) => automaton.nextOnClass(0, symbol))].filter((child) => child !== 0)),
		);
	}
}
