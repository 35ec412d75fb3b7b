import {whyNotClock} from '../../rules/commands/why-not-clock.ts';
import type {ItemOf} from '../../state/item.ts';
import {sameQuestions} from '../../state/items/question/answer.ts';
import {type ClockChange, clockWords, pausedSince} from '../../state/items/question/wait.ts';
import {itemOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {sent} from '../model/decide.ts';
import {inRecording} from '../model/open-item.ts';
import {type Action, type Context, type Outcome, only, openPlace} from '../model/view.ts';
import {formOf} from '../screens/form-layout.ts';

/** Other items have another use for the key. */
const isAtAnswers = ({model, view: {place}}: Context): boolean =>
	place.at !== 'item' || itemOf(model.state, place.item)?.kind === 'question';

const toAnswers = ({view}: Context): Outcome =>
	only(openPlace(view, {at: 'answers', back: view.place}));

const help = 'see all questions of this session and what was answered';

/** How to find what was answered before. */
export const answersActions: readonly Action[] = [
	{
		name: 'answers',
		keys: ['h'],
		label: 'answers',
		help,
		where: ['item', 'questions'],
		when: isAtAnswers,
		run: toAnswers,
	},
	{name: 'all-answers', keys: ['h'], help, where: ['board', 'inbox', 'log'], run: toAnswers},
];

const questionHere = ({model, view}: Context): ItemOf<'question'> | undefined => {
	const {place} = view;
	const id = place.at === 'item' || place.at === 'questions' ? place.item : undefined;
	const item = itemOf(model.state, id ?? '');
	return item?.kind === 'question' ? item : undefined;
};

const questionsHere = (context: Context): readonly ItemOf<'question'>[] => {
	const item = questionHere(context);
	return formOf(context)?.questions ?? (item === undefined ? [] : [item]);
};

const clockWanted = (state: State, item: ItemOf<'question'>): ClockChange =>
	pausedSince(state, item) === undefined ? 'paused' : 'going';

const whyNotTurn = (context: Context): string | undefined => {
	const {state} = context.model;
	const item = questionHere(context);
	return inRecording(context) ?? (item && whyNotClock(state, item, clockWanted(state, item)));
};

/** Stops the clock of the question that the person is at, or lets it go on; they stay there. */
export const turnClock = (context: Context): Outcome => {
	const item = questionHere(context);
	if (item === undefined) {
		return only(context.view);
	}

	const choice = clockWords[clockWanted(context.model.state, item)];
	const request = {do: 'decide', item: item.id, choice, by: 'user'} as const;
	return sent(context, {do: 'ask', request, leadsTo: 'here', done: `${item.id}: ${choice}`});
};

/** What to look at while thinking; what its agent has just written is pinned for it first. */
const toAgent = (context: Context, show: 'words' | 'work'): Outcome => {
	const {model, view} = context;
	const agent = questionHere(context)?.agent;
	if (agent === undefined) {
		return only(view);
	}

	const request = {do: 'capture', agent} as const;
	const done = `This is the work of ${agent} as it is now.`;
	return {
		view: openPlace(view, {at: 'agent', agent, show, back: view.place}),
		effects: show === 'work' && model.mode.kind === 'live' ? [{do: 'ask', request, done}] : [],
	};
};

const isAtQuestion = (context: Context): boolean => questionHere(context) !== undefined;

/** What a person does at a question besides answering it. */
export const questionActions: readonly Action[] = [
	{
		name: 'together',
		keys: ['a'],
		label: 'for all',
		help: 'answer all agents that ask the same at once; again: only this one',
		where: ['item', 'questions'],
		when: context =>
			questionsHere(context).some(item => sameQuestions(context.model.state, item).length > 0),
		whyNot: inRecording,
		run: ({view}) => {
			const {place} = view;
			return only(
				place.at === 'item' || place.at === 'questions'
					? {...view, place: {...place, together: !place.together}}
					: view,
			);
		},
	},
	{
		name: 'doing',
		keys: ['o'],
		label: 'agent',
		help: 'see what the agent that asks was doing; going back leads here again',
		where: ['item', 'questions'],
		when: isAtQuestion,
		run: context => toAgent(context, 'words'),
	},
	{
		name: 'so-far',
		keys: ['d'],
		label: 'diff',
		help: 'see what the agent that asks has changed so far; going back leads here again',
		where: ['item', 'questions'],
		when: isAtQuestion,
		run: context => toAgent(context, 'work'),
	},
	{
		name: 'clock',
		keys: ['p', 'ctrl+p'],
		label: 'clock',
		help: 'stop the clock that would pause the agent while you think; again: let it go on',
		where: ['item', 'questions'],
		when: isAtQuestion,
		whyNot: whyNotTurn,
		run: turnClock,
	},
	{
		name: 'clock-while-writing',
		keys: ['ctrl+p'],
		label: 'stop the clock',
		help: 'stop the clock that would pause the agent while you write; again: let it go on',
		where: ['writing'],
		when: context => questionHere(context) !== undefined && whyNotTurn(context) === undefined,
		run: turnClock,
	},
];
