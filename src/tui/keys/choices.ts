import type {Verb} from '../../rules/commands/choices.ts';
import type {InboxItem} from '../../rules/inbox.ts';
import type {ItemOf} from '../../state/item.ts';
import {optionsOf} from '../../state/items/question/answer.ts';
import {byAmount, numbered} from '../action.ts';
import {decide, whyNotTake} from '../model/decide.ts';
import {inRecording, type OpenItem, openItem} from '../model/open-item.ts';
import {
	type Action,
	type Context,
	type ItemPlace,
	keptText,
	type Outcome,
	withEffects,
	withNotice,
} from '../model/view.ts';
import {offeredBy, shownOrder, waysOf} from '../model/ways.ts';
import {formOf} from '../screens/form-layout.ts';
import {countOf, putOff, takeOption, toOption, turnedMark} from './form.ts';

/** Key of each verb that items offer; the same verb has the same key in all items. A key selects the choice, and only Enter or a yes takes it, so that a slip decides nothing. */
const verbs = [
	['approve', 'y', 'say yes to it: start the plan, add the agent, merge the result'],
	['reject', 'n', 'say no to it'],
	['edit', 'e', 'edit the proposal'],
	['reword', 'e', 'write the commit message of the merge'],
	['types', 't', 'check types beyond the limit'],
	['continue', 'c', 'let the agent go on'],
	['merge', 'm', 'include its work in the result'],
	['merge-now', 'M', 'include its work, and merge it without waiting for the others'],
	['merge-with', 'w', 'take it with files or hunks that you pick from a rival'],
	['help', 'h', 'let it go on with advice that you write'],
	['feedback', 'f', 'send it back with a note that you write'],
	['feedback-all', 'F', 'send all agents back with a note that you write'],
	['run', 'x', 'run a command for a blocked agent, in its worktree'],
	['cancel', 'x', 'end the command that runs for it'],
	['resolved', 'r', 'say that the blocker is gone'],
	['retry', 't', 'try again'],
	['login', 'l', 'have it log in, and try again'],
	['skip', 's', 'skip the blocked part'],
	['delegate', 'd', 'give the blocked part to another agent'],
	['delegate-wait', 'w', 'give the blocked part to another agent and wait for its work'],
	['once', 'o', 'allow it this once'],
	['always', 's', 'allow such commands for the rest of the session'],
	['always-all', 'S', 'allow every agent such commands for the rest of the session'],
	['open', 'o', 'let it reach what it was denied, from its next start on'],
	['session', 's', 'let it reach what it was denied, for the rest of the session'],
	['widen', 'w', 'add to its scope'],
	['refuse', 'n', 'refuse it'],
	['extend', 'x', 'extend its limit by the same amount'],
	['complete', 'c', 'take its work as finished'],
	['salvage', 'm', 'merge its work from before it failed'],
	['redistribute', 'd', 'drop its work and give its subtask to a new agent'],
	['abandon', 'a', 'drop its work from the result; it is kept'],
	['manual', 'm', 'resolve the conflict by hand, hunk by hunk or in a folder'],
	['done', 'd', 'take the file as it is in the resolution folder'],
	['accept', 'c', 'go on although the check failed, or something breaks'],
	['abort', 'a', 'end it; the work is kept'],
] as const satisfies readonly (readonly [Verb, string, string])[];

const stand = ({model, view}: Context): OpenItem =>
	view.place.at === 'item' ? openItem(model.state, view.place) : {freshness: 'gone'};

/** Returns the only choice with a verb; if several have it, each has a number as its key. */
const offered = (context: Context, wanted: Verb): string | undefined => {
	const open = stand(context);
	if (open.freshness === 'gone' || open.item.kind === 'question') {
		return undefined;
	}

	const fitting = offeredBy(context.model.state, open.item.id).filter(({verb}) => verb === wanted);
	return fitting.length === 1 ? fitting[0]?.choice : undefined;
};

const verbActions = verbs.map(
	([verb, key, help]): Action => ({
		name: verb,
		keys: [key],
		label: verb,
		help,
		where: ['item'],
		when: context => offered(context, verb) !== undefined,
		whyNot: context => {
			const open = stand(context);
			return open.freshness === 'same'
				? whyNotTake(context, open.shown, offered(context, verb) ?? verb)
				: undefined;
		},
		run: context => lead(context, offered(context, verb) ?? verb),
	}),
);

/** Selects a choice and opens its note, form or confirmation. A choice that could be taken at once still needs Enter. */
const lead = (context: Context, choice: string): Outcome => {
	const {view} = context;
	const open = stand(context);
	if (view.place.at !== 'item' || open.freshness === 'gone') {
		return decide(context, choice);
	}

	const cursor = open.shown.choices.findIndex(one => one.choice === choice);
	const there = {...view, place: {...view.place, cursor}};
	const outcome = decide({...context, view: there}, choice);
	return withEffects(outcome).effects.some(effect => effect.do === 'ask') ? there : outcome;
};

const atItem = (
	context: Context,
	act: (place: ItemPlace, open: Exclude<OpenItem, {freshness: 'gone'}>) => Outcome,
): Outcome => {
	const {place} = context.view;
	const open = stand(context);
	return place.at === 'item' && open.freshness !== 'gone' ? act(place, open) : decide(context, '');
};

const hint = ({view}: Context, text: string): Outcome => withNotice(view, 'info', text);

const isThere = (context: Context): boolean => stand(context).freshness !== 'gone';

const takesSeveral = (context: Context): boolean => questionOf(context)?.multi === true;

const questionOf = (context: Context): ItemOf<'question'>['question'] | undefined => {
	const open = stand(context);
	const item = open.freshness === 'gone' ? formOf(context)?.here : open.item;
	return item?.kind === 'question' ? item.question : undefined;
};

const isAtForm = ({view}: Context): boolean => view.place.at === 'questions';

/** Selects a choice of an item, or an option of a question in a form. */
const toChoice = ({view}: Context, cursor: number | undefined): Outcome =>
	(view.place.at === 'item' || view.place.at === 'questions') && cursor !== undefined
		? {...view, place: {...view.place, cursor}}
		: view;

/** Selects the first choice with a number, and then the next one. */
const toWay = (context: Context, {id}: InboxItem, number: number): Outcome => {
	const {place} = context.view;
	const choices = waysOf(context.model.state, id)[number - 1]?.choices ?? [];
	const cursor = place.at === 'item' || place.at === 'questions' ? place.cursor : undefined;
	const next = choices[(choices.indexOf(cursor ?? -1) + 1) % choices.length];
	return toChoice(context, next);
};

const where = ['item', 'questions'] as const;

/** Actions on the choices of the open item. */
export const choiceActions: readonly Action[] = [
	...verbActions,
	{
		name: 'gone',
		keys: [...verbs.map(([, key]) => key), 'tab', 'enter', 'z'],
		help: 'say that the item is gone',
		where: ['item'],
		when: context => stand(context).freshness === 'gone',
		run: context => decide(context, ''),
	},
	...byAmount(where, (context, by: 1 | -1) => move(context, by), [
		['choose-next', ['down'], 'go to the next choice', 1],
		['choose-previous', ['up'], 'go to the previous choice', -1],
	]),
	...numbered('choose', number => ({
		help: `go to choice ${number}; at a conflict, again: to the next of its kind`,
		where,
		when: context => !isAtForm(context) || number <= countOf(formOf(context)),
		run: context => {
			const open = stand(context);
			const shown = open.freshness === 'gone' ? formOf(context)?.shown : open.shown;
			return shown === undefined ? decide(context, '') : toWay(context, shown, number);
		},
	})),
	{
		...{name: 'mark', keys: ['space'], label: 'mark'},
		help: 'mark an option of a question that takes several',
		where,
		when: takesSeveral,
		whyNot: inRecording,
		run: context => {
			const {view} = context;
			const {place} = view;
			const question = questionOf(context);
			if (question === undefined || (place.at !== 'item' && place.at !== 'questions')) {
				return decide(context, '');
			}

			const option = optionsOf(question)[place.cursor ?? -1];
			const marked = option === undefined ? place.marked : turnedMark(place.marked, option);
			return {...view, place: {...place, marked}};
		},
	},
	{
		...{name: 'take', keys: ['enter'], label: 'take it'},
		help: 'take the selected choice; at the end of several questions, give all answers',
		where,
		when: context => isAtForm(context) || isThere(context),
		whyNot: inRecording,
		run: context =>
			isAtForm(context)
				? takeOption(context)
				: atItem(context, (place, {shown}) => {
						const choice = shown.choices[place.cursor ?? -1]?.choice;
						return place.marked.length > 0
							? decide(context, place.marked.join(', '))
							: choice === undefined
								? hint(context, 'Go to a choice first, by its key or with ↑ and ↓.')
								: decide(context, choice);
					}),
	},
	{
		...{name: 'note', keys: ['tab'], label: 'add note'},
		help: 'write a note that goes with the selected choice',
		where: ['item'],
		when: context => {
			const open = stand(context);
			return (
				open.freshness !== 'gone' &&
				offeredBy(context.model.state, open.item.id).some(({note}) => note !== undefined)
			);
		},
		whyNot: inRecording,
		run: context =>
			atItem(context, (place, {shown}) => {
				const choice = shown.choices[place.cursor ?? -1]?.choice;
				return choice === undefined
					? hint(context, 'Go to the choice that the note is for first, with ↑ and ↓.')
					: decide(context, choice, 'with note');
			}),
	},
	{
		...{name: 'write', keys: ['tab'], label: 'write an answer'},
		help: 'write an answer of your own',
		where: ['item'],
		when: context => {
			const open = stand(context);
			return open.freshness !== 'gone' && open.shown.free;
		},
		whyNot: inRecording,
		run: context =>
			atItem(context, place => ({
				...context.view,
				dialog: {kind: 'answer', ...keptText(context.view, place.item)},
			})),
	},
];

export const snoozing: readonly Action[] = [
	{
		...{name: 'snooze', keys: ['z'], label: 'snooze it'},
		help: 'snooze it, or all questions of a form: it moves to the end of the queue',
		where,
		when: context => isAtForm(context) || isThere(context),
		whyNot: inRecording,
		run: context => (isAtForm(context) ? putOff(context) : decide(context, 'snooze')),
	},
];

const move = (context: Context, by: 1 | -1): Outcome =>
	isAtForm(context)
		? toOption(context, by)
		: atItem(context, ({item, cursor}) => {
				const order = shownOrder(context.model.state, item);
				const from = cursor === undefined ? (by > 0 ? -1 : order.length) : order.indexOf(cursor);
				return toChoice(context, order[Math.min(Math.max(0, from + by), order.length - 1)]);
			});
