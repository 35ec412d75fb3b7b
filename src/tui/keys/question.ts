import type {ItemOf} from '../../state/item.ts';
import {sameQuestions} from '../../state/items/question/answer.ts';
import {itemOf} from '../../state/select.ts';
import {inRecording} from '../model/open-item.ts';
import {type Action, type Context, type Outcome, openPlace} from '../model/view.ts';
import {formOf} from '../screens/form-layout.ts';

/** Returns whether the key shows answers; other items use it for something else. */
const isAtAnswers = ({model, view: {place}}: Context): boolean =>
	place.at !== 'item' || itemOf(model.state, place.item)?.kind === 'question';

const toAnswers = ({view}: Context): Outcome => openPlace(view, {at: 'answers', back: view.place});

const help = 'see all questions of this session and what was answered';

/** Actions that find earlier answers. */
export const answersActions: readonly Action[] = [
	{
		...{name: 'answers', keys: ['h'], label: 'answers'},
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

/** Opens the asking agent's view, after a snapshot of its newest changes. */
const toAgent = (context: Context, show: 'words' | 'work'): Outcome => {
	const {model, view} = context;
	const agent = questionHere(context)?.agent;
	if (agent === undefined) {
		return view;
	}

	const request = {do: 'capture', agent} as const;
	const done = `This is the work of ${agent} as it is now.`;
	return {
		view: openPlace(view, {at: 'agent', agent, show, back: view.place}),
		effects: show === 'work' && model.mode.kind === 'live' ? [{do: 'ask', request, done}] : [],
	};
};

const isAtQuestion = (context: Context): boolean => questionHere(context) !== undefined;

export const questionActions: readonly Action[] = [
	{
		...{name: 'together', keys: ['a'], label: 'for all'},
		help: 'answer all agents that ask the same at once; again: only this one',
		where: ['item', 'questions'],
		when: context =>
			questionsHere(context).some(item => sameQuestions(context.model.state, item).length > 0),
		whyNot: inRecording,
		run: ({view}) => {
			const {place} = view;
			return place.at === 'item' || place.at === 'questions'
				? {...view, place: {...place, together: !place.together}}
				: view;
		},
	},
	{
		...{name: 'doing', keys: ['o'], label: 'agent'},
		help: 'see what the asking agent was doing; going back leads here again',
		where: ['item', 'questions'],
		when: isAtQuestion,
		run: context => toAgent(context, 'words'),
	},
	{
		...{name: 'so-far', keys: ['d'], label: 'diff'},
		help: 'see what the asking agent has changed so far; going back leads here again',
		where: ['item', 'questions'],
		when: isAtQuestion,
		run: context => toAgent(context, 'work'),
	},
];
