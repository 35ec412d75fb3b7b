import type {InboxItem} from '../../src/rules/inbox.ts';

/** What a person says to an item. */
export type Choice = {readonly choice: string; readonly note?: string};

const wanted: Readonly<Partial<Record<InboxItem['kind'], string>>> = {
	review: 'merge',
	approval: 'approve',
	permission: 'once',
	failure: 'retry',
	blocker: 'resolved',
	checkpoint: 'continue',
	verify: 'retry',
	scope: 'once',
	limit: 'extend',
};

/** What a person says who wants the work merged; of what an agent asks, the first option, or a number. */
export const usualChoice = ({kind, choices}: InboxItem): Choice => {
	const offered = choices
		.filter(({choice, whyNot}) => whyNot === undefined && choice !== 'snooze')
		.map(({choice}) => choice);
	return {choice: offered.find(choice => choice === wanted[kind]) ?? offered[0] ?? '8080'};
};
