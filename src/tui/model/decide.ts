import {whoAnsweredFirst} from '../../client/texts/item-text.ts';
import type {SurfaceChange} from '../../events/finding.ts';
import {sanitize} from '../../lib/text/sanitize.ts';
import {counted, firstOf} from '../../lib/text/words.ts';
import {defined} from '../../lib/values.ts';
import {type Care, careOf, takesWork, type Verb} from '../../rules/commands/choices.ts';
import {readVerb} from '../../rules/commands/read-decision.ts';
import type {InboxItem} from '../../rules/inbox.ts';
import {proposedPattern} from '../../state/agent/allowance.ts';
import {doubtsTold, type Item} from '../../state/item.ts';
import {commandIn} from '../../state/items/blocker.ts';
import {isChecked, optionsOf, sameQuestions} from '../../state/items/question/answer.ts';
import {resultDoubts} from '../../state/merge/checked-result.ts';
import type {Built} from '../../state/merge/merge.ts';
import {itemOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {choiceName, choiceWords} from '../formatting/choice-rows.ts';
import {cut} from '../rows/text.ts';
import {draftOf} from './draft.ts';
import {commentsIn} from './lines.ts';
import {bindingOf, inRecording, type OpenItem, openAt, openItem} from './open-item.ts';
import {doInForm, isAtPlan} from './plan.ts';
import {hunksPlace, rivalIn, toHunks} from './selection.ts';
import {unseen} from './unseen.ts';
import {
	type Context,
	composing,
	confirming,
	type ItemPlace,
	type KeyEffect,
	keptDrafts,
	keptText,
	type Outcome,
	openPlace,
	type Place,
	type QuestionsPlace,
	type View,
	type ViewWithEffects,
	withNotice,
} from './view.ts';
import {offeredBy} from './ways.ts';

/** How a decision is made: without a note, with a note to be written first, or with that note. */
export type Meant = 'bare' | 'with note' | {readonly note: string};

/** Takes a choice of the open item; asks for a note or a confirmation first if it needs one. */
export const decide = (context: Context, choice: string, meant: Meant = 'bare'): Outcome => {
	const {model, view} = context;
	const {place} = view;
	if (place.at !== 'item') {
		return view;
	}

	const open = openItem(model.state, place);
	if (open.freshness !== 'same') {
		return notAsSeen(context, place, open);
	}

	const refused = whyNotTake(context, open.shown, choice);
	if (refused !== undefined) {
		return withNotice(view, 'warn', refused);
	}

	const verb = readVerb(model.state, open.item, choice);
	if (open.item.kind === 'plan' && verb === 'edit') {
		return composing(view, {what: 'plan', item: place.item});
	}

	if (meant === 'bare' && isWrittenInForm(open.item, verb)) {
		return composing(view, {what: 'handed on', item: place.item, choice});
	}

	const rival = meant === 'bare' ? rivalIn(model.state, open.item, choice) : undefined;
	if (rival !== undefined) {
		const {item, from} = place;
		return openPlace(view, hunksPlace('work', {item, rival, from}));
	}

	const note = typeof meant === 'object' ? meant.note : undefined;
	if (
		note === undefined &&
		(meant === 'with note' ||
			needsNote(model.state, open.item, {choice, verb}) ||
			(takesNote(model.state, open.item, choice) && commentsIn(view.drafts[place.item]).length > 0))
	) {
		const first = noteToStartWith(model.state, open.item, verb);
		const keptAs = verb && withOwnNote.includes(verb) ? `${place.item} ${choice}` : place.item;
		const text = keptText(view, keptAs, draftOf(first));
		return {...view, dialog: {kind: 'note', choice, ...text}};
	}

	return confirmed(
		context,
		open.item,
		verb,
		request(model.state, place, open.item, {choice, verb, note}),
	);
};

/** Returns whether a choice opens the form of a subtask, so that a person sees everything that the new agent gets. */
const isWrittenInForm = ({kind}: Item, verb: Verb | undefined): boolean =>
	(kind === 'delegation' && verb === 'edit') || (kind === 'failure' && verb === 'redistribute');

/** Does what the person has confirmed, if the item is unchanged. */
export const confirm = (context: Context): Outcome => {
	const {model, view} = context;
	const {place, dialog} = view;
	if (dialog.kind !== 'confirm') {
		return view;
	}

	const {effect} = dialog;
	if (
		effect.do === 'remove-subtask' ||
		effect.do === 'leave-form' ||
		effect.do === 'leave' ||
		isAtPlan(view)
	) {
		return doInForm(view, effect);
	}

	const open = place.at === 'item' ? openItem(model.state, place) : undefined;
	return place.at === 'hunks'
		? sent({...context, view: openAt(context, place)}, effect)
		: place.at !== 'item' || open === undefined || open.freshness === 'same'
			? sent(context, effect)
			: notAsSeen(context, place, open);
};

/** Says why nothing was done, and updates the item as seen to its current state, with no choice selected; a draft stays. */
const notAsSeen = ({model, view}: Context, place: ItemPlace, open: OpenItem): View => {
	const {dialog} = view;
	if (open.freshness === 'gone') {
		return withNotice(
			dialog.kind === 'confirm' ? {...view, dialog: {kind: 'none'}} : view,
			'warn',
			`${whoAnsweredFirst(model.questions, place.item) ?? `${place.item} is gone: it was decided, or its cause is gone.`} Nothing was done.`,
		);
	}

	const binding = bindingOf(model.state, open.item);
	return withNotice(
		{
			...view,
			place: {...place, binding, cursor: undefined},
			dialog: {kind: 'none'},
			drafts: keptDrafts(view),
		},
		'warn',
		`${place.item} has changed since you opened it. Nothing was done; look again.`,
	);
};

/** Returns the rules' reason why a choice can't be taken; a recording takes none. */
export const whyNotTake = (
	context: Context,
	{choices}: InboxItem,
	choice: string,
): string | undefined => inRecording(context) ?? choices.find(one => one.choice === choice)?.whyNot;

/** A choice as typed, and its verb; no verb if the item does not take it. */
type Taken = {readonly choice: string; readonly verb: Verb | undefined};

/** Returns whether a choice takes a note: comments on lines must not be dropped silently. */
const takesNote = (state: State, item: Item, choice: string): boolean =>
	offeredBy(state, item.id).find(one => one.choice === choice)?.note !== undefined;

const needsNote = (state: State, item: Item, {choice, verb}: Taken): boolean =>
	offeredBy(state, item.id).find(one => one.choice === choice)?.note === 'required' ||
	(item.kind === 'scope' && verb === 'widen') ||
	// An agent that is refused without a reason asks for the same again.
	(item.kind === 'delegation' && verb === 'reject') ||
	// The agent has to know how its requirement was met, not only that it was.
	(item.kind === 'blocker' && item.said?.resume_requirements !== undefined && verb === 'resolved');

/** Verbs whose note is no text for the agent, so that neither is offered as the other: a command, a pattern, globs, a commit message or a subtask. */
const withOwnNote: readonly Verb[] = [
	'run',
	'always',
	'always-all',
	'widen',
	'merge-with',
	'reword',
	'edit',
];

/** Returns whether the person has written something for an item or an agent that is not sent; a proposed note is not theirs. */
export const hasUnsent = (
	{model: {state}, view: {drafts, answers}}: Context,
	id: string,
): boolean => {
	const item = itemOf(state, id);
	const proposed = (key: string): string =>
		item === undefined
			? ''
			: noteToStartWith(state, item, readVerb(state, item, key.slice(`${id} `.length)));
	return (
		(answers[id] ?? '').trim() !== '' ||
		Object.entries(drafts).some(
			([key, {text}]) =>
				`${key} `.startsWith(`${id} `) && text.trim() !== '' && text !== proposed(key),
		)
	);
};

const noteToStartWith = ({merge}: State, item: Item, verb: Verb | undefined): string => {
	if (item.kind === 'approval' && verb === 'reword') {
		return 'built' in merge ? (merge.built.message ?? '').trimEnd() : '';
	}

	if (item.kind === 'scope' && verb === 'widen') {
		return item.paths.join('\n');
	}

	const isLasting = verb === 'always' || verb === 'always-all';
	if (item.kind === 'permission' && item.command !== undefined && isLasting) {
		return proposedPattern(item.command);
	}

	if (item.kind === 'blocker' && verb === 'run') {
		return commandIn(item.said?.resume_requirements ?? item.details) ?? '';
	}

	return item.kind === 'delegation' && verb === 'edit' ? item.task : '';
};

type AskEffect = Extract<KeyEffect, {do: 'ask'}>;

const request = (
	state: State,
	{item, together}: ItemPlace,
	about: Item,
	{choice, verb, note}: Taken & {readonly note: string | undefined},
): AskEffect => {
	const given = {item, choice, ...(note === undefined || note.trim() === '' ? {} : {note})};
	const isAnswer = verb !== 'snooze';
	const also = together && isAnswer ? sameItems(state, item) : [];
	const answers = [given, ...also.map(item => ({...given, item}))];
	return {
		do: 'ask',
		...(isAnswer ? {item} : {}),
		request:
			also.length === 0
				? {do: 'decide', by: 'user', ...given, ...defined({despite: doubtsTold(about)})}
				: {do: 'answer', by: 'user', answers},
		...defined({leadsTo: placeMeanwhile(state, about, {choice, verb})}),
		done:
			verb === 'manual'
				? `${item}: hunk by hunk`
				: `${[item, ...also].join(', ')}: ${beginningOf(wordsOfChoice(state, about, choice))}`,
	};
};

/** Returns the place after a choice: the hunks for a manual resolution; the item itself while files, an answer or a result is checked. */
const placeMeanwhile = (
	{merge}: State,
	item: Item,
	{choice, verb}: Taken,
): AskEffect['leadsTo'] => {
	if (item.kind === 'question' && verb === 'answer') {
		const {question} = item;
		return isChecked(question) && !optionsOf(question).includes(choice) ? 'here' : undefined;
	}

	const isDoubted = item.kind === 'approval' && resultDoubts(merge).length > 0;
	const mayStayOpen = verb === 'done' || (verb === 'approve' && isDoubted);
	return verb === 'manual' ? 'hunks' : mayStayOpen ? 'here' : undefined;
};

const sameItems = (state: State, id: string): readonly string[] => {
	const item = itemOf(state, id);
	return item?.kind === 'question' ? sameQuestions(state, item).map(({id}) => id) : [];
};

/** Returns the name of an offered choice; other words stay as they are. */
export const nameOfChoice = (state: State, item: Item, choice: string): string => {
	const offered = offeredBy(state, item.id).find(one => one.choice === choice);
	return offered === undefined ? choice : choiceName(state, item.kind, offered);
};

/** Returns the label of a choice; an answer is its own. */
const wordsOfChoice = (state: State, {id, kind}: Item, choice: string): string => {
	const offered = offeredBy(state, id).find(one => one.choice === choice);
	return offered === undefined || kind === 'question' ? choice : choiceWords(state, kind, offered);
};

/** Returns the beginning of a choice, since an answer may be a whole page. */
const beginningOf = (choice: string): string => {
	const [first = ''] = choice.split('\n');
	return cut(first === choice ? choice : `${first} …`, 60);
};

/** Questions before choices that end or drop something, since one key is easily pressed. */
const confirmations: Readonly<Record<Care, string | undefined>> = {
	'takes work': undefined,
	ends: 'End this for good? Its work is kept, but will not be merged.',
	drops: 'Drop this work from the result? It is kept.',
	'sets back': 'Set its worktree back? Its later work is kept in a snapshot.',
	none: undefined,
};

/** Makes a decision, or asks first if the person may not have seen what they confirm. */
export const confirmed = (
	context: Context,
	item: Item,
	verb: Verb | undefined,
	effect: AskEffect,
	causes: readonly string[] = [],
): Outcome => {
	const kept = {...context.view, drafts: keptDrafts(context.view)};
	const asked = withText(context.view, effect);
	const second = secondYes(item, [...causes, ...sentencesFor(context, item, verb)]);
	if (second !== undefined) {
		const dialog = {kind: 'confirm', question: second, effect: asked, apart: true} as const;
		return {...kept, dialog};
	}

	const question =
		item.kind === 'plan' && verb === 'reject'
			? 'End this session?'
			: verb && confirmations[careOf[verb]];
	return question === undefined ? sent(context, effect) : confirming(kept, question, asked);
};

/** Returns to the previous place while the supervisor handles the request; from the last item of the inbox to the board. */
export const sent = ({model, view}: Context, effect: KeyEffect): ViewWithEffects => ({
	view: withNotice(
		viewAfter(
			model.state,
			{...view, drafts: keptDrafts(view)},
			effect.do === 'ask' ? effect.leadsTo : undefined,
		),
		'info',
		effect.do === 'ask' ? `${effect.done} …` : '',
	),
	effects: [withText(view, effect)],
});

/** Adds to a request the text that it is made with, so that the grant removes that draft and none that was written since. */
const withText = ({dialog}: View, effect: KeyEffect): KeyEffect =>
	effect.do === 'ask' && 'keptAs' in dialog ? {...effect, draft: dialog.draft} : effect;

const viewAfter = (state: State, view: View, leadsTo: AskEffect['leadsTo']): View => {
	if (leadsTo === 'hunks' && view.place.at === 'item') {
		return toHunks(view, view.place);
	}

	return leadsTo === 'here' ? view : openPlace(view, placeAfter(state, view.place));
};

/** Leaves an item that was kept open until the supervisor had handled the request, once it is decided. */
export const decided = (view: View, state: State, item: string | undefined): View =>
	view.place.at === 'item' && view.place.item === item
		? openPlace(view, placeAfter(state, view.place))
		: view;

const placeAfter = ({items}: State, place: Place): Place =>
	place.at !== 'item' && place.at !== 'questions'
		? place
		: {at: items.some(item => !isAbout(place, item)) ? place.from : 'board'};

const isAbout = (place: ItemPlace | QuestionsPlace, item: Item): boolean =>
	place.at === 'item'
		? item.id === place.item
		: item.kind === 'question' && item.agent === place.agent && item.group === place.group;

/**
Returns the question before a person accepts work or merges a result; nothing if there is no cause.

Causes are surface changes, reasons for which the supervisor held the result up, a failed check, parts of the diff that were never on the screen, and unsent comments that would be lost.
*/
const secondYes = (item: Item, sentences: readonly string[]): string | undefined => {
	const question = item.kind === 'approval' ? 'Merge it with that?' : 'Accept it anyway?';
	return sentences.length === 0 ? undefined : [...sentences, question].join(' ');
};

const sentencesFor = (context: Context, item: Item, verb: Verb | undefined): readonly string[] => {
	const {merge} = context.model.state;
	if (item.kind === 'review' && verb !== undefined && takesWork({verb})) {
		return [...unsent(context, item), ...unseen(context, item)];
	}

	if (item.kind !== 'approval' || verb !== 'approve' || merge.phase !== 'verified') {
		return [];
	}

	return [
		...surfaceSentence(merge.built),
		...(item.doubted ?? []),
		...(merge.verified.ok ? [] : ['Its check FAILED.']),
		...unseen(context, item),
	];
};

const unsent = ({view}: Context, {id}: Item): readonly string[] => {
	const many = commentsIn(view.drafts[id]).length;
	return many === 0 ? [] : [`${counted(many, 'comment')} that you wrote on it would be lost.`];
};

const surfaceSentence = ({surface = []}: Built): readonly string[] => {
	const pathsOf = (kind: SurfaceChange['as']): readonly string[] =>
		surface.flatMap(({as, path}) => (as === kind ? [path] : []));
	const [runs, links, submodules] = [pathsOf('runs'), pathsOf('link'), pathsOf('submodule')];
	const does = [
		...(runs.length === 0 ? [] : [`changes what runs by itself: ${named(runs)}`]),
		...brings(links, 'link'),
		...brings(submodules, 'submodule'),
	];
	return does.length === 0 ? [] : [`This result ${does.join('; and it ')}.`];
};

const brings = (paths: readonly string[], noun: string): readonly string[] =>
	paths.length === 0 ? [] : [`brings ${counted(paths.length, noun)}: ${named(paths)}`];

const named = (paths: readonly string[]): string => firstOf(paths.map(shortened), mostNamed);

/** Maximum number of names that fit into the smallest screen; all are listed above the question. */
const mostNamed = 3;

/** Shortens a path at its start, since its end says more. */
const shortened = (path: string): string => {
	const characters = [...sanitize(path)];
	return characters.length <= longestName
		? characters.join('')
		: `…${characters.slice(1 - longestName).join('')}`;
};

/** Maximum length of a path, in characters. */
const longestName = 40;
