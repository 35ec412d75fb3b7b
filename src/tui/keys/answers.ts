import {itemOf} from '../../state/select.ts';
import type {Action} from '../action.ts';
import {draftOf} from '../model/draft.ts';
import {type Context, go, type Outcome, only} from '../model/view.ts';

/** Other items have another use for the key. */
const isAtQuestion = ({model, view: {place}}: Context): boolean =>
	place.at !== 'item' || itemOf(model.state, place.item)?.kind === 'question';

const toAnswers = ({view}: Context): Outcome =>
	only(go(view, {at: 'answers', search: '', back: view.place}));

const help = 'see all questions of this session and what was answered';

/** How to find what was answered before. */
export const answersActions: readonly Action[] = [
	{
		name: 'answers',
		keys: ['h'],
		label: 'answers',
		help,
		where: ['item', 'questions'],
		when: isAtQuestion,
		run: toAnswers,
	},
	{name: 'all-answers', keys: ['h'], help, where: ['board', 'inbox', 'log'], run: toAnswers},
	{
		name: 'search',
		keys: ['/'],
		label: 'search',
		help: 'show only what holds the words that you write',
		where: ['answers'],
		run: ({view}) =>
			only(
				view.place.at === 'answers'
					? {...view, dialog: {kind: 'search', draft: draftOf(view.place.search)}}
					: view,
			),
	},
];
