/** Something that takes lines of text. */
export interface LineSink {
	write(line: string): void;
}

/** Hands the lines of one turn of the event loop on together: under load one write to the log for many requests. `flush` hands on what waits. */
export function gatherLines(sink: LineSink): LineSink & { flush(): void } {
	let lines = "";
	function flush(): void {
		if (lines !== "") sink.write(lines);
		lines = "";
	}
	return {
		write(line) {
			if (lines === "") setImmediate(flush);
			lines += line;
		},
		flush,
	};
}
