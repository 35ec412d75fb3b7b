import type {Model} from '../../../client/model.ts';
import {expectedAnswer} from '../../../client/texts/detail-text.ts';
import {type Awake, awakeAt, awakeFor} from '../../../events/deadline.ts';
import {elapsedMs, formatDuration} from '../../../lib/text/duration.ts';
import type {ItemOf} from '../../../state/item.ts';
import {sameQuestions} from '../../../state/items/question/answer.ts';
import {fileTrouble} from '../../../state/items/question/question.ts';
import {waitFor} from '../../../state/items/question/wait.ts';
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
	const {blockedAt, currentState} = item.workStatus ?? {};
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
			...fact(
				'Expects',
				expectedAnswer(item.question, 'each marked with Space').join(', '),
				columns,
			),
			...fact('Meanwhile', meanwhile(state, item, awakeAt(now, state.aheadMs)), columns),
			...fact('Last answer', item.rejected, columns),
			...fact('Files', fileTrouble(state, item), columns),
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

/** No time that runs out decides anything; it only ends the agent's waiting. */
const meanwhile = (state: State, item: ItemOf<'question'>, now: Awake): string => {
	const wait = waitFor(state, item);
	const parked = 'it is parked, and goes on with your answer whenever you give it';
	switch (wait.how) {
		case 'goes-on':
			return 'the agent goes on without waiting';
		case 'left':
			return 'it left this to you and ended its turn; it goes on with your answer whenever you give it';
		case 'file':
			return 'it looks for your answer in a file, for as long as it chose; your answer counts either way';
		case 'paused':
			return wait.callEnds === undefined
				? 'its clock is stopped: it waits for you as long as you like'
				: `its clock is stopped, but its client ends the call in ${leftUntil(wait.callEnds, now)}; then it is parked, and your answer counts`;
		case 'until':
			return wait.at > now
				? `it waits for ${leftUntil(wait.at, now)} more, then it is parked; your answer counts either way`
				: parked;
		case 'parked':
			return parked;
	}
};

const leftUntil = (at: Awake, now: Awake): string => formatDuration(Math.max(0, awakeFor(now, at)));
