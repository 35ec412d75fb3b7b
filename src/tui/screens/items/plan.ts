import type {Model} from '../../../client/model.ts';
import {
	documentsFact,
	type PlanFact,
	planFacts,
	scopeFacts,
	subtaskFacts,
} from '../../../client/texts/plan-text.ts';
import type {Subtask} from '../../../events/plan.ts';
import {counted} from '../../../lib/text/words.ts';
import {blank, bullets, fact, type Row, row, section, span} from '../../rows/row.ts';

/** The plan as it would run, and what was found doubtful about it. */
export const planRows = ({state, sets = {}}: Model, columns: number): readonly Row[] => {
	const {session} = state;
	if (session === null) {
		return [];
	}

	const {plan, target, warnings} = session;
	return [
		...(warnings.length === 0
			? []
			: [row(`! ${counted(warnings.length, 'warning')}, below the agents`, 'warn'), blank]),
		...section('Plan', [
			...fact('Task', plan.task, columns),
			...factRows(planFacts(plan, target), columns),
		]),
		...plan.agents.flatMap(agent => [
			[span(agent.id, 'heading'), span(` ${agent.subtask}`, 'strong')],
			...factRows(subtaskFacts(agent, plan, sets[agent.id] ?? {}), columns),
			blank,
		]),
		...section('Meanwhile', session.settings.docs ? factRows([documentsFact], columns) : []),
		...section('Warnings', bullets(warnings, columns, 'warn')),
	];
};

/** Returns where an agent may write and where not. */
export const scopeRows = (subtask: Subtask, columns: number): readonly Row[] =>
	factRows(scopeFacts(subtask), columns);

const factRows = (facts: readonly PlanFact[], columns: number): readonly Row[] =>
	facts.flatMap(({name, text, doubtful}) => fact(name, text, columns, doubtful ? 'warn' : 'plain'));
