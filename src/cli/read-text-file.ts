import { readFileSync } from "node:fs";
import { LabelError } from "../errors.js";

/** A whole text file, for inputs that are small by nature (gold, corpus). @throws LabelError `file_not_found`, `file_unreadable` */
export function readTextFile(file: string): string {
	try {
		return readFileSync(file, "utf8");
	} catch (cause) {
		const code = (cause as NodeJS.ErrnoException).code;
		if (code === "ENOENT") throw new LabelError("file_not_found", `${file} does not exist`, { cause });
		throw new LabelError("file_unreadable", `${file} can not be read (${code ?? "unknown error"})`, { cause });
	}
}
