/**
 * What one character means to the tokeniser, after NFKC, case folding and removal of accents.
 * ASCII is answered from a table; everything else from a cache that fills on demand (bounded by the size of Unicode).
 */

export const CharKind = {
	/** Not there at all: zero-width characters, variation selectors, combining marks, soft hyphens. */
	skip: 0,
	/** Ends a token. */
	separator: 1,
	/** Latin letter (folded to a-z where possible). */
	letter: 2,
	digit: 3,
	/** Apostrophe: dropped inside a word. */
	apostrophe: 4,
	/** Full stop: ends a sentence when white space follows. */
	stop: 5,
	/** Ends a sentence whatever follows: ! ? line breaks and their relatives. */
	end: 6,
	/** Double quotation mark. */
	quote: 7,
	/** Stands for a letter when letters surround it (k!ll, d*e, $ad). */
	leet: 8,
	/** Emoji and pictographs: a token each. */
	symbol: 9,
	/** A letter of another script. */
	foreign: 10,
} as const;
export type CharKind = (typeof CharKind)[keyof typeof CharKind];

export interface FoldedChar {
	kind: CharKind;
	/** Code units to append to the normalised token (letters, digits, leet); empty otherwise. */
	text: string;
}

/** Kind of each ASCII code. */
export const ASCII_KIND = new Uint8Array(128).fill(CharKind.separator);
/** Folded code of each ASCII code (lower case). */
export const ASCII_FOLD = new Uint8Array(128);
for (let code = 0; code < 128; code++) ASCII_FOLD[code] = code >= 65 && code <= 90 ? code + 32 : code;
for (let code = 97; code <= 122; code++) ASCII_KIND[code] = ASCII_KIND[code - 32] = CharKind.letter;
for (let code = 48; code <= 57; code++) ASCII_KIND[code] = CharKind.digit;
for (const char of "'`") ASCII_KIND[char.charCodeAt(0)] = CharKind.apostrophe;
for (const char of "!?\n\r") ASCII_KIND[char.charCodeAt(0)] = CharKind.end;
for (const char of "*@$") ASCII_KIND[char.charCodeAt(0)] = CharKind.leet;
ASCII_KIND[46] = CharKind.stop;
ASCII_KIND[34] = CharKind.quote;

const SKIPPED = /^[\p{M}\p{Cf}\p{Cs}]$/u;
const PICTURE = /^[\p{Extended_Pictographic}\p{So}]$/u;
const LETTER = /^\p{L}$/u;
const DIGIT = /^\p{N}$/u;
/** Cyrillic and Greek letters that look like Latin ones; folded so that look-alike spellings are still read. */
const HOMOGLYPHS: Record<string, string> = {
	а: "a",
	е: "e",
	о: "o",
	р: "p",
	с: "c",
	у: "y",
	х: "x",
	і: "i",
	ѕ: "s",
	ӏ: "l",
	ԁ: "d",
	ո: "n",
	ο: "o",
	α: "a",
	ι: "i",
	ν: "v",
	ρ: "p",
	ı: "i",
	ł: "l",
	ø: "o",
	đ: "d",
	ß: "ss",
	æ: "ae",
	œ: "oe",
};

/** Makes the answerer for non-ASCII code points; the cache is its own. */
export function createCharFolder(): (codePoint: number) => FoldedChar {
	const cache = new Map<number, FoldedChar>();
	return (codePoint) => {
		let folded = cache.get(codePoint);
		if (folded === undefined) {
			folded = foldCodePoint(codePoint);
			cache.set(codePoint, folded);
		}
		return folded;
	};
}

function foldCodePoint(codePoint: number): FoldedChar {
	const char = String.fromCodePoint(codePoint);
	if (SKIPPED.test(char)) return { kind: CharKind.skip, text: "" };
	if ("\u2019\u2018\u02bc\uff07\u00b4\u2032\u201b".includes(char)) return { kind: CharKind.apostrophe, text: "" };
	if ("\u201c\u201d\u201e\u00ab\u00bb\uff02".includes(char)) return { kind: CharKind.quote, text: "" };
	if ("\u2026\u3002\uff01\uff1f\u2028\u2029\u203c\u2049\u061f\u0964".includes(char)) return { kind: CharKind.end, text: "" };
	if (PICTURE.test(char)) {
		const code = codePoint >= 0x1f3fb && codePoint <= 0x1f3ff ? "" : `e${codePoint.toString(16)}`;
		if (code === "") return { kind: CharKind.skip, text: "" };
		const plain = char.normalize("NFKC");
		return /^[A-Za-z0-9]+$/.test(plain) ? { kind: CharKind.letter, text: plain.toLowerCase() } : { kind: CharKind.symbol, text: code };
	}
	if (LETTER.test(char)) {
		const base = char.normalize("NFKD").toLowerCase().replace(/\p{M}/gu, "");
		const mapped = [...base].map((part) => HOMOGLYPHS[part] ?? part).join("");
		return { kind: /^[a-z]+$/.test(mapped) ? CharKind.letter : CharKind.foreign, text: mapped };
	}
	if (DIGIT.test(char)) return { kind: CharKind.digit, text: char.normalize("NFKC").replace(/\D/g, "") || "0" };
	return { kind: CharKind.separator, text: "" };
}
