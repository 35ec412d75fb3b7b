import {splitChoice} from './choice.ts';

/** What a person decides about a session as a whole. */
export type SessionChoice =
	| {readonly verb: 'add'}
	| {readonly verb: 'stop'}
	/** An allowance is taken back. */
	| {readonly verb: 'withdraw'; readonly allowance: string};

/** Returns such a choice as the journal keeps it. */
export const sessionChoiceText = (choice: SessionChoice): string =>
	choice.verb === 'withdraw' ? `withdraw:${choice.allowance}` : choice.verb;

/** Reads what the journal keeps of such a choice. */
export const readSessionChoice = (text: string): SessionChoice | undefined => {
	const {verb, argument} = splitChoice(text);
	if (verb === 'withdraw') {
		return {verb, allowance: argument};
	}

	return text === 'add' || text === 'stop' ? {verb: text} : undefined;
};
