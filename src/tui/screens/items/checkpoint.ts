import type {Model} from '../../../client/model.ts';
import {tokenInWords} from '../../../lib/text/words.ts';
import type {InboxItem} from '../../../rules/inbox.ts';
import {type Agent, lastSnapshot} from '../../../state/agent/agent.ts';
import type {ItemOf} from '../../../state/item.ts';
import {quoted} from '../../rows/quoted.ts';
import {bullets, type Row, section} from '../../rows/row.ts';
import {endOf, updateRows} from './about-agent.ts';
import {
	claimsTable,
	fileRows,
	filesSaidText,
	foundFiles,
	noteRows,
	outsideRows,
	testsClaim,
} from './work/claims.ts';
import {filesIn, filesOfWork, newWorkKey} from './work/work.ts';

/** Returns the agent's report beside git's facts. */
export const checkpointFacts = (
	model: Model,
	agent: Agent,
	{item: {said}, shown}: {readonly item: ItemOf<'checkpoint'>; readonly shown: InboxItem},
	columns: number,
): readonly Row[] => {
	const {id} = agent;
	const snapshot = lastSnapshot(agent);
	return [
		...noteRows(shown, columns),
		...claimsTable(
			[
				{
					about: 'Status',
					says: tokenInWords(said.status ?? '–'),
					found: endOf(agent) ?? 'its process waits',
					tone: 'plain',
				},
				{about: 'Progress', says: percent(said.progress), found: '–', tone: 'dim'},
				{
					about: 'Files',
					says: filesSaidText(said.changes.length),
					found: foundFiles(model, agent),
					tone: said.changes.length === (snapshot?.files ?? 0) ? 'good' : 'warn',
				},
				testsClaim(model.state, agent),
				{
					about: 'Request',
					says: (said.request ?? 'CONTINUE').toLowerCase(),
					found: '',
					tone: 'dim',
				},
			],
			columns,
		),
		...section(
			'Files',
			fileRows(said.changes, filesOfWork(model, id), columns, {
				claims: snapshot?.claims ?? [],
				earlier: agent.updates.files,
				fresh: filesIn(model, newWorkKey(model.state, id)),
			}),
		),
		...outsideRows(agent, columns),
		...section('Blockers', said.blockers === null ? [] : quoted(said.blockers, columns, 'warn')),
		...section('Questions (each is an item of its own)', bullets(said.questions, columns)),
		...updateRows(agent, columns),
	];
};

const percent = (progress: number | undefined): string =>
	progress === undefined ? '–' : `${progress} %`;
