import type {Model} from '../../../client/model.ts';
import {commandText, judgedDelegation, judgedText} from '../../../client/texts/detail-text.ts';
import {countText} from '../../../client/texts/reported-text.ts';
import {formatDuration} from '../../../lib/text/duration.ts';
import {withoutColors} from '../../../lib/text/sanitize.ts';
import {counted, valueLines} from '../../../lib/text/words.ts';
import {itemContextIn} from '../../../rules/commands/read-decision.ts';
import {type Agent, lastSnapshot} from '../../../state/agent/agent.ts';
import {mostFiles} from '../../../state/agent/allowance.ts';
import type {Item, ItemOf, LimitItem} from '../../../state/item.ts';
import {commandLogName} from '../../../state/items/blocker.ts';
import {delegation} from '../../../state/items/delegation.ts';
import {isNear} from '../../../state/items/limit.ts';
import {kindOf} from '../../../state/items.ts';
import {agentOf} from '../../../state/select.ts';
import {keyOf} from '../../action.ts';
import type {Context, ItemPlace} from '../../model/view.ts';
import {quoted, quotedExactly} from '../../rows/quoted.ts';
import {bullets, fact, paragraph, type Row, row, section} from '../../rows/row.ts';
import {rivalRows} from '../rival-rows.ts';
import {aboutAgent, endOf, updateRows} from './about-agent.ts';
import {approvalFacts} from './approval.ts';
import {checkpointFacts} from './checkpoint.ts';
import {conflictFacts} from './conflict.ts';
import {planRows} from './plan.ts';
import {questionFacts} from './question.ts';
import {reviewFacts} from './review.ts';
import {verifyFacts} from './verify.ts';
import {claimsTable, workClaims, workFiles} from './work/claims.ts';
import {workedMs} from './work/work.ts';

/** What a person needs to know of an item to decide it. */
export const factsOf = (
	context: Pick<Context, 'model' | 'table'>,
	item: Item,
	place: Pick<ItemPlace, 'together'>,
	columns: number,
): readonly Row[] => {
	const {model} = context;
	switch (item.kind) {
		case 'plan':
			return planRows(model, columns);
		case 'question':
			return questionFacts(model, item, place, columns);
		case 'checkpoint':
			return checkpointFacts(model, item, columns);
		case 'review':
			return reviewFacts(model, item, columns);
		case 'blocker':
			return blockerFacts(model, item, columns);
		case 'delegation':
			return delegationFacts(model, item, columns);
		case 'permission':
			return permissionFacts(model, item, columns);
		case 'scope':
			return scopeFacts(model, item, columns);
		case 'limit':
			return limitFacts(model, item, columns);
		case 'failure':
			return failureFacts(context, item, columns);
		case 'conflict':
			return conflictFacts(model, item, columns);
		case 'verify':
			return verifyFacts(model, item, columns);
		case 'approval':
			return approvalFacts(model, item, columns);
	}
};

const scopeFacts = (
	model: Model,
	{agent, paths, reason}: ItemOf<'scope'>,
	columns: number,
): readonly Row[] => [
	...section(
		`${agent} wants to write outside its scope`,
		paths.flatMap(path => quotedExactly(path, columns, 'strong')),
	),
	...section('Why', reason === '' ? [] : quoted(reason, columns)),
	...aboutAgent(model, agentOf(model.state, agent), columns),
];

const permissionFacts = (
	model: Model,
	{agent, title, command, paths}: ItemOf<'permission'>,
	columns: number,
): readonly Row[] => [
	...section(`${agent} asks whether it may`, quotedExactly(title, columns, 'strong')),
	...section(
		'It would run',
		command === undefined || command === title ? [] : quotedExactly(command, columns, 'warn'),
	),
	...section(
		'Paths',
		paths.flatMap(path => quotedExactly(path, columns)),
	),
	...aboutAgent(model, agentOf(model.state, agent), columns),
];

/** What the rules say of it, beside what the asker is at. */
const delegationFacts = (
	model: Model,
	item: ItemOf<'delegation'>,
	columns: number,
): readonly Row[] => {
	const {state} = model;
	const {agent, task} = item;
	const judged = judgedDelegation({agent, ...delegation.detail(state, item, itemContextIn(state))});
	return [
		...section(`${agent} wants another agent to do this`, quoted(task, columns, 'strong')),
		...section(
			'What the rules say',
			judged.flatMap(one =>
				fact(one.about, judgedText(one), columns, one.holds === false ? 'warn' : 'plain'),
			),
		),
		...aboutAgent(model, agentOf(state, agent), columns),
	];
};

const limitFacts = (model: Model, item: ItemOf<'limit'>, columns: number): readonly Row[] => {
	const {agent: id, of, said} = item;
	const agent = agentOf(model.state, id);
	if (of === 'start') {
		return [
			...section(
				`${id} has not started yet`,
				paragraph(
					'Its worktree is still being made and set up. It goes on by itself when that is done.',
					columns,
				),
			),
			...aboutAgent(model, agent, columns),
		];
	}

	const spent = agent === undefined ? '' : `${spentText(agent, of, model)} ${standsText(item)}`;
	return [
		...section(kindOf(item).title(model.state, item), paragraph(spent, columns)),
		...section('It says', bullets(saidLines(said), columns)),
		...aboutAgent(model, agent, columns),
	];
};

/** What it did by its own word, as far as it said that at its limit. */
const saidLines = (said: LimitItem['said']): readonly string[] =>
	said === undefined
		? []
		: [
				...(said.progress === undefined ? [] : [`${said.progress} % done`]),
				...said.changes.map(({file, action, description}) =>
					[action, file, description].filter(word => word !== undefined).join(' '),
				),
			];

const spentText = (agent: Agent, of: LimitItem['of'], model: Model): string => {
	switch (of) {
		case 'tokens':
		case 'tokens-near':
			return `It has used ${countText(agent.tokens ?? 0)} of ${countText(agent.tokenBudget ?? 0)} tokens.`;
		case 'work':
		case 'near':
		case 'start':
			return `It has worked ${formatDuration(workedMs(agent, model))} of ${formatDuration(agent.timeoutMs)}.`;
		case 'turns':
			return `It began ${agent.turnsInVain} turns since you last said something to it; each left its worktree as it was, or was cut off.`;
		case 'files':
			return `It has changed ${counted(lastSnapshot(agent)?.files ?? 0, 'file')}, more than ${mostFiles(model.state, agent)}.`;
	}
};

const standsText = (item: LimitItem): string =>
	isNear(item)
		? 'It goes on while you decide; if you do nothing, it is paused when all is used up.'
		: item.of === 'files'
			? 'A turn that is under way goes on; no further one begins before you decide.'
			: 'It is paused and its work is pinned; nothing is lost whichever you choose.';

const failureFacts = (
	context: Pick<Context, 'model' | 'table'>,
	{agent: id, why}: ItemOf<'failure'>,
	columns: number,
): readonly Row[] => {
	const {model} = context;
	const agent = agentOf(model.state, id);
	return [
		...section(`${id} failed`, paragraph(why, columns, 'bad')),
		...rivalRows(model, id, columns),
		...section('How it ended', [
			...fact('Process', agent && endOf(agent), columns),
			...fact('Last error', agent && lastErrorOf(agent), columns),
			...fact('Snapshots', agent && counted(agent.snapshots.length, 'snapshot'), columns),
		]),
		...(agent === undefined ? [] : saidRows(model, agent, columns)),
		...section(
			'With another agent',
			paragraph(
				`${keyOf(context, 'restart-failed-as')} has it start over as a profile that you name; its worktree stays.`,
				columns,
			),
		),
		...aboutAgent(model, agent, columns),
	];
};

/** What one says of its work that reports a failure, or half of a success. */
const saidRows = (model: Model, agent: Agent, columns: number): readonly Row[] => [
	...(claimsAnything(agent)
		? [...claimsTable(workClaims(model, agent), columns), ...workFiles(model, agent, columns)]
		: []),
	...updateRows(agent, columns),
];

const claimsAnything = ({report}: Agent): boolean =>
	report !== undefined && (report.deliverables.length > 0 || report.metrics_achieved !== undefined);

const lastErrorOf = ({turn}: Agent): string | undefined =>
	turn.phase === 'ended' ? turn.lastError : undefined;

const blockerFacts = (model: Model, item: ItemOf<'blocker'>, columns: number): readonly Row[] => {
	const {agent, details, said} = item;
	return [
		...section(`${agent} is blocked`, quoted(details, columns, 'warn')),
		...section(
			'To go on it needs',
			said?.resume_requirements === undefined ? [] : quoted(said.resume_requirements, columns),
		),
		...commandRows(model, item, columns),
		...section('What it says of that', [
			...fact('Kind', said?.blocker_type, columns),
			...fact('Why it stops', said?.stop_reason, columns),
			...fact('Blocked work', said?.blocked_work, columns),
		]),
		...section(
			'Where it stood',
			valueLines(said?.state_snapshot).flatMap(line => quoted(line, columns)),
		),
		...aboutAgent(model, agentOf(model.state, agent), columns),
	];
};

/** A command that failed leaves the blocker open, with what it printed. */
const commandRows = (
	{tails}: Model,
	{id, command}: ItemOf<'blocker'>,
	columns: number,
): readonly Row[] => {
	if (command === undefined) {
		return [];
	}

	const lines = (tails[commandLogName(id, command)] ?? []).slice(1);
	const shown = lines.length === 0 && command.phase === 'failed' ? command.tail : lines;
	return section(commandText(command), [
		...(shown.length === 0 ? [row('It has printed nothing yet.', 'dim')] : []),
		...shown.slice(-20).flatMap(line => quoted(withoutColors(line), columns)),
	]);
};
