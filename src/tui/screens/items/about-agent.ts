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
import {stateSpan} from '../../formatting/agent-look.ts';
import {spoken} from '../../formatting/spoken.ts';
import type {Context, ItemPlace} from '../../model/view.ts';
import {blockRows} from '../../rows/block-rows.ts';
import {diffRows} from '../../rows/diff-rows.ts';
import {quoted} from '../../rows/quoted.ts';
import {fact, paragraph, type Row, section} from '../../rows/row.ts';
import {foundFiles, outsideRows} from './work/claims.ts';
import {resourceOf, workedText} from './work/work.ts';

/** Returns facts about an item's agent, including its last words. */
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

export const taskFacts = ({state, now}: Model, agent: Agent, columns: number): readonly Row[] => [
	...fact('Subtask', agent.subtask.subtask, columns),
	...fact('Goal', agent.subtask.goal, columns),
	...blockRows([{block: 'facts', facts: scopeFacts(agent.subtask)}], columns),
	...fact('State', stateText(state, agent, now), columns),
];

/** Returns an agent's state with its reason, but not the reason why it runs: the state itself says more. */
const stateText = (state: State, agent: Agent, now: string): string => {
	const words = stateSpan(state, agent).text.slice(2);
	const why = whyOf(state, agent, thisMoment(now));
	return agent.state === 'RUNNING' && why === agent.why ? words : `${words}: ${why}`;
};

/** Returns the end of an agent's last turn, in words; nothing during a turn. */
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

/** Returns an agent's reports on its work besides files and criteria. */
export const updateRows = (agent: Agent, columns: number): readonly Row[] =>
	blockRows(updateBlocks(reportDetail(agent)), columns);

/** A snapshot to which a worktree would be restored. */
export type SetBack = {readonly agent: string; readonly snapshot: number};

/** Returns the restore of the selected choice, if it is one. */
export const setBackInSight = (
	state: State,
	item: Item,
	{cursor}: Pick<ItemPlace, 'cursor'>,
): SetBack | undefined => {
	const snapshot = snapshotsOf(state, item)[cursor ?? -1];
	return snapshot === undefined || !('agent' in item) ? undefined : {agent: item.agent, snapshot};
};

export const snapshotsOf = (state: State, item: Item): readonly (number | undefined)[] =>
	kindOf<Kind>(item)
		.offers(state, item)
		.map(({choice}) => ('snapshot' in choice ? choice.snapshot : undefined));

/** Returns the resource with the changes that a restore would make. */
export const setBackKey = (state: State, {agent: id, snapshot}: SetBack): ResourceKey => {
	const agent = agentOf(state, id);
	return {
		what: {of: 'restore', agent: id, snapshot},
		state: String((agent && lastSnapshot(agent)?.number) ?? 0),
	};
};

/** Returns the changes that the selected choice would make in a worktree, before it is taken. */
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
