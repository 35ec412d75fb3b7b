import type {Question} from '../../src/signals/index.ts';

/** Returns a question of an agent with default values. */
export const questionOf = (about: Partial<Question>): Question => ({
	question: 'Well?',
	options: [],
	required: true,
	...about,
});
