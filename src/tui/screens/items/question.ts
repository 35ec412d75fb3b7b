import type {Model} from '../../../client/model.ts';
import {describe, type Live} from '../../../client/texts/describe.ts';
import {awakeAt, awakeFor} from '../../../events/deadline.ts';
import {elapsedMs, runningText} from '../../../lib/text/duration.ts';
import type {InboxItem} from '../../../rules/inbox.ts';
import type {ItemOf} from '../../../state/item.ts';
import {waitFor} from '../../../state/items/question/wait.ts';
import {agentOf} from '../../../state/select.ts';
import {isLongChoice} from '../../formatting/choice-rows.ts';
import type {ItemPlace} from '../../model/view.ts';
import {blockRows} from '../../rows/block-rows.ts';
import {quotedExactly} from '../../rows/quoted.ts';
import {fact, type Row, section} from '../../rows/row.ts';

/** Returns the question with its reason, and what happens while it is open. */
export const questionFacts = (
	model: Model,
	{item, shown}: {readonly item: ItemOf<'question'>; readonly shown: InboxItem | undefined},
	place: Pick<ItemPlace, 'together'>,
	columns: number,
): readonly Row[] => [
	...blockRows(
		shown === undefined ? [] : describe(shown, questionLive(model, item, place)),
		columns,
	),
	...optionRows(model, item, columns),
];

/** Returns the screen's own facts about a question: running times, and its keys. */
const questionLive = (
	{state, now}: Model,
	item: ItemOf<'question'>,
	{together}: Pick<ItemPlace, 'together'>,
): Live => {
	const wait = waitFor(state, item);
	const left =
		wait.how === 'until' ? Math.max(0, awakeFor(awakeAt(now, state.aheadMs), wait.at)) : undefined;
	return {
		asked: `${runningText(elapsedMs(item.opened, now))} ago`,
		when: left === undefined ? undefined : `for ${runningText(left)} more`,
		severally: 'each marked with Space',
		together: together ? 'your answer is for all of them' : 'a gives your answer to all who ask',
	};
};

/** Returns the subject of a question, and the options that are cut in the list of choices. */
const optionRows = (
	{state}: Model,
	{agent, question}: ItemOf<'question'>,
	columns: number,
): readonly Row[] => [
	...section(
		'Its long options',
		question.options
			.filter(option => isLongChoice(option, columns))
			.flatMap(option => quotedExactly(option, columns)),
	),
	...fact('Works on', agentOf(state, agent)?.subtask.subtask, columns),
];
