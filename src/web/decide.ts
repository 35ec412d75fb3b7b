import {type Ask, doubtsIn} from '../client/supervisor/request-within.ts';
import {whoAnsweredFirst} from '../client/texts/item-text.ts';
import {asFailure} from '../lib/failure.ts';
import {defined} from '../lib/values.ts';
import {whyGone} from '../rules/commands/why-not.ts';
import {inbox} from '../rules/inbox.ts';
import {doubtsTold, type ItemOf} from '../state/item.ts';
import {doubtedText} from '../state/items/conflict/resolved.ts';
import {optionsOf, sameQuestions} from '../state/items/question/answer.ts';
import {snoozeWord} from '../state/items.ts';
import {itemOf} from '../state/select.ts';
import type {State} from '../state/state.ts';
import {decidable} from './page/question-forms.ts';
import type {PageView} from './page/view.ts';

type Outcome = {readonly item: string; readonly ok: boolean; readonly text: string};

/** Sends the decisions of a form to the supervisor, and returns the outcome of each item; empty fields are ignored. */
export const decideForm = async (
	view: () => PageView,
	form: URLSearchParams,
	ask: Ask,
): Promise<readonly Outcome[]> => {
	const outcomes: Outcome[] = [];
	for (const one of readForm(view(), form)) {
		outcomes.push(...('ok' in one ? [one] : await outcomeOf(view, form, one, ask)));
	}

	return outcomes;
};

const outcomeOf = async (
	view: () => PageView,
	form: URLSearchParams,
	{also = [], label, ...decision}: FormDecision,
	ask: Ask,
): Promise<readonly Outcome[]> => {
	const {item, choice} = decision;
	const all = [decision, ...also.map(other => ({...decision, item: other}))];
	try {
		const answer = await ask(
			all.length === 1
				? {do: 'decide', ...decision, by: 'web'}
				: {do: 'answer', answers: all, by: 'web'},
		);
		const doubts = doubtsIn(answer);
		return doubts === undefined
			? all.map(({item, choice}) => ({item, ok: true, text: `${item}: ${choice}`}))
			: [refused(item, doubtedText({choice, doubts}, `choose "${label}" again`))];
	} catch (error) {
		return [refused(item, whyRefused(view(), form, item, error))];
	}
};

const refused = (item: string, text: string): Outcome => ({item, ok: false, text});

/** Returns the reason of a refusal: for a late decision, who decided first. Hints about commands are left out, except for trouble of the machine. */
const whyRefused = (
	view: PageView,
	form: URLSearchParams,
	item: string,
	error: unknown,
): string => {
	const {kind, message, hint} = asFailure(error);
	if (kind === 'refused' && itemOf(view.session.state, item) === undefined) {
		return whyGoneHere(view, item, form.get('session'));
	}

	return hint === undefined || kind === 'refused' ? message : `${message} (${hint})`;
};

/** A form's decision on one item. */
type FormDecision = {
	readonly item: string;
	readonly choice: string;
	readonly note?: string;
	readonly label?: string;
	/** Doubts that the page showed. */
	readonly despite?: readonly string[];
	/** Questions of other agents that get the same answer. */
	readonly also?: readonly string[];
};

/** Maximum number of items in a form; an agent asks fewer at once. */
const mostItems = 100;

/** Reads a form, item by item, against the items that wait now. */
const readForm = (view: PageView, form: URLSearchParams): readonly (FormDecision | Outcome)[] =>
	[...new Set(form.getAll('item'))]
		.slice(0, mostItems)
		.flatMap(item => decisionFor(view, form, item) ?? []);

/** Returns the decision on an item, or its refusal; nothing for empty fields. */
const decisionFor = (
	view: PageView,
	form: URLSearchParams,
	id: string,
): FormDecision | Outcome | undefined => {
	const {state} = view.session;
	const item = itemOf(state, id);
	if (item === undefined || form.get('session') !== state.session?.session) {
		return refused(id, whyGoneHere(view, id, form.get('session')));
	}

	if (item.kind === 'question') {
		return form.has('later') ? {item: id, choice: snoozeWord} : answerIn(state, form, item);
	}

	return view.mayDecide
		? decisionIn(view, form, id)
		: refused(
				id,
				'Only questions are answered here, unless the config says `web: {approve: true}`.',
			);
};

const answerIn = (
	state: State,
	form: URLSearchParams,
	item: ItemOf<'question'>,
): FormDecision | undefined => {
	const {id, question} = item;
	const options = optionsOf(question);
	const picked = form.getAll(`option:${id}`).flatMap(position => options[Number(position)] ?? []);
	const own = textIn(form, `own:${id}`);
	// Several options and a person's own answer are one answer; their own answer replaces a single option.
	const said = question.multi === true || own === '' ? [...picked, own] : [own];
	const choice = said.filter(text => text !== '').join(', ');
	const same = (form.get(`same:${id}`) ?? '').split(' ');
	return choice === ''
		? undefined
		: {
				item: id,
				choice,
				...noteIn(form, id),
				also: sameQuestions(state, item).flatMap(({id}) => (same.includes(id) ? id : [])),
			};
};

const decisionIn = (
	view: PageView,
	form: URLSearchParams,
	id: string,
): FormDecision | Outcome | undefined => {
	const {state} = view.session;
	const shown = inbox(state).find(item => item.id === id);
	const now = shown === undefined ? undefined : decidable(state, shown);
	if (now?.seen !== form.get(`seen:${id}`)) {
		return refused(id, `${id} has changed in the meantime; look at it again.`);
	}

	const picked = form.get(`option:${id}`);
	const offered = now?.choices.filter(({needsFiles}) => !needsFiles);
	const chosen = offered?.find(({position}) => `${position}` === picked);
	if (chosen === undefined) {
		return undefined;
	}

	const {choice, label} = chosen;
	const despite = doubtsTold(itemOf(state, id));
	const given = {...noteIn(form, id), ...defined({despite})};
	return {item: id, choice, label, ...given};
};

const noteIn = (form: URLSearchParams, id: string): {readonly note?: string} => {
	const note = textIn(form, `note:${id}`);
	return note === '' ? {} : {note};
};

/** Returns a field's text with `\n`: browsers send CRLF. */
const textIn = (form: URLSearchParams, name: string): string =>
	(form.get(name) ?? '').replaceAll('\r\n', '\n').trim();

/** Returns the reason why an item on the page can't be decided any more, with who decided it if known. */
const whyGoneHere = (
	{session: {state, records}}: PageView,
	id: string,
	session: string | null,
): string => {
	if (session !== state.session?.session) {
		return 'Its session is over; another one is shown by now.';
	}

	return whoAnsweredFirst(records, id) ?? whyGone(state, id);
};
