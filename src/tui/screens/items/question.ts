import type {Model} from '../../../client/model.ts';
import {formatDuration} from '../../../lib/text/duration.ts';
import {elapsedMs} from '../../../lib/time.ts';
import type {ItemOf} from '../../../state/item.ts';
import {pausedSince} from '../../../state/items/question-clock.ts';
import {sameQuestions} from '../../../state/items/same-question.ts';
import {agentOf} from '../../../state/select.ts';
import type {State} from '../../../state/state.ts';
import {isLongChoice} from '../../formatting/choice-rows.ts';
import type {ItemPlace} from '../../model/view.ts';
import {quoted, quotedExactly} from '../../rows/quoted.ts';
import {fact, paragraph, type Row, section} from '../../rows/row.ts';

/** What is asked and why, and what happens while nobody answers. */
export const questionFacts = (
	{state, now}: Model,
	item: ItemOf<'question'>,
	{together}: Pick<ItemPlace, 'together'>,
	columns: number,
): readonly Row[] => {
	const {question, agent: id} = item;
	const agent = agentOf(state, id);
	const {blockedAt, currentState} = item.stood ?? {};
	return [
		...section(
			`${id} asks${question.urgent === true ? ', and calls it urgent' : ''}`,
			quoted(question.question, columns, 'strong'),
		),
		...sameRows(sameQuestions(state, item), together, columns),
		...section('Why', question.context === undefined ? [] : quoted(question.context, columns)),
		...section('So far', currentState === undefined ? [] : quoted(currentState, columns)),
		...section(
			'Its long options',
			question.options
				.filter(option => isLongChoice(option, columns))
				.flatMap(option => quotedExactly(option, columns)),
		),
		...section('About this question', [
			...fact('Works on', agent?.subtask.subtask, columns),
			...fact('Stopped at', blockedAt, columns),
			...fact('Expects', expected(item), columns),
			...fact('Meanwhile', meanwhile(state, item, now), columns),
			...fact('Last answer', item.rejected, columns),
			...fact('Asked', `${formatDuration(elapsedMs(item.opened, now))} ago`, columns),
		]),
	];
};

/** Each of them gets the answer for itself; without a word of the person nobody does. */
const sameRows = (
	same: readonly ItemOf<'question'>[],
	together: boolean,
	columns: number,
): readonly Row[] => {
	const who = same.map(({agent, id}) => `${agent} (${id})`).join(', ');
	return same.length === 0
		? []
		: together
			? paragraph(`Your answer is for ${who}, too.`, columns, 'good')
			: paragraph(
					`${who} ${same.length === 1 ? 'asks' : 'ask'} the same; a gives your answer to all who do.`,
					columns,
					'info',
				);
};

const expected = ({question}: ItemOf<'question'>): string | undefined => {
	const {type, pattern, multi, required} = question;
	const words = [
		type === undefined || type === 'choice'
			? undefined
			: `a ${type === 'yes-no' ? 'yes or no' : type}`,
		pattern === undefined ? undefined : `that matches ${pattern}`,
		multi ? 'one or several options' : undefined,
		required ? undefined : 'an answer only if you have one',
	].filter(word => word !== undefined);
	return words.length === 0 ? undefined : words.join(', ');
};

/** No time that runs out decides anything; it only ends the agent's waiting. */
const meanwhile = (state: State, item: ItemOf<'question'>, now: string): string => {
	const {agent: id, holds, deadline, escalated} = item;
	const agent = agentOf(state, id);
	if (!holds) {
		return 'the agent goes on without waiting';
	}

	if (escalated) {
		return 'it left this to you and ended its turn; it goes on with your answer whenever you give it';
	}

	const until = agent?.listening.find(({items}) => items.includes(item.id))?.until;
	if (pausedSince(state, item) !== undefined) {
		return until === undefined
			? 'its clock is stopped: it waits for you as long as you like'
			: `its clock is stopped, but its client ends the call in ${formatDuration(Math.max(0, elapsedMs(now, until)))}; then it is parked, and your answer counts`;
	}

	const leftMs = elapsedMs(now, until ?? deadline);
	return leftMs > 0 && agent?.turn.phase === 'live'
		? `it waits for ${formatDuration(leftMs)} more, then it is parked; your answer counts either way`
		: 'it is parked, and goes on with your answer whenever you give it';
};
