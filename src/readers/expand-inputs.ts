import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { globSync, isDynamicPattern } from "tinyglobby";
import { LabelError } from "../errors.js";
import { toFileError } from "./bytes.js";

/**
 * Files behind the inputs of a command: files as they are, folders recursively (hidden files left out, in order of their names), globs that
 * the shell left alone, `-` for standard input. A name that exists is a name, whatever signs are in it. No file is given twice.
 * @throws LabelError `file_not_found`, `file_unreadable`
 */
export function expandInputs(patterns: readonly string[]): string[] {
	return [...new Set(patterns.flatMap((pattern) => (pattern === "-" ? [pattern] : expand(pattern))))];
}

function expand(pattern: string): string[] {
	const stats = statSync(pattern, { throwIfNoEntry: false });
	if (stats !== undefined) return stats.isDirectory() ? filesOf(pattern) : [pattern];
	if (!isDynamicPattern(pattern)) throw new LabelError("file_not_found", `${pattern} does not exist`);
	const found = globSync(pattern, { expandDirectories: false, dot: false }).sort();
	if (found.length === 0) throw new LabelError("file_not_found", `no file matches ${pattern}`);
	return found;
}

function filesOf(folder: string): string[] {
	try {
		return readdirSync(folder, { withFileTypes: true })
			.filter(({ name }) => !name.startsWith("."))
			.sort((left, right) => (left.name < right.name ? -1 : 1))
			.flatMap((entry) => {
				const path = join(folder, entry.name);
				const isFolder = entry.isDirectory();
				return isFolder ? filesOf(path) : entry.isFile() || (entry.isSymbolicLink() && statSync(path, { throwIfNoEntry: false })?.isFile()) ? [path] : [];
			});
	} catch (cause) {
		throw cause instanceof LabelError ? cause : toFileError(cause, folder);
	}
}
