/** Something that takes lines of text. */
export interface LineSink {
	write(line: string): void;
}

/** Hands the lines of one turn of the event loop on together: under load one write to the log for many requests. */
export function gatherLines(sink: LineSink): LineSink {
	let lines = "";
	return {
		write(line) {
			if (lines === "") {
				setImmediate(() => {
					sink.write(lines);
					lines = "";
				});
			}
			lines += line;
		},
	};
}
