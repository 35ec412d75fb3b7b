import {isLocked} from '../../journal/lock.ts';
import type {Failure} from '../../lib/failure.ts';
import {withoutStop} from '../../lib/text/words.ts';
import {thisMoment} from '../../lib/this-moment.ts';
import {foundText, interruptedNotice, type Notice, noticesOf} from '../../rules/notices.ts';
import type {Here} from '../here.ts';
import {movedSession} from '../no-session.ts';
import type {Check, CheckFinding} from './config.ts';
import {lostSession} from './sessions/lost-sessions.ts';
import {readSessions, type SessionRecord} from './sessions/read-sessions.ts';

/** Reports the sessions, the active one, and the findings of its last start. */
export const checkSessions: Check = async ({here}) => {
	if (here === undefined) {
		return [
			{
				check: 'repository',
				level: 'warn',
				text: 'this is not a git repository with a commit, so sessions were not checked',
			},
		];
	}

	const sessions = await readSessions(here.folder);
	const moved = await movedSession(here, 'any');
	const last = sessions.at(-1);
	const current = sessions.findLast(counts);
	const findings = sessions.map(session => findingsFor(here, session, session === current));
	return [
		{check: 'repository', level: 'good', text: here.repository.root},
		...(last === undefined
			? [{level: 'good' as const, text: 'no session yet'}]
			: [summary(sessions), ...(await Promise.all(findings)).flat()]),
		...(moved === undefined ? [] : [movedFinding(moved)]),
	];
};

const movedFinding = ({message, hint = ''}: Failure): CheckFinding => ({
	level: 'warn',
	text: withoutStop(message),
	hint,
});

/** Returns whether a session can be the active or the last one. */
const counts = (session: SessionRecord): boolean =>
	session.kind !== 'aside' && !(session.kind === 'read' && session.state.session === null);

const summary = (sessions: readonly SessionRecord[]): CheckFinding => {
	const ended = sessions.filter(
		session => session.kind === 'read' && session.state.session?.ended !== undefined,
	);
	const text = `${ended.length} of ${sessions.length} sessions have ended`;
	return {level: 'good', text};
};

const findingsFor = async (
	here: Here,
	session: SessionRecord,
	isLast: boolean,
): Promise<readonly CheckFinding[]> => {
	if (session.kind !== 'read') {
		return [await lostSession(here, session)];
	}

	const {id, state} = session;
	const begun = state.session;
	if (begun === null) {
		return [
			{
				level: 'warn',
				text: `${id} never started`,
				hint: 'the next start removes its leftovers',
			},
		];
	}

	if (begun.ended) {
		return isLast
			? [
					{level: 'good', text: `${id} has ended: ${begun.ended.why}`},
					...findingsOf(interruptedNotice(state)),
				]
			: [];
	}

	return isLast
		? [
				activeSession(here, id),
				...lastStart(session),
				...findingsOf(noticesOf(state, thisMoment())),
			]
		: [
				{
					level: 'warn',
					text: `${id} never ended, and a later one began; its work is kept in ${session.folder.path}`,
				},
			];
};

const activeSession = ({folder}: Here, id: string): CheckFinding =>
	isLocked(folder.lock)
		? {level: 'good', text: `${id} is under way`}
		: {
				level: 'warn',
				text: `${id} is under way, but its supervisor is not running`,
				hint: 'delegate-tui status starts its supervisor again',
			};

const lastStart = ({events}: Extract<SessionRecord, {kind: 'read'}>): readonly CheckFinding[] => {
	const [last] = events
		.flatMap(event => (event.kind === 'supervisor.started' ? [event] : []))
		.flatMap(({at, found}) => (found === undefined ? [] : [{at, found}]))
		.slice(-1);
	return last === undefined
		? []
		: [
				{
					level: 'good',
					text: `${last.at.slice(0, 19)}Z ${foundText(last.found)}`,
				},
			];
};

const findingsOf = (notices: readonly Notice[]): readonly CheckFinding[] =>
	notices.filter(({level}) => level === 'warn').map(({text}) => ({level: 'warn', text}));
