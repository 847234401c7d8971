import { sorted } from "./message.js";
import type { Parsed, Place, ReadOptions } from "./options.js";
import { RecordError } from "./record-error.js";
import type { InputConversation, InputMessage, RejectedRecord } from "./types.js";

/** Longest raw record that is kept in a reject, in UTF-16 units: enough to mend anything a person would mend. */
const MOST_RAW = 1 << 20;

/** One message of a session that may go on in other records. */
export interface SessionMessage {
	session: string;
	endUser: string | null;
	title: string | null;
	message: InputMessage;
}

/** A record that could not be read, ready for the rejects file. @throws whatever `error` is, unless it is a RecordError */
export function toReject(error: unknown, place: Place, raw: string, turns = 1): RejectedRecord {
	if (!(error instanceof RecordError)) throw error;
	return { ...place, code: error.code, message: error.message, raw: raw.slice(0, MOST_RAW), turns };
}

/** Collects the records of a block; messages of one session are put together, in the order of the file. */
export class Collector {
	private readonly conversations: InputConversation[] = [];
	private readonly rejects: RejectedRecord[] = [];
	private readonly sessions = new Map<string, InputConversation>();

	constructor(private readonly options: ReadOptions) {}

	add(conversation: InputConversation): void {
		this.conversations.push(conversation);
	}

	addMessage({ session, endUser, title, message }: SessionMessage, place: Place): void {
		const known = this.sessions.get(session);
		if (known) {
			known.messages.push(message);
			known.records++;
			known.end_user_external_id ??= endUser;
			return;
		}
		const { line, record } = place;
		const conversation = {
			external_id: session,
			end_user_external_id: endUser,
			title,
			started_at: null,
			messages: [message],
			line,
			record,
			records: 1,
			piece: true,
		};
		this.sessions.set(session, conversation);
		this.conversations.push(conversation);
	}

	/** @throws whatever `error` is, unless it is a RecordError */
	reject(error: unknown, place: Place, raw: string, turns = 1): void {
		this.rejects.push(toReject(error, place, raw, turns));
	}

	finish(): Parsed {
		for (const conversation of this.sessions.values()) conversation.messages = sorted(conversation.messages, this.options);
		return { conversations: this.conversations, rejects: this.rejects };
	}
}
