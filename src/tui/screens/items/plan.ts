import type {Model} from '../../../client/model.ts';
import type {Subtask, Supervision} from '../../../events/plan.ts';
import {counted} from '../../../lib/text/counted.ts';
import {formatDuration} from '../../../lib/text/duration.ts';
import {policy} from '../../../rules/effects/policy.ts';
import {areRivals} from '../../../state/rivals/rivals.ts';
import {blank, bullets, fact, type Row, row, section, span} from '../../rows/row.ts';

/** The plan as it would run, and what was found doubtful about it. */
export const planFacts = ({state}: Model, columns: number): readonly Row[] => {
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
			...fact('Context', plan.context, columns),
			...fact('Success', plan.success.join(' · '), columns),
			...fact('Merges into', target, columns),
			...fact('Check', checks(plan.verify), columns, plan.verify.length === 0 ? 'warn' : 'plain'),
			...fact('Type check', (plan.check ?? []).join(' && '), columns),
			...fact('Before', plan.setup.join(' && '), columns),
			...fact('Copies', plan.copy.join(', '), columns),
			...fact('Supervision', supervisionText(plan.supervision), columns),
		]),
		...plan.agents.flatMap(agent =>
			subtaskRows(
				agent,
				plan.agents.filter(other => areRivals(agent, other)).map(({id}) => id),
				columns,
			),
		),
		...section('Meanwhile', session.settings.docs ? fact('Documents', documents, columns) : []),
		...section('Warnings', bullets(warnings, columns, 'warn')),
	];
};

/** What stands in the checkout before anything is merged should surprise nobody. */
const documents =
	'delegation_registry.md and session_context.md in docs/logs, and docs/01_progress.md, are kept in your checkout; they are in no merge, and "docs: false" in the config turns them off';

/** Says what goes on without the person; all else is asked of them or stopped. */
const supervisionText = (level: Supervision): string => {
	const unasked = Object.values(policy).filter(row => row[level] === 'go on');
	return unasked.length === 0
		? `${level}: whatever needs a decision is asked of you`
		: `${level}: ${unasked.map(({what}) => what).join(' and ')} unasked`;
};

const checks = (verify: readonly string[]): string =>
	verify.length === 0 ? 'none: the merged result will not be tested' : verify.join(' && ');

const subtaskRows = (
	subtask: Subtask,
	rivals: readonly string[],
	columns: number,
): readonly Row[] => [
	[span(subtask.id, 'heading'), span(` ${subtask.subtask}`, 'strong')],
	...fact('Goal', subtask.goal, columns),
	...scopeRows(subtask, columns),
	...fact('Agent', subtask.profile ?? subtask.agent.command.join(' '), columns),
	...fact('Rival of', rivals.join(', '), columns),
	...fact('Mode', subtask.mode, columns),
	...fact(
		'Tools',
		(subtask.mcpServers ?? [])
			.map(server =>
				'url' in server
					? `${server.name}: ${server.url}`
					: `${server.name}: ${server.command.join(' ')}`,
			)
			.join(' · '),
		columns,
	),
	...fact('Pictures', (subtask.images ?? []).join(', '), columns),
	...fact('Supervision', subtask.supervision && supervisionText(subtask.supervision), columns),
	...fact('After', subtask.after.join(', '), columns),
	...fact('Reads', subtask.inputs.join(', '), columns),
	...fact('Measured by', subtask.metrics.join(' · '), columns),
	...fact('Time', formatDuration(subtask.timeoutMs), columns),
	blank,
];

/** Returns where an agent may write and where not. */
export const scopeRows = ({scope}: Subtask, columns: number): readonly Row[] => [
	...(scope.allowed.length === 0
		? [row('May write     nothing: it is read-only', 'warn')]
		: fact('May write', scope.allowed.join('  '), columns)),
	...fact('Never', scope.forbidden.join('  '), columns),
];
