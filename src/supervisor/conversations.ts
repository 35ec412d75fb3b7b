import type {Conversation} from '../agents/acp/conversation.ts';
import {Failure} from '../lib/failure.ts';

/** Conversations with agents, each of them a process; at most one per agent. */
export type Conversations = {
	/** Returns the conversation that was kept for an agent, or the one that `start` opens; `signal` aborts when it is no longer needed. */
	readonly open: (
		agent: string,
		start: (signal: AbortSignal) => Promise<Conversation>,
	) => Promise<Conversation>;
	/** Returns the conversation that was kept for an agent, if it suits, and no longer ends it by itself; otherwise ends it now. */
	readonly takeUp: (
		agent: string,
		suits?: (kept: Conversation) => boolean,
	) => Promise<Conversation | undefined>;
	/** Keeps an agent's process for its next turn, for at most this long. */
	readonly keep: (agent: string, forMs: number) => void;
	/** Ends an agent's process, if it has one; resolves when the process is gone. */
	readonly end: (agent: string) => Promise<void>;
	/** Ends all conversations, also those that are being opened, and lets no more be opened. */
	readonly endAll: () => Promise<void>;
};

type Held = {
	readonly opening: Promise<Conversation>;
	readonly abort: AbortController;
	timer?: NodeJS.Timeout;
};

/**
Creates the conversations, which outlive a turn.

Starting an agent takes seconds, and the agent forgets its last turn. While a person may still answer quickly, its process is worth keeping.
*/
export const createConversations = (): Conversations => {
	const held = new Map<string, Held>();
	const ending = new Map<string, Promise<void>>();
	let closed = false;

	const end = async (agent: string): Promise<void> => {
		const holding = held.get(agent);
		if (holding) {
			held.delete(agent);
			const end = endHeld(holding).finally(() => ending.delete(agent));
			ending.set(agent, end);
		}

		await ending.get(agent);
	};

	const takeUp: Conversations['takeUp'] = async (agent, suits = () => true) => {
		const kept = held.get(agent);
		const conversation = await kept?.opening.catch(() => undefined);
		if (kept && conversation && !conversation.isGone() && suits(conversation)) {
			clearTimeout(kept.timer);
			return conversation;
		}

		// The new process has the same mark as the old one, so the old one's remains must end first.
		await end(agent);
		return undefined;
	};

	return {
		takeUp,
		open: async (agent, start) => {
			const kept = await takeUp(agent);
			if (kept !== undefined) {
				return kept;
			}

			if (closed) {
				throw new Failure('refused', 'The supervisor is stopping.');
			}

			const abort = new AbortController();
			const opening = start(abort.signal);
			held.set(agent, {opening, abort});
			return opening;
		},
		keep: (agent, forMs) => {
			const holding = held.get(agent);
			if (holding) {
				clearTimeout(holding.timer);
				holding.timer = setTimeout(() => void end(agent), forMs);
			}
		},
		end,
		endAll: async () => {
			closed = true;
			await Promise.all([...held.keys()].map(end));
			await Promise.all(ending.values());
		},
	};
};

const endHeld = async ({opening, abort, timer}: Held): Promise<void> => {
	clearTimeout(timer);
	abort.abort();
	const conversation = await opening.catch(() => undefined);
	await conversation?.end();
};
