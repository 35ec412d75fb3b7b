import type {Question} from '../../src/signals/index.ts';

/** Returns a question of an agent, with defaults for all that a test doesn't care about. */
export const questionOf = (about: Partial<Question>): Question => ({
	question: 'Well?',
	options: [],
	required: true,
	...about,
});
