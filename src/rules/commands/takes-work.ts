import type {ChoiceOf} from '../../state/item.ts';

/** Returns whether a choice takes an agent's work, of which a person may name a part. */
export const takesWork = ({verb}: ChoiceOf<'failure' | 'review'>): boolean => {
	switch (verb) {
		case 'salvage':
		case 'merge':
		case 'merge-and-stop':
		case 'merge-with':
			return true;
		case 'retry':
		case 'retry-from':
		case 'abandon':
		case 'redistribute':
		case 'feedback':
		case 'abort':
			return false;
	}
};
