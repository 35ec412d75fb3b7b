import type {Subtask} from '../../src/events/plan.ts';
import {noRecords, withEvent} from '../../src/rules/question-record.ts';
import type {PageView} from '../../src/web/page/view.ts';
import {asks, type Given, working} from '../helpers/given.ts';

/** Returns what a page is made from, of a session in memory. */
export const viewOf = (session: Given, changes: Partial<PageView> = {}): PageView => {
	const known = session.events().reduce(withEvent, noRecords);
	return {
		project: 'orders',
		session: {...known, isSupervised: true},
		store: '/store',
		mayDecide: false,
		now: session.state().at,
		...changes,
	};
};

/** Returns a session of agents at work, the first of which has asked this. */
export const asking = (
	questions: string,
	agents: readonly (string | Subtask)[] = ['AGT-001'],
): Given => {
	const session = working(agents);
	session.says('AGT-001', asks(questions));
	return session;
};
