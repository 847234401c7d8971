import type { Coverage } from "../../types.js";
import type { TokenBuffer } from "./tokens.js";

/**
 * Frequent words that tell Latin-script languages apart from English and from one another. Enough to say "this is not English";
 * the name given is a best guess.
 */
const STOPWORDS: Record<string, string> = {
	es: "que de la el los las una por con para como pero mas yo mi muy esta estoy quiero hay porque cuando nada todo soy tengo puedo vida morir",
	pt: "que nao uma com para como mas eu meu minha muito estou quero porque quando nada tudo sou tenho voce isso ele ela vida morrer",
	fr: "je tu il elle nous vous les des une est pas que qui dans pour sur avec mais mon ma suis cest jai plus tout rien veux mourir",
	de: "ich du er sie wir ihr der die das und ist nicht ein eine mit auf fur aber mein meine habe bin will kann mehr alles nichts sterben auch",
	it: "che di la il gli una per con come ma io mio mia molto sono voglio perche quando niente tutto ho non piu vita morire",
	nl: "ik je hij zij wij het een de van en is niet met voor maar mijn heb ben wil kan meer alles niets ook dood",
	pl: "ja ty on ona sie nie jest to na do ze jak ale moj moja mam chce bardzo juz tak wszystko nic",
	sv: "jag du han hon vi det en ett och ar inte med for men min har vill kan mer allt inget dor",
	tr: "ben sen bir bu ve icin ama cok degil var yok ne gibi daha her sey istiyorum olmek",
	id: "aku saya kamu dia yang dan di ini itu tidak untuk dengan tapi sudah mau bisa lagi semua ingin mati",
	tl: "ako ikaw siya ang ng mga sa ko mo na hindi ay kung pero lang din gusto wala ako mamatay",
	ro: "eu tu el ea si nu este un pentru cu dar mai vreau sunt tot nimic viata",
};

const LANGUAGE_OF = new Map<string, string[]>();
for (const [language, words] of Object.entries(STOPWORDS))
	for (const word of words.split(" ")) LANGUAGE_OF.set(word, [...(LANGUAGE_OF.get(word) ?? []), language]);

/** Below this share of known words a text is not read at all; below the second only in part. Set on the sentences of test/core/text/language.test.ts. */
const UNKNOWN_BELOW = 0.35;
const PARTIAL_BELOW = 0.65;

export interface Reading {
	/** ISO 639-1 code, `und` when undetermined. */
	language: string;
	coverage: Coverage;
}

/** Says in which language a turn is written and how much of it the lexicon can read. Never guesses English without knowing words. */
export function readLanguage(tokens: TokenBuffer, english: Uint8Array): Reading {
	const letters = tokens.latinLetters + tokens.foreignLetters;
	if (letters === 0) return { language: "und", coverage: tokens.symbols + tokens.digits > 0 && tokens.count <= 3 ? "partial" : "none" };
	if (tokens.foreignLetters > letters * 0.5) return { language: "und", coverage: "none" };
	let words = 0;
	let known = 0;
	for (let at = 0; at < tokens.count; at++) {
		const first = tokens.chars[tokens.charStart[at] as number] as number;
		if (first < 97 || (at > 0 && tokens.start[at] === tokens.start[at - 1])) continue;
		words++;
		if (tokens.word[at] !== 0 && english[tokens.word[at] as number] === 1) known++;
	}
	const share = words === 0 ? 0 : known / words;
	const isMixed = tokens.foreignLetters > letters * 0.15;
	if (share >= PARTIAL_BELOW) return { language: "en", coverage: isMixed ? "partial" : "full" };
	if (words <= 2) return { language: share > 0 ? "en" : "und", coverage: "partial" };
	const other = nameLanguage(tokens);
	if (other !== undefined) return { language: other.language, coverage: share < UNKNOWN_BELOW || other.hits > known ? "none" : "partial" };
	if (share < UNKNOWN_BELOW) return { language: "und", coverage: "none" };
	return { language: "en", coverage: "partial" };
}

/** The language with most stopwords, when it has at least two and a sixth of the words; `hits` are the stopwords seen. */
function nameLanguage(tokens: TokenBuffer): { language: string; hits: number } | undefined {
	const hits = new Map<string, number>();
	const limit = Math.min(tokens.count, 200);
	for (let at = 0; at < limit; at++) for (const language of LANGUAGE_OF.get(tokens.text(at)) ?? []) hits.set(language, (hits.get(language) ?? 0) + 1);
	let best: string | undefined;
	let most = Math.max(1, limit / 6);
	for (const [language, count] of hits) {
		if (count > most) {
			best = language;
			most = count;
		}
	}
	return best === undefined ? undefined : { language: best, hits: most };
}
