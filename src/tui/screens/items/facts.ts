import type {Model} from '../../../client/model.ts';
import {describe, type Live, setupBlocks} from '../../../client/texts/describe.ts';
import {counted} from '../../../lib/text/words.ts';
import {oncePer} from '../../../lib/values.ts';
import {type InboxItem, withValues} from '../../../rules/inbox.ts';
import type {Agent} from '../../../state/agent/agent.ts';
import {agentOfItem, type Item, type ItemOf} from '../../../state/item.ts';
import {commandLogName} from '../../../state/items/blocker.ts';
import {pathToShow} from '../../../state/items/conflict/breakage.ts';
import {setupFailure} from '../../../state/items/failure.ts';
import {agentOf} from '../../../state/select.ts';
import {actionKey} from '../../action.ts';
import type {Context, ItemPlace} from '../../model/view.ts';
import {blockRows} from '../../rows/block-rows.ts';
import {quotedExactly} from '../../rows/quoted.ts';
import {fact, paragraph, type Row, row, section} from '../../rows/row.ts';
import {rivalRows} from '../rival-rows.ts';
import {aboutAgent, endOf, updateRows} from './about-agent.ts';
import {approvalFacts} from './approval.ts';
import {checkpointFacts} from './checkpoint.ts';
import {conflictFacts} from './conflict.ts';
import {questionFacts} from './question.ts';
import {verifyFacts} from './verify.ts';
import {claimsTable, noteRows, outsideRows, workClaims, workRows} from './work/claims.ts';

type Facts = Pick<Context, 'model' | 'table'>;
type Shown = {readonly item: Item; readonly shown: InboxItem};
type Wanted = Pick<ItemPlace, 'together'>;

/** Caches the facts of a model, which don't change while a person scrolls. */
const known = oncePer((_: Model) => new Map<string, readonly Row[]>());

/** Returns the facts that a person needs to decide an item. */
export const factsOf = (
	context: Facts,
	open: Shown,
	place: Wanted,
	columns: number,
): readonly Row[] => {
	const rows = known(context.model);
	const wanted = `${open.item.id} ${place.together} ${columns}`;
	const facts = rows.get(wanted) ?? makeFacts(context, open, place, columns);
	rows.set(wanted, facts);
	return facts;
};

/** Makes an item's facts: works, results and conflicts have columns, diffs and logs of their own; other items are drawn from the common description. */
const makeFacts = (
	context: Facts,
	{item, shown}: Shown,
	place: Wanted,
	columns: number,
): readonly Row[] => {
	const {model} = context;
	const described = (live: Live = {}) =>
		blockRows(describe(withValues(shown, model.sets ?? {}), live), columns);
	const agent = agentOf(model.state, agentOfItem(item) ?? '');
	const about = () => aboutAgent(model, agent, columns);
	switch (item.kind) {
		case 'plan':
			return described();
		case 'question':
			return questionFacts(model, {item, shown}, place, columns);
		case 'checkpoint':
			return agent === undefined ? [] : checkpointFacts(model, agent, {item, shown}, columns);
		case 'review':
			return agent === undefined ? [] : reviewFacts(model, agent, {item, shown}, columns);
		case 'blocker': {
			const {id, command} = item;
			const tail = command && model.tails[commandLogName(id, command)];
			return [...described({printed: (tail ?? []).slice(1).slice(-20)}), ...about()];
		}

		case 'permission':
			return [
				...section(
					`${item.agent} asks whether it may`,
					quotedExactly(item.title, columns, 'strong'),
				),
				...described(),
				...about(),
			];
		case 'failure':
			return [
				...failureFacts(context, {id: item.agent, why: item.why}, agent, columns),
				...about(),
			];
		case 'conflict':
			return conflictFacts(
				model,
				item,
				described({path: pathToShow(item), mostPlaces: 4}),
				columns,
			);
		case 'verify':
			return verifyFacts(model, item, columns);
		case 'approval':
			return approvalFacts(model, item, shown, columns);
		// Every other kind only has its common description.
		default:
			return [...described(), ...about()];
	}
};

/** Returns a finished agent's report beside git's facts, and what its work omits. */
const reviewFacts = (
	model: Model,
	agent: Agent,
	{item, shown}: {readonly item: ItemOf<'review'>; readonly shown: InboxItem},
	columns: number,
): readonly Row[] => {
	const {report, subtask} = agent;
	const result = {
		about: 'Result',
		says: report?.status ?? agent.why,
		found: endOf(agent) ?? '–',
		tone: 'plain',
	} as const;
	return [
		...section(
			'Open again',
			item.trouble === undefined ? [] : paragraph(item.trouble, columns, 'warn'),
		),
		...noteRows(shown, columns),
		...rivalRows(model, agent.id, columns),
		...fact('Subtask', subtask.subtask, columns, 'strong'),
		...fact('Goal', subtask.goal, columns),
		row(''),
		...claimsTable([result, ...workClaims(model, agent)], columns),
		...workRows(model, agent, columns),
		...outsideRows(agent, columns),
		...updateRows(agent, columns),
	];
};

const failureFacts = (
	context: Facts,
	{id, why}: {readonly id: string; readonly why: string},
	agent: Agent | undefined,
	columns: number,
): readonly Row[] => {
	const {model} = context;
	return [
		...section(`${id} failed`, paragraph(why, columns, 'bad')),
		...blockRows(setupBlocks(setupFailure(model.state, id)), columns),
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
				`${actionKey(context, 'restart-failed-as')} has it start over as a profile that you name; its worktree stays.`,
				columns,
			),
		),
	];
};

/** Returns the report of an agent that failed or succeeded partly. */
const saidRows = (model: Context['model'], agent: Agent, columns: number): readonly Row[] => [
	...(claimsAnything(agent)
		? [...claimsTable(workClaims(model, agent), columns), ...workRows(model, agent, columns)]
		: []),
	...updateRows(agent, columns),
];

const claimsAnything = ({report}: Agent): boolean =>
	report !== undefined && (report.deliverables.length > 0 || report.metrics_achieved !== undefined);

const lastErrorOf = ({turn}: Agent): string | undefined =>
	turn.phase === 'ended' ? turn.lastError : undefined;
