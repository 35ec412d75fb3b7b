import {folded} from '../../../lib/folded.ts';
import type {Question} from '../../../signals/index.ts';
import type {ItemOf} from '../../item.ts';
import type {State} from '../../state.ts';
import {optionsOf} from './answer.ts';

/**
Returns the open questions of other agents that ask the same: in the same words, with the same options, for an answer of the same kind.

How it is spaced and where it has capitals makes no other question; which option comes first does not either.
*/
export const sameQuestions = (
	{items}: State,
	{agent, question}: Pick<ItemOf<'question'>, 'agent' | 'question'>,
): readonly ItemOf<'question'>[] =>
	items.filter(
		(other): other is ItemOf<'question'> =>
			other.kind === 'question' &&
			other.agent !== agent &&
			essenceOf(other.question) === essenceOf(question),
	);

/** Each question is compared with all others whenever the inbox is drawn. */
const essences = new WeakMap<Question, string>();

const essenceOf = (question: Question): string => {
	const essence = essences.get(question) ?? makeEssence(question);
	essences.set(question, essence);
	return essence;
};

const makeEssence = (question: Question): string => {
	const {type = null, pattern = null, multi = false} = question;
	const options = optionsOf(question).map(folded).toSorted();
	return JSON.stringify([folded(question.question), options, type, pattern, multi]);
};
