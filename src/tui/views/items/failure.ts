import type {TurnEnd} from '../../../events/event.ts';
import type {Agent} from '../../../state/agent.ts';
import type {ItemOf} from '../../../state/item.ts';
import {agentOf} from '../../../state/select.ts';
import type {Model} from '../../model.ts';
import {fact, paragraph, type Row, section} from '../../rows/row.ts';
import {counted} from '../../rows/text.ts';
import {aboutAgent} from './about-agent.ts';

export const failureFacts = (
	model: Model,
	{agent: id, why}: ItemOf<'failure'>,
	columns: number,
): readonly Row[] => {
	const agent = agentOf(model.state, id);
	return [
		...section(`${id} failed`, paragraph(why, columns, 'bad')),
		...section('How it ended', [
			...fact('Process', agent && endOf(agent), columns),
			...fact('Its last error', agent && lastErrorOf(agent), columns),
			...fact('Snapshots', agent && counted(agent.snapshots.length, 'snapshot'), columns),
		]),
		...aboutAgent(model, agent, columns),
	];
};

const endOf = ({turn}: Agent): string | undefined =>
	turn.phase === 'ended' ? `turn ${turn.number} ${words(turn.end)}` : undefined;

const words = (end: TurnEnd): string => {
	switch (end.by) {
		case 'exit':
			return `ended with exit code ${end.code}`;
		case 'signal':
			return `was killed by ${end.signal}`;
		case 'error':
			return `could not go on: ${end.cause}`;
		case 'stopped':
			return 'was stopped by the supervisor';
		case 'lost':
			return 'was lost with its supervisor';
	}
};

const lastErrorOf = ({turn}: Agent): string | undefined =>
	turn.phase === 'ended' ? turn.lastError : undefined;
