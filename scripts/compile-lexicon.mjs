// Compiles the lexicon into dist/lexicon/en.bin, so that programs need not do it at every start (part of `npm run build`).
import { writeFileSync } from "node:fs";
import { serialiseLexicon } from "../dist/lexicon/compiled.js";
import { hashLexicon } from "../dist/lexicon/open-scorer.js";

writeFileSync(new URL("../dist/lexicon/en.bin", import.meta.url), serialiseLexicon(hashLexicon()));
