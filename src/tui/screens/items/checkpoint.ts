import type {Model} from '../../../client/model.ts';
import {counted} from '../../../lib/text/words.ts';
import {collisionWords} from '../../../rules/collisions.ts';
import {lastSnapshot} from '../../../state/agent/agent.ts';
import {workNotes} from '../../../state/agent/work-notes.ts';
import type {ItemOf} from '../../../state/item.ts';
import {agentOf} from '../../../state/select.ts';
import {surfaceRows} from '../../formatting/check-look.ts';
import {quoted} from '../../rows/quoted.ts';
import {bullets, type Row, section} from '../../rows/row.ts';
import {endOf, updateRows} from './about-agent.ts';
import {claimsTable, fileRows, foundFiles, outsideRows, testsClaim} from './work/claims.ts';
import {filesIn, filesOfWork, newWorkKey} from './work/work.ts';

/** The agent's table beside what git says. */
export const checkpointFacts = (
	model: Model,
	{agent: id, said}: ItemOf<'checkpoint'>,
	columns: number,
): readonly Row[] => {
	const agent = agentOf(model.state, id);
	if (agent === undefined) {
		return [];
	}

	const snapshot = lastSnapshot(agent);
	return [
		...surfaceRows(snapshot?.surface, columns),
		...section('Collides', bullets(collisionWords(model.state, id), columns, 'warn')),
		...claimsTable(
			[
				{
					about: 'Status',
					says: said.status ?? '–',
					found: endOf(agent) ?? 'its process waits',
					tone: 'plain',
				},
				{about: 'Progress', says: percent(said.progress), found: '–', tone: 'dim'},
				{
					about: 'Files',
					says: counted(said.changes.length, 'file'),
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
		...section('Worth a look', bullets(workNotes(agent), columns, 'warn')),
		...updateRows(agent, columns),
	];
};

const percent = (progress: number | undefined): string =>
	progress === undefined ? '–' : `${progress} %`;
