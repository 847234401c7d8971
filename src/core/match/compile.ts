import { LabelError } from "../../errors.js";
import { Vocabulary } from "../text/vocabulary.js";
import { AutomatonBuilder, FIRST_CLASS } from "./automaton.js";
import { type MatcherData, toMatcherData, toSharedData } from "./matcher-data.js";
import { type Element, parsePattern } from "./pattern.js";

/** Named lists of words, phrases and references to other classes (`@name`). */
export type ClassTable = Record<string, readonly string[]>;

/** Compiles patterns over one vocabulary into automata; make it once, add everything, then `finish`. */
export class PatternCompiler {
	readonly vocabulary = new Vocabulary();
	private readonly phrases = new AutomatonBuilder();
	private readonly classNumbers = new Map<string, number>();
	private readonly classesOfWord = new Map<number, Set<number>>();
	private readonly classesOfFirstWord = new Map<number, Set<number>>();
	private readonly table: ClassTable;

	/**
	 * @param table the shared classes
	 * @param spellings other spellings -> the words they stand for ("gonna" -> "going to")
	 */
	constructor(table: ClassTable, spellings: Record<string, string>) {
		this.table = table;
		for (const [spelling, words] of Object.entries(spellings)) this.vocabulary.addSpelling(toWord(spelling), words.split(" ").map(toWord));
	}

	/** Adds a pattern whose matches carry `id` to an automaton. Throws `invalid_lexicon`. */
	add(pattern: string, id: number, automaton: AutomatonBuilder): void {
		for (const sequence of parsePattern(pattern)) {
			let nodes = [0];
			for (const element of sequence) {
				const words = element.kind === "word" ? this.wordIds(element.word) : undefined;
				if (words) for (const word of words) nodes = nodes.map((node) => automaton.edge(node, word));
				else if (element.kind === "gap") nodes = nodes.map((node) => automaton.gapAfter(node, element.most));
				else if (element.kind === "start") nodes = nodes.map((node) => automaton.startAnchor(node));
				else if (element.kind === "end") nodes = nodes.map((node) => automaton.endAnchor(node));
				else {
					const symbol = this.classNumber(element, pattern);
					nodes = nodes.map((node) => automaton.edge(node, symbol));
				}
			}
			for (const node of nodes) automaton.accept(node, id);
		}
	}

	/** What matchers of the automata need. */
	finish<Automata extends AutomatonBuilder[]>(...automata: Automata): { [At in keyof Automata]: MatcherData } {
		const byWord = (sets: ReadonlyMap<number, Set<number>>): Int32Array[] => this.vocabulary.words.map((_, word) => Int32Array.from(sets.get(word) ?? []));
		const classesByWord = { ofWord: byWord(this.classesOfWord), ofFirstWord: byWord(this.classesOfFirstWord) };
		const shared = toSharedData(this.phrases, classesByWord);
		return automata.map((automaton) => toMatcherData(automaton, shared, classesByWord)) as { [At in keyof Automata]: MatcherData };
	}

	/** A word of a pattern as the tokeniser would give it: spellings expanded, emoji by code. */
	private wordIds(written: string): number[] {
		const id = this.vocabulary.add(toWord(written));
		return [...(this.vocabulary.expansions[id] ?? [id])];
	}

	private classNumber(element: Element, pattern: string): number {
		const members = element.kind === "any" ? element.members : [element];
		const key = members
			.map((member) => (member.kind === "class" ? `@${member.name}` : member.kind === "word" ? member.word : ""))
			.sort()
			.join("/");
		const known = this.classNumbers.get(key);
		if (known !== undefined) return known;
		const number = FIRST_CLASS + this.classNumbers.size;
		this.classNumbers.set(key, number);
		for (const member of members) {
			if (member.kind === "class") this.addClass(member.name, number, pattern, []);
			else if (member.kind === "word") this.addMember([member.word], number);
		}
		return number;
	}

	private addClass(name: string, number: number, pattern: string, path: string[]): void {
		const members = this.table[name];
		if (members === undefined) throw new LabelError("invalid_lexicon", `pattern "${pattern}": there is no class @${name}`);
		if (path.includes(name)) throw new LabelError("invalid_lexicon", `class @${name} contains itself`);
		for (const member of members) {
			if (/^@\S+$/.test(member)) this.addClass(member.slice(1), number, pattern, [...path, name]);
			else if (/(^|\s)@/.test(member)) throw new LabelError("invalid_lexicon", `class @${name}: "${member}" has a class inside a phrase`);
			else this.addMember(member.split(" "), number);
		}
	}

	private addMember(words: string[], number: number): void {
		const ids = words.flatMap((word) => this.wordIds(word));
		if (ids.length === 1) {
			addTo(this.classesOfWord, ids[0] as number, number);
			return;
		}
		addTo(this.classesOfFirstWord, ids[0] as number, number);
		let node = 0;
		for (const id of ids) node = this.phrases.edge(node, id);
		this.phrases.accept(node, number);
	}
}

function addTo(sets: Map<number, Set<number>>, key: number, member: number): void {
	const known = sets.get(key);
	if (known) known.add(member);
	else sets.set(key, new Set([member]));
}

/** The normalised form that the tokeniser gives a written word. */
function toWord(written: string): string {
	// biome-ignore lint/suspicious/noMisleadingCharacterClass: joiners and skin tones are dropped one by one
	const plain = written.toLowerCase().replace(/['’\ufe0f\u200d\u{1f3fb}-\u{1f3ff}]/gu, "");
	if (/^\p{Extended_Pictographic}$/u.test(plain) && !/^\w$/.test(plain)) return `e${(plain.codePointAt(0) as number).toString(16)}`;
	return plain;
}
