import type {Model} from '../../client/model.ts';
import {countText} from '../../client/texts/spent-text.ts';
import {defined} from '../../lib/defined.ts';
import {formatDuration} from '../../lib/text/duration.ts';
import {thisMoment} from '../../lib/this-moment.ts';
import {conditionsOf} from '../../rules/conditions.ts';
import {whyOf} from '../../rules/limit-wait.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {allowancesOf} from '../../state/agent/allowance.ts';
import {changedFiles} from '../formatting/agent-look.ts';
import {bullets, fact, type Row, row, section} from '../rows/row.ts';
import {scopeRows} from './items/plan.ts';
import {workedMs} from './items/work/work.ts';

/** What is known of an agent beside its words: what it is to do and may do, what it has used up, and what it changed. */
export const factsOfAgent = (model: Model, agent: Agent, columns: number): readonly Row[] => {
	const {subtask, tokens = 0, tokenBudget} = agent;
	const conditions = conditionsOf(model.state, agent, {
		now: model.now,
		...defined({files: changedFiles(model, agent)}),
	});
	return [
		...section(
			'Worth a look',
			bullets(
				conditions.map(({text}) => text),
				columns,
			),
		),
		...section(agent.id, [
			...fact('Subtask', subtask.subtask, columns),
			...fact('Goal', subtask.goal, columns),
			...scopeRows(subtask, columns),
			...fact(
				'State',
				`${agent.state}: ${whyOf(model.state, agent, thisMoment(model.now))}`,
				columns,
			),
			...fact(
				'Has worked',
				`${formatDuration(workedMs(agent, model))} of ${formatDuration(agent.timeoutMs)}`,
				columns,
			),
			...fact(
				'Tokens',
				tokenBudget === undefined
					? undefined
					: `${countText(model.activities[agent.id]?.spent.tokens ?? tokens)} of ${countText(tokenBudget)}`,
				columns,
			),
		]),
		...section('Changed files', changedRows(model, agent, columns)),
		...section('Allowed for the session', allowedRows(model, agent, columns)),
	];
};

const changedRows = (model: Model, agent: Agent, columns: number): readonly Row[] => {
	const {paths = []} = model.activities[agent.id]?.changed ?? {};
	const left = (changedFiles(model, agent) ?? 0) - paths.length;
	return paths.length === 0
		? [row('none that is known', 'dim')]
		: [...bullets(paths, columns), ...(left > 0 ? [row(`and ${left} more`, 'dim')] : [])];
};

const allowedRows = (model: Model, {id}: Agent, columns: number): readonly Row[] => {
	const allowed = allowancesOf(model.state.allowances, id);
	return allowed.length === 0
		? []
		: [
				...bullets(
					allowed.map(
						({id, pattern, agent}) => `${id} ${pattern}${agent === null ? ' (every agent)' : ''}`,
					),
					columns,
				),
				row(`to take one back: delegate-tui agent ${id} withdraw ID`, 'dim'),
			];
};
