import { R_LEVELS, type RLevel } from "../types.js";

/** Upper bounds of the duration histogram, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** What `/metrics` tells: counts, never ids or text. */
export class Metrics {
	private readonly requests = new Map<string, number>();
	private readonly durations = new Array<number>(BUCKETS.length).fill(0);
	private durationSum = 0;
	private durationCount = 0;
	private readonly turns = new Map<RLevel, number>(R_LEVELS.map((level) => [level, 0]));
	private readonly startedAt = Date.now() / 1000;

	/** @param route - the pattern of the route, so that ids don't multiply the series */
	countRequest(method: string, route: string, status: number, seconds: number): void {
		const key = `method="${method}",route="${route}",status="${status}"`;
		this.requests.set(key, (this.requests.get(key) ?? 0) + 1);
		this.durationSum += seconds;
		this.durationCount += 1;
		const bucket = BUCKETS.findIndex((bound) => seconds <= bound);
		if (bucket >= 0) this.durations[bucket] = (this.durations[bucket] as number) + 1;
	}

	countTurn(level: RLevel): void {
		this.turns.set(level, (this.turns.get(level) ?? 0) + 1);
	}

	/** Prometheus text format 0.0.4. */
	toText(): string {
		const memory = process.memoryUsage();
		let below = 0;
		return [
			...metric(
				"label_http_requests_total",
				"counter",
				"HTTP requests answered.",
				[...this.requests].map(([labels, count]) => [`{${labels}}`, count]),
			),
			...metric("label_http_request_duration_seconds", "histogram", "Time from the request's head to the answer's end.", []),
			...BUCKETS.map((bound, i) => {
				below += this.durations[i] as number;
				return `label_http_request_duration_seconds_bucket{le="${bound}"} ${below}`;
			}),
			`label_http_request_duration_seconds_bucket{le="+Inf"} ${this.durationCount}`,
			`label_http_request_duration_seconds_sum ${this.durationSum}`,
			`label_http_request_duration_seconds_count ${this.durationCount}`,
			...metric(
				"label_turns_total",
				"counter",
				"Turns scored and stored since the start, by their level.",
				[...this.turns].map(([level, count]) => [`{r_level="${level}"}`, count]),
			),
			...metric("process_resident_memory_bytes", "gauge", "Resident memory.", [["", memory.rss]]),
			...metric("process_heap_bytes", "gauge", "Heap in use.", [["", memory.heapUsed]]),
			...metric("process_start_time_seconds", "gauge", "Start, in seconds since 1970 UTC.", [["", this.startedAt]]),
			"",
		].join("\n");
	}
}

function metric(name: string, type: string, help: string, values: (readonly [string, number])[]): string[] {
	return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...values.map(([labels, value]) => `${name}${labels} ${value}`)];
}
