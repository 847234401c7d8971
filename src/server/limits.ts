/** Longest JSON body, and longest line of an NDJSON body, in bytes. A body of many lines may be of any length. */
export const MAX_BODY = 2 ** 21;
/** A request must have arrived whole after this time, in milliseconds: a slow client gives its connection up. */
export const REQUEST_TIMEOUT = 600_000;
/** The head of a request must have arrived after this time, in milliseconds. */
export const HEADERS_TIMEOUT = 30_000;
/** A connection on which nothing moves is closed after this time, in milliseconds. */
export const IDLE_TIMEOUT = 60_000;
/** An unused connection is kept open for the next request this long, in milliseconds. */
export const KEEP_ALIVE = 65_000;
/** On stopping, requests in flight may take this long, in milliseconds; then their connections are closed. */
export const STOP_TIMEOUT = 10_000;
