import { LabelError } from "../errors.js";
import { openInput, type ReadOptions, readInput } from "../readers/index.js";
import { inert } from "./inert.js";
import type { Output } from "./io.js";

/** What `--dry-run` recognised in a file: nothing is scored or stored. */
interface Recognised {
	file: string;
	format: string;
	/** The first records: conversations with their first turns, or what is wrong with them. */
	records: (
		| { external_id: string | null; end_user_external_id: string | null; messages: number; first: { role: string; content: string }[] }
		| { code: string; message: string }
	)[];
}

const MOST_RECORDS = 3;
const MOST_TURNS = 3;
const MOST_CHARACTERS = 100;

/** Shows what would be read of each file: the format and the first turns. @throws LabelError of the readers */
export async function dryRun(files: readonly string[], options: ReadOptions, output: Output): Promise<void> {
	const recognised: Recognised[] = [];
	for (const file of files) recognised.push(await recognise(file, options).catch((error: unknown) => notRecognised(file, error)));
	if (output.isJson) return output.printJson(recognised);
	for (const { file, format, records } of recognised) {
		await output.print(`${file}: ${format}\n`);
		for (const record of records) {
			if ("code" in record) {
				await output.print(`  would be rejected (${record.code}): ${record.message}\n`);
				continue;
			}
			await output.print(
				`  session ${inert(record.external_id ?? "(named after file and place)")}, end user ${inert(record.end_user_external_id ?? "(none)")}, ${record.messages} messages in sight\n`,
			);
			for (const { role, content } of record.first) await output.print(`    ${role.padEnd(9)} ${inert(content)}\n`);
		}
	}
	output.note("nothing was scored or stored");
}

/** A file that can not be read at all. Anything but a `LabelError` is thrown on. */
function notRecognised(file: string, error: unknown): Recognised {
	if (!(error instanceof LabelError)) throw error;
	return { file, format: "not readable", records: [{ code: error.code, message: error.message }] };
}

async function recognise(file: string, options: ReadOptions): Promise<Recognised> {
	const input = await openInput(file, options);
	const records: Recognised["records"] = [];
	for await (const record of readInput(input)) {
		if ("messages" in record) {
			const first = record.messages
				.slice(0, MOST_TURNS)
				.map(({ role, content }) => ({ role, content: content.length > MOST_CHARACTERS ? `${content.slice(0, MOST_CHARACTERS)}\u2026` : content }));
			records.push({ external_id: record.external_id, end_user_external_id: record.end_user_external_id, messages: record.messages.length, first });
		} else records.push({ code: record.code, message: record.message });
		if (records.length === MOST_RECORDS) break;
	}
	return { file, format: input.format, records };
}
