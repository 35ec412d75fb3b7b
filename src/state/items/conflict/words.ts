import type {ItemOf} from '../../item.ts';
import type {ConflictChoice} from './conflict.ts';
import {checkWords, type OutcomeCheck} from './outcome-check.ts';

/** Prints a choice about a conflict as it is typed and kept in the journal. */
export const conflictWords = (choice: ConflictChoice): string => {
	switch (choice.verb) {
		case 'choose-one':
			return `choose-one:${choice.winner.join('+')}`;
		case 'sequential':
			return `sequential:${[...choice.earlier, choice.later].join(',')}`;
		case 'feedback':
		case 'abort':
		case 'take':
		case 'again':
		case 'drop':
			return `${choice.verb}:${choice.agent}`;
		case 'arbiter':
			return `arbiter:${choice.as}`;
		case 'check':
			return checkWords(choice.of && conflictWords(choice.of));
		case 'manual':
		case 'done':
		case 'accept':
			return choice.verb;
	}
};

/** Returns the check of what a choice would come to, which is given as it is typed; nothing where that of another one, or none, was asked for. */
export const checkingOf = (
	{checking}: ItemOf<'conflict'>,
	words: string,
): OutcomeCheck | undefined =>
	checking !== undefined && conflictWords(checking.choice) === words ? checking : undefined;
