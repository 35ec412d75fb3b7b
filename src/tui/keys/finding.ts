import {byAmount} from '../action.ts';
import {draftOf, emptyDraft} from '../model/draft.ts';
import {listedItems} from '../model/open-item.ts';
import {filterOf, wordsToMark} from '../model/searching.ts';
import {type Action, type Context, type View, withNotice} from '../model/view.ts';
import {foundIn} from '../rows/found.ts';
import {bodyOf, grows, type ScrolledBody, scrollTo} from '../screens/body.ts';

const where = [
	'agent',
	'inbox',
	'item',
	'questions',
	'answers',
	'hunks',
	'log',
	'check',
	'findings',
	'help',
] as const;

const isFinding = ({view}: Pick<Context, 'view'>): boolean => view.find.row !== undefined;

/** Actions that find words in a text or list, or filter by them. */
export const finding: readonly Action[] = [
	{
		...{name: 'find', keys: ['/']},
		help: 'find words; an empty field finds the last ones again',
		where,
		run: ({view}) => ({...view, dialog: {kind: 'search', does: 'find', draft: emptyDraft}}),
	},
	{
		...{name: 'search-words', keys: ['enter'], label: 'look'},
		help: 'go to the first row that holds the words, or show only such rows',
		where: ['searching'],
		run: context => searched(context),
	},
	...byAmount(
		where,
		(context, by: 1 | -1) => toFound(context, by),
		[
			['find-next', ['n'], 'go to the next row that holds the words', 1, 'next match'],
			['find-previous', ['N'], 'go to the previous row that holds the words', -1, 'previous'],
		],
		{when: isFinding},
	),
	{
		...{name: 'filter', keys: ['&'], label: 'filter'},
		help: 'show only what holds all words that you write: an agent, a kind, anything',
		where: ['inbox', 'log', 'answers'],
		run: context => {
			const draft = draftOf(filterOf(context.view));
			return {...context.view, dialog: {kind: 'search', does: 'filter', draft}};
		},
	},
];

/** Goes to the first match of a person's words, or filters by them. */
const searched = (context: Context): View => {
	const {view} = context;
	const {dialog} = view;
	if (dialog.kind !== 'search') {
		return view;
	}

	const stopped: View = {...view, dialog: {kind: 'none'}};
	if (dialog.does === 'filter') {
		return {...stopped, scroll: 0, filters: {...view.filters, [view.place.at]: filterOf(view)}};
	}

	const words = wordsToMark(view) || view.find.words;
	return words === ''
		? withNotice(stopped, 'info', 'There is nothing to search for yet.')
		: toFound({...context, view: {...stopped, find: {words}}}, 0);
};

/** Goes to the next row with the words, from the last one to the first; says so if there is none. */
const toFound = (context: Context, by: 0 | 1 | -1): View => {
	const {view} = context;
	const {words, row: here} = view.find;
	const body = bodyOf(context);
	const found = foundIn(body.rows, words);
	const from = here ?? -1;
	const row =
		by === 0
			? firstIn(found, body, isFollowing(context, body))
			: by > 0
				? (found.find(at => at > from) ?? found[0])
				: (found.findLast(at => at < from) ?? found.at(-1));
	return row === undefined
		? withNotice({...view, find: {words}}, 'warn', `Nothing here holds "${words}".`)
		: toRow(context, body, row);
};

/** Returns the first match: in growing text the last one, elsewhere the next one from the top row. */
const firstIn = (
	found: readonly number[],
	{offset}: ScrolledBody,
	isFollowing: boolean,
): number | undefined =>
	isFollowing ? found.at(-1) : (found.find(at => at >= offset) ?? found[0]);

const isFollowing = ({view}: Context, {offset, last}: ScrolledBody): boolean =>
	grows(view.place) && offset === last;

/** Scrolls only as far as needed to show the row, with some rows above it. */
const toRow = (context: Context, body: ScrolledBody, row: number): View => {
	const {view} = context;
	const at: View = {...view, find: {...view.find, row}};
	if (view.place.at === 'inbox') {
		return {...at, row: listedItems(context)[row]?.id};
	}

	const isInSight = row >= body.offset && row < body.offset + body.height;
	const wanted = Math.min(Math.max(0, row - Math.floor(body.height / 3)), body.last);
	return isInSight ? at : {...at, scroll: scrollTo(view.place, body, wanted)};
};
