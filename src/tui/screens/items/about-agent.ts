import type {Model} from '../../../client/model.ts';
import type {ResourceKey} from '../../../client/resources/resources.ts';
import {updateBlocks} from '../../../client/texts/describe.ts';
import {scopeFacts} from '../../../client/texts/plan-text.ts';
import type {TurnEnd} from '../../../events/event.ts';
import {thisMoment} from '../../../lib/this-moment.ts';
import {whyOf} from '../../../rules/limit-wait.ts';
import {type Agent, lastSnapshot} from '../../../state/agent/agent.ts';
import type {Item, Kind} from '../../../state/item.ts';
import {reportDetail} from '../../../state/items/work-detail.ts';
import {kindOf} from '../../../state/items.ts';
import {agentOf} from '../../../state/select.ts';
import type {State} from '../../../state/state.ts';
import {spoken} from '../../formatting/spoken.ts';
import type {Context, ItemPlace} from '../../model/view.ts';
import {blockRows} from '../../rows/block-rows.ts';
import {diffRows} from '../../rows/diff-rows.ts';
import {quoted} from '../../rows/quoted.ts';
import {fact, paragraph, type Row, section} from '../../rows/row.ts';
import {foundFiles, outsideRows} from './work/claims.ts';
import {resourceOf, workedText} from './work/work.ts';

/** What is known of the agent that an item is about, its last words included. */
export const aboutAgent = (
	model: Model,
	agent: Agent | undefined,
	columns: number,
): readonly Row[] => {
	if (agent === undefined) {
		return [];
	}

	return [
		...section(agent.id, [
			...taskFacts(model, agent, columns),
			...fact('Has worked', workedText(agent, model), columns),
			...fact('Changed', foundFiles(model, agent), columns),
		]),
		...outsideRows(agent, columns),
		...section(
			'Its last words',
			spoken(model.tails[agent.id] ?? [], 'reported here')
				.slice(-8)
				.flatMap(({text}) => quoted(text, columns, 'dim')),
		),
	];
};

/** Returns what an agent is to do and may do, and where it stands. */
export const taskFacts = ({state, now}: Model, agent: Agent, columns: number): readonly Row[] => [
	...fact('Subtask', agent.subtask.subtask, columns),
	...fact('Goal', agent.subtask.goal, columns),
	...blockRows([{block: 'facts', facts: scopeFacts(agent.subtask)}], columns),
	...fact('State', `${agent.state}: ${whyOf(state, agent, thisMoment(now))}`, columns),
];

/** Returns how an agent's last turn ended, in words; nothing while it has not. */
export const endOf = ({turn}: Agent): string | undefined =>
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

/** Returns what an agent said of its work besides the files and what it is measured by. */
export const updateRows = (agent: Agent, columns: number): readonly Row[] =>
	blockRows(updateBlocks(reportDetail(agent)), columns);

/** A snapshot that a worktree would be set back to. */
export type SetBack = {readonly agent: string; readonly snapshot: number};

/** Returns what the choice that a person has gone to would set back; nothing where it sets nothing back. */
export const setBackInSight = (
	state: State,
	item: Item,
	{cursor}: Pick<ItemPlace, 'cursor'>,
): SetBack | undefined => {
	const snapshot = snapshotsOf(state, item)[cursor ?? -1];
	return snapshot === undefined || !('agent' in item) ? undefined : {agent: item.agent, snapshot};
};

/** Returns for each choice of an item the snapshot that it sets the worktree back to, if it does. */
export const snapshotsOf = (state: State, item: Item): readonly (number | undefined)[] =>
	kindOf<Kind>(item)
		.offers(state, item)
		.map(({choice}) => ('snapshot' in choice ? choice.snapshot : undefined));

/** Returns the resource with what would change in the worktree. */
export const setBackKey = (state: State, {agent: id, snapshot}: SetBack): ResourceKey => {
	const agent = agentOf(state, id);
	return {
		what: {of: 'restore', agent: id, snapshot},
		state: String((agent && lastSnapshot(agent)?.number) ?? 0),
	};
};

/** What would change in a worktree by the choice that the person has gone to, before anything is decided. */
export const setBackRows = (
	{model}: Context,
	item: Item,
	place: ItemPlace,
	columns: number,
): readonly Row[] => {
	const wanted = setBackInSight(model.state, item, place);
	return wanted === undefined
		? paragraph(
				'Go to a choice that sets the worktree back to see what it changes.',
				columns,
				'dim',
			)
		: section(
				`The worktree of ${wanted.agent} after it is set back to snapshot ${wanted.snapshot}`,
				diffRows(resourceOf(model, setBackKey(model.state, wanted)), {columns}).slice(),
			);
};
