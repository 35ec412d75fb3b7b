import type {Conversation} from '../../src/agents/acp/conversation.ts';

/** A conversation without a process, and what was done to it. */
export const makeConversation = (id: string) => {
	const gone = Promise.withResolvers<void>();
	const did = {ended: 0, isGone: false};
	const conversation: Conversation = {
		id,
		pid: 1,
		startTime: '1',
		tools: [],
		seesImages: false,
		hasGap: false,
		beginAnew: async () => false,
		listen: () => {},
		prompt: async () => ({reason: 'end_turn'}),
		cancel: () => {},
		isGone: () => did.isGone,
		gone: gone.promise.then(() => outcome),
		end: async () => {
			did.ended += 1;
			did.isGone = true;
			gone.resolve();
			return outcome;
		},
	};
	return {conversation, did, gone: gone.promise};
};

const outcome = {end: {by: 'stopped'}, survivors: []} as const;
