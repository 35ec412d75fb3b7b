import type {Command} from 'commander';
import {counted} from '../../lib/text/words.ts';
import {defined} from '../../lib/values.ts';
import {sessionStatus} from '../../rules/status.ts';
import {readSessions, type SessionRecord} from '../doctor/sessions/read-sessions.ts';
import {findHere} from '../here.ts';
import {printAs} from '../output.ts';

export const addSessions = (program: Command): void => {
	program
		.command('sessions')
		.description('the sessions of this repository, the last one first')
		.option('--json', 'as JSON')
		.action(async ({json}: {json?: boolean}) => {
			const {folder} = await findHere();
			const sessions = (await readSessions(folder)).toReversed().flatMap(shownOf);
			const words = sessions.map(textOf).join('\n') || 'No session in this repository yet.';
			printAs({json}, {sessions}, words);
		});
};

export type ListedSession = {
	readonly id: string;
	/** Status of the session, or the reason why it can't be read. */
	readonly status: string;
	readonly task?: string;
	readonly target?: string;
	readonly agents?: number;
	readonly merged?: number;
	readonly startedAt?: string;
	readonly endedAt?: string;
	readonly folder: string;
};

/** Returns the listed form of a session; none if it never began. */
const shownOf = (record: SessionRecord): readonly ListedSession[] => {
	const {id, folder} = record;
	if (record.kind !== 'read') {
		return [{id, status: lostStatus[record.kind], folder: folder.path}];
	}

	const {session, agents} = record.state;
	return session === null
		? []
		: [
				{
					id,
					status: sessionStatus(record.state),
					task: session.plan.task,
					target: session.target,
					agents: agents.length,
					merged: agents.filter(({state}) => state === 'MERGED').length,
					startedAt: session.startedAt,
					...defined({endedAt: session.ended?.at}),
					folder: folder.path,
				},
			];
};

const lostStatus = {aside: 'SET ASIDE', damaged: 'DAMAGED', unreadable: 'UNREADABLE'} as const;

const textOf = ({id, status, task, target, agents, merged}: ListedSession): string =>
	task === undefined
		? `${id}  ${status}`
		: `${id}  ${status.padEnd(8)}  into ${target}: ${task} (${merged} of ${counted(agents ?? 0, 'agent')} merged)`;
