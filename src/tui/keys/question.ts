import {whyNotClock} from '../../rules/commands/why-not-clock.ts';
import type {ItemOf} from '../../state/item.ts';
import {type ClockChange, clockWords, pausedSince} from '../../state/items/question-clock.ts';
import {sameQuestions} from '../../state/items/same-question.ts';
import type {State} from '../../state/state.ts';
import type {Action} from '../action.ts';
import {decide, whyNotDecide} from '../model/decide.ts';
import {openItem} from '../model/open-item.ts';
import {type Context, type ItemPlace, type Outcome, only} from '../model/view.ts';

type AtQuestion = {readonly place: ItemPlace; readonly item: ItemOf<'question'>};

const questionHere = ({model, view}: Context): AtQuestion | undefined => {
	const {place} = view;
	const open = place.at === 'item' ? openItem(model.state, place) : undefined;
	return place.at === 'item' && open?.standing !== 'gone' && open?.item.kind === 'question'
		? {place, item: open.item}
		: undefined;
};

const clockWanted = (state: State, item: ItemOf<'question'>): ClockChange =>
	pausedSince(state, item) === undefined ? 'paused' : 'going';

const whyNotTurn = (context: Context): string | undefined => {
	const {state} = context.model;
	const item = questionHere(context)?.item;
	return whyNotDecide(context) ?? (item && whyNotClock(state, item, clockWanted(state, item)));
};

const turnClock = (context: Context): Outcome => {
	const item = questionHere(context)?.item;
	return item === undefined
		? only(context.view)
		: decide(context, clockWords[clockWanted(context.model.state, item)]);
};

/** What a person does at a question besides answering it. */
export const questionActions: readonly Action[] = [
	{
		name: 'together',
		keys: ['a'],
		label: 'for all who ask it',
		help: 'answer all agents that ask the same at once; again: only this one',
		where: ['item'],
		when: context => {
			const here = questionHere(context);
			return here !== undefined && sameQuestions(context.model.state, here.item).length > 0;
		},
		whyNot: whyNotDecide,
		run: context => {
			const place = questionHere(context)?.place;
			return only(
				place === undefined
					? context.view
					: {...context.view, place: {...place, together: !place.together}},
			);
		},
	},
	{
		name: 'clock',
		keys: ['p', 'ctrl+p'],
		label: 'stop the clock',
		help: 'stop the clock that would park the agent while you think; again: let it go on',
		where: ['item'],
		when: context => questionHere(context) !== undefined,
		whyNot: whyNotTurn,
		run: turnClock,
	},
	{
		name: 'clock-while-writing',
		keys: ['ctrl+p'],
		label: 'stop the clock',
		help: 'stop the clock that would park the agent while you write; again: let it go on',
		where: ['writing'],
		when: context => questionHere(context) !== undefined,
		whyNot: whyNotTurn,
		run: turnClock,
	},
];
