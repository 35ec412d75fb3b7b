import type {Verb} from './choices.ts';

/** What has to be sure before a choice is taken: that all of a work is there and was seen, or that a person wants to end it, drop it or go back in it. */
export type Care = 'takes work' | 'ends' | 'drops' | 'sets back' | 'none';

/** Returns whether a choice takes an agent's work. */
export const takesWork = ({verb}: {readonly verb: Verb}): boolean => careOf[verb] === 'takes work';

/** Each verb stands here, so that the compiler asks about a further one. Whoever hands a subtask on writes what is to be done, and so is asked nothing more. */
export const careOf: Readonly<Record<Verb, Care>> = {
	merge: 'takes work',
	'merge-and-stop': 'takes work',
	'merge-with': 'takes work',
	complete: 'takes work',
	salvage: 'takes work',
	abort: 'ends',
	abandon: 'drops',
	restore: 'sets back',
	'retry-from': 'sets back',
	accept: 'none',
	again: 'none',
	always: 'none',
	'always-all': 'none',
	answer: 'none',
	approve: 'none',
	arbiter: 'none',
	cancel: 'none',
	check: 'none',
	'choose-one': 'none',
	clock: 'none',
	continue: 'none',
	delegate: 'none',
	'delegate-wait': 'none',
	done: 'none',
	drop: 'none',
	edit: 'none',
	extend: 'none',
	feedback: 'none',
	'feedback-all': 'none',
	help: 'none',
	manual: 'none',
	once: 'none',
	redistribute: 'none',
	refuse: 'none',
	reject: 'none',
	resolved: 'none',
	retry: 'none',
	run: 'none',
	sequential: 'none',
	skip: 'none',
	snooze: 'none',
	take: 'none',
	widen: 'none',
};
