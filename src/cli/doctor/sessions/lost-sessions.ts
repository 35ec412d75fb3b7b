import {isLocked} from '../../../journal/lock.ts';
import {withoutStop} from '../../../lib/text/words.ts';
import {defined} from '../../../lib/values.ts';
import type {Here} from '../../here.ts';
import type {CheckFinding} from '../config.ts';
import {keptWork} from '../leftovers/clean.ts';
import type {SessionRecord} from './read-sessions.ts';

export type DamagedSession = Extract<SessionRecord, {kind: 'damaged'}>;
type LostSession = Exclude<SessionRecord, {kind: 'read'}>;

/** Reports a session that can't be continued, with advice. */
export const lostSession = async (here: Here, session: LostSession): Promise<CheckFinding> => {
	switch (session.kind) {
		case 'damaged':
			return damaged(here, session);
		case 'aside':
			return aside(session);
		case 'unreadable':
			return unreadable(session);
	}
};

/** Returns a text about the undamaged part of a journal. */
export const wholePart = ({events}: Pick<DamagedSession, 'events'>): string => {
	const last = events.at(-1);
	return last === undefined
		? 'no event before that is whole'
		: `${events.length} event${events.length === 1 ? '' : 's'} before that ${events.length === 1 ? 'is' : 'are'} whole, the last of ${last.at}`;
};

const damaged = ({folder}: Here, session: DamagedSession): CheckFinding => {
	const {id, fault} = session;
	const hint = isLocked(folder.lock)
		? 'a supervisor is at work here; "delegate-tui stop" ends what it supervises and keeps the work'
		: fault.hint;
	return {
		level: 'bad',
		text: `${id}: ${withoutStop(fault.message)}; ${wholePart(session)}`,
		...defined({hint}),
	};
};

const aside = async ({
	id,
	folder,
	aside: {at, why},
}: Extract<SessionRecord, {kind: 'aside'}>): Promise<CheckFinding> => {
	const work = (await keptWork(folder)).map(({of, path}) => `${of} in ${path}`);
	return {
		level: 'absent',
		text: `${id} was set aside on ${at.slice(0, 10)}: ${why}${work.length === 0 ? '' : ` Its work is kept: ${work.join(', ')}`}`,
		hint: `"delegate-tui log ${id}" shows its undamaged part; once its journal is repaired, remove ${folder.setAside} to make it count again`,
	};
};

/** Reports an unreadable journal; the disk may be readable again later, so the session is not given up. */
const unreadable = ({id, failure}: Extract<SessionRecord, {kind: 'unreadable'}>): CheckFinding => ({
	level: 'bad',
	text: `${id} can’t be read, which says nothing about its journal: ${failure.message}`,
	...defined({hint: failure.hint}),
});
