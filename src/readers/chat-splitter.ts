import { sorted } from "./message.js";
import type { Place, ReadOptions } from "./options.js";
import type { InputConversation, InputMessage } from "./types.js";

/** A message of a chat export, whose authors have names instead of roles. */
export interface AuthoredMessage {
	author: string;
	/** Whether the export itself says that a program wrote it. */
	isBot: boolean;
	content: string;
	external_id: string | null;
	created_at: number | null;
}

/** Messages that are held before they are passed on, so that a chat of any length fits into memory. */
const HELD_MESSAGES = 2_000;

/**
 * Splits a chat of several people into sessions. Each human author is an end user and gets a session `<chat>#<author>` with their own
 * turns, because risk, plans and means belong to one person: folded together, one author's plan and another's means would look like an
 * emergency of nobody. What a bot (or `--assistant`, `--me`) says goes into the session of the human who spoke last, or who speaks first if
 * nobody has: it answers them. So every message stands in exactly one session, and the sessions stay the same when the chat grows.
 */
export class ChatSplitter {
	private readonly assistants: ReadonlySet<string>;
	private sessions = new Map<string, InputConversation>();
	/** What bots said before any human did. */
	private early: { message: InputMessage; place: Place }[] = [];
	private lastHuman: string | undefined;
	private held = 0;

	constructor(
		private readonly chat: string,
		private readonly options: ReadOptions,
	) {
		this.assistants = new Set([...(options.me ?? []), ...(options.assistant ?? [])]);
	}

	/** Takes the next message. @returns sessions to pass on now; mostly none */
	add({ author, isBot, content, external_id, created_at }: AuthoredMessage, place: Place): InputConversation[] {
		const isAssistant = isBot || this.assistants.has(author);
		const message: InputMessage = { role: isAssistant ? "assistant" : "user", content, external_id, created_at };
		if (!isAssistant) this.lastHuman = author;
		if (this.lastHuman === undefined) {
			this.early.push({ message, place });
			return [];
		}
		for (const { message: said, place: where } of this.early) this.put(this.lastHuman, said, where);
		this.early = [];
		this.put(this.lastHuman, message, place);
		return this.held < HELD_MESSAGES ? [] : this.flush();
	}

	/** Passes on what is still held. A chat without any human is one session of the chat's name. */
	finish(): InputConversation[] {
		for (const { message, place } of this.early) this.put(null, message, place);
		this.early = [];
		return this.flush();
	}

	private put(author: string | null, message: InputMessage, { line, record }: Place): void {
		this.held++;
		const name = author === null ? this.chat : `${this.chat}#${author}`;
		const session = this.sessions.get(name);
		if (session === undefined) {
			this.sessions.set(name, {
				external_id: name,
				end_user_external_id: author,
				title: this.chat,
				started_at: null,
				messages: [message],
				line,
				record,
				records: 1,
				piece: true,
			});
			return;
		}
		session.messages.push(message);
		session.records++;
	}

	private flush(): InputConversation[] {
		const pieces = [...this.sessions.values()];
		for (const piece of pieces) piece.messages = sorted(piece.messages, this.options);
		this.sessions = new Map();
		this.held = 0;
		return pieces;
	}
}
