import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { LabelError } from "../../errors.js";
import { trainFromCorpus } from "../../training/from-corpus.js";
import type { HeldOut } from "../../training/held-out.js";
import type { CommandContext } from "../command.js";
import { type CommonFlags, createOutput } from "../io.js";
import { readTextFile } from "../read-text-file.js";

interface TrainFlags extends CommonFlags {
	out: string;
	check?: boolean;
}

/** `label train`: corpus files to a model file; the same files in any order give the same bytes. */
export async function train({ io }: CommandContext, flags: TrainFlags, files: string[]): Promise<void> {
	const output = createOutput(io, flags);
	const corpus = [...files].sort().map((file) => ({ name: file, text: readTextFile(file) }));
	output.note(`training on ${corpus.length} ${corpus.length === 1 ? "file" : "files"}; the whole corpus takes some twenty minutes, a few hundred rows seconds`);
	const { bytes, rows, heldOut } = await trainFromCorpus(corpus, { threads: availableParallelism(), onProgress: (done) => output.note(done) });
	try {
		writeFileSync(flags.out, bytes);
	} catch (cause) {
		throw new LabelError("output_unwritable", `${flags.out} can not be written; choose another --out`, { cause });
	}
	if (output.isJson) return output.printJson({ out: flags.out, rows, bytes: bytes.length, held_out: heldOut });
	await output.print(`${flags.out}: ${bytes.length} bytes from ${rows} rows\n`);
	if (flags.check) await output.print(toText(heldOut));
}

function toText({ figures, folds }: HeldOut): string {
	const shown = (value: number | null | undefined): string => (value === null || value === undefined ? "-" : value.toFixed(3));
	return `on held-out folds (never trained on; all rows, then each fold):\n${Object.entries(figures)
		.map(([name, value]) => `  ${name.padEnd(28)} ${shown(value)}   ${folds.map((fold) => shown(fold[name])).join(" ")}`)
		.join("\n")}\n`;
}
