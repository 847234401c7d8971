import yauzl, { type Entry, type ZipFile } from "yauzl";
import { LabelError } from "../errors.js";

/** Most entries of an archive that are looked at. */
const MOST_ENTRIES = 200_000;
/** An entry that grows more than this is no text (deflate reaches 1,032; chat exports 5 to 30), unless it stays small. */
const MOST_GROWTH = 250;
const HARMLESS_BYTES = 32 << 20;

/** An open zip archive. Nothing is unpacked to disk and no name of an entry is ever used as a path. */
export interface Archive {
	/** Names of the files, in order; folders and hidden files are left out. */
	readonly names: readonly string[];
	/** Bytes of an entry. @throws LabelError `archive_unreadable`: encrypted, broken, or a zip bomb */
	bytes(name: string): AsyncIterable<Buffer>;
	close(): void;
}

/**
 * Opens a zip archive with yauzl: it reads the directory at the end and streams entries, so that the archive never stands in memory, checks
 * the sizes that entries claim, and is maintained and has one small dependency. (fflate is smaller, and must be fed the whole archive in order.)
 * @throws LabelError `archive_unreadable`
 */
export async function openArchive(path: string): Promise<Archive> {
	const archive = await open(path);
	try {
		const entries = await listEntries(archive, path);
		return { names: [...entries.keys()].sort(), bytes: (name) => entryBytes(archive, entries.get(name) as Entry), close: () => archive.close() };
	} catch (error) {
		archive.close();
		throw error;
	}
}

async function open(path: string): Promise<ZipFile> {
	try {
		return await yauzl.openPromise(path, { lazyEntries: true, autoClose: false });
	} catch (cause) {
		throw new LabelError("archive_unreadable", `${path} is no whole zip archive; is the download complete?`, { cause });
	}
}

async function listEntries(archive: ZipFile, path: string): Promise<Map<string, Entry>> {
	const entries = new Map<string, Entry>();
	try {
		for await (const entry of archive.eachEntry()) {
			if (entries.size >= MOST_ENTRIES) throw new LabelError("archive_unreadable", `${path}: the archive has more than ${MOST_ENTRIES} entries`);
			const isHidden = entry.fileName.split("/").some((part) => part.startsWith(".") || part === "__MACOSX");
			if (!entry.fileName.endsWith("/") && !isHidden) entries.set(entry.fileName, entry);
		}
	} catch (cause) {
		if (cause instanceof LabelError) throw cause;
		throw new LabelError("archive_unreadable", `${path}: the directory of the archive is broken`, { cause });
	}
	return entries;
}

async function* entryBytes(archive: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
	if (entry.isEncrypted()) throw new LabelError("archive_unreadable", "the entry is encrypted; unpack it first");
	let size = 0;
	try {
		for await (const chunk of await archive.openReadStreamPromise(entry)) {
			size += (chunk as Buffer).length;
			if (size > HARMLESS_BYTES && size > entry.compressedSize * MOST_GROWTH)
				throw new LabelError("archive_unreadable", `the entry grows to more than ${MOST_GROWTH} times its size: a zip bomb?`);
			yield chunk as Buffer;
		}
	} catch (cause) {
		if (cause instanceof LabelError) throw cause;
		throw new LabelError("archive_unreadable", "the entry is broken", { cause });
	}
}
