import { readFileSync } from "node:fs";
import { Deserializer, Serializer } from "node:v8";
import { type CompiledLexicon, compileLexicon } from "../core/match/lexicon-index.js";
import { loadLexicon } from "./load-lexicon.js";

/** Written by `npm run build` beside the compiled program; there is none beside the sources. */
const COMPILED = new URL("en.bin", import.meta.url);

/** Raised whenever the arrays of a compiled lexicon change their meaning. */
export const COMPILED_FORMAT = 5;

/** A compiled lexicon and what it was made from (`hashLexicon`). */
interface CompiledFile {
	format: number;
	source: string;
	lexicon: CompiledLexicon;
}

/** The bytes of the file that `loadCompiledLexicon` reads. */
export function serialiseLexicon(source: string): Uint8Array {
	return serialiseCompiled({ format: COMPILED_FORMAT, source, lexicon: compileLexicon(loadLexicon()) });
}

/** Not `v8.serialize`: what `v8.deserialize` makes of its bytes keeps all of them in memory beside the arrays (10 MB a thread). */
export function serialiseCompiled(file: CompiledFile): Uint8Array {
	const serializer = new Serializer();
	serializer.writeHeader();
	serializer.writeValue(file);
	return serializer.releaseBuffer();
}

function parseCompiled(bytes: Buffer): CompiledFile {
	const deserializer = new Deserializer(bytes);
	deserializer.readHeader();
	return deserializer.readValue() as CompiledFile;
}

/**
 * The shipped lexicon, compiled: read from the file of the build, or compiled now, which takes six times as long, where there is no file or
 * the lexicon has changed since.
 * @param source hash of the lexicon's files as they are
 * @throws LabelError `invalid_lexicon`
 */
export function loadCompiledLexicon(source: string, file: URL = COMPILED): CompiledLexicon {
	try {
		const compiled = parseCompiled(readFileSync(file));
		if (compiled.format === COMPILED_FORMAT && compiled.source === source) return compiled.lexicon;
	} catch {
		// No file, or none that this version of Node.js can read: what it would save is time.
	}
	return compileLexicon(loadLexicon());
}
