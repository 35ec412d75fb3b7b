import {type Notice, noticeBlock} from '../../agents/notice-block.ts';
import {replyBlock} from '../../agents/resume/reply-block.ts';
import type {Reply} from '../../events/reply.ts';
import type {Signal} from '../../signals/index.ts';
import {meaningOf} from '../../signals/meaning.ts';
import {heardOf} from '../../state/agent/heard.ts';
import {blockingItems} from '../../state/blocking-items.ts';
import {heldBackText} from '../../state/held-back.ts';
import {agentOf, itemOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import type {CallResult} from '../../tools/wire.ts';

/** Returns the words for an agent whose call was heard and needs no live answer. */
export const heardResult = (state: State, id: string, signal: Signal): CallResult => {
	const agent = agentOf(state, id);
	if (agent === undefined || meaningOf(signal).kind === 'informs') {
		return {text: 'Noted. Go on.', isError: false};
	}

	if (agent.outcome !== undefined) {
		return {text: 'Noted. End your turn now; a person looks at your work.', isError: false};
	}

	const {items} = heardOf(agent, signal);
	const waiting = items.filter(item => itemOf(state, item) !== undefined);
	const isHeld = blockingItems(state, agent).some(({id}) => items.includes(id));
	if (isHeld) {
		return parkedResult(signal, waiting);
	}

	if (waiting.length === 0 && agent.replies.some(reply => reply.heldBack)) {
		return {text: heldBackText, isError: false};
	}

	return waiting.length > 0
		? {text: `${asked(signal, waiting)} Go on meanwhile; you will be told.`, isError: false}
		: {text: 'It is decided already. End your turn now; you will be told.', isError: false};
};

/** Returns the words for an agent that must not wait any longer. */
export const parkedResult = (signal: Signal, items: readonly string[]): CallResult => ({
	text: `Parked. ${asked(signal, items)} End your turn now; you will be prompted with the decision.`,
	isError: false,
});

/** Returns the answers that an agent waited for, in the form in which a prompt tells them. */
export const answeredResult = (replies: readonly Reply[]): CallResult => ({
	text: replies.map(replyBlock).join('\n\n'),
	isError: false,
});

/** Returns what came of a call, with what the agent is to be told besides. */
export const withNotices = (result: CallResult, notices: readonly Notice[]): CallResult =>
	notices.length === 0 ? result : {...result, text: `${result.text}\n\n${noticeBlock(notices)}`};

/** Returns what was wrong with a call, for the agent to make a better one. */
export const malformedResult = ({reason}: Extract<Signal, {kind: 'malformed'}>): CallResult => ({
	text: `It was not understood. ${reason} Call the tool again.`,
	isError: true,
});

/** What an agent says between its turns has no turn that it belongs to. */
export const betweenTurns: CallResult = {
	text: 'Nobody listens between your turns. Say it when you are prompted.',
	isError: true,
};

const asked = (signal: Signal, items: readonly string[]): string => {
	const meaning = meaningOf(signal);
	const answer = meaning.kind === 'asks' ? meaning.answer : 'A person decides on';
	return `${answer} ${items.join(', ')}.`;
};
