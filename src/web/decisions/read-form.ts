import {inbox} from '../../rules/inbox.ts';
import type {ItemOf} from '../../state/item.ts';
import {optionsOf} from '../../state/items/question/answer.ts';
import {clockWords, readClockChange} from '../../state/items/question/clock.ts';
import {sameQuestions} from '../../state/items/question/same-question.ts';
import {snoozeWord} from '../../state/items.ts';
import {itemOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {decidable} from '../page/decidable.ts';
import type {View} from '../page/view.ts';
import {whyGoneHere} from './why-gone-here.ts';

/** What a form says of one item: a decision on it, why it is none, or nothing at all. */
export type FormDecision =
	| {
			readonly kind: 'decision';
			readonly item: string;
			readonly choice: string;
			readonly note?: string;
			/** The questions of other agents that are answered with it. */
			readonly also: readonly string[];
	  }
	| {readonly kind: 'refused'; readonly item: string; readonly why: string}
	| {readonly kind: 'empty'; readonly item: string};

/** A form has no more items than this; an agent asks less at a time. */
const mostItems = 100;

/** Reads what a form that was sent says, item by item, by what waits now. */
export const readForm = (view: View, form: URLSearchParams): readonly FormDecision[] =>
	form
		.getAll('item')
		.slice(0, mostItems)
		.map(item => decisionFor(view, form, item));

const decisionFor = (view: View, form: URLSearchParams, id: string): FormDecision => {
	const {state} = view.session;
	const item = itemOf(state, id);
	if (item === undefined || form.get('session') !== state.session?.session) {
		return {kind: 'refused', item: id, why: whyGoneHere(view, id, form.get('session'))};
	}

	if (item.kind === 'question') {
		return putOff(form, item) ?? answerIn(state, form, item);
	}

	return view.mayDecide
		? decisionIn(view, form, id)
		: {
				kind: 'refused',
				item: id,
				why: 'Only questions are answered here, unless the config says `web: {approve: true}`.',
			};
};

/** What a form asks for instead of an answer; the questions in it have one clock. */
const putOff = (form: URLSearchParams, {id}: ItemOf<'question'>): FormDecision | undefined => {
	if (form.has('later')) {
		return {kind: 'decision', item: id, choice: snoozeWord, also: []};
	}

	const change = readClockChange(form.get('clock') ?? '');
	if (change === undefined) {
		return undefined;
	}

	return form.get('item') === id
		? {kind: 'decision', item: id, choice: clockWords[change], also: []}
		: {kind: 'empty', item: id};
};

const answerIn = (state: State, form: URLSearchParams, item: ItemOf<'question'>): FormDecision => {
	const {id, question} = item;
	const options = optionsOf(question);
	const picked = form.getAll(`option:${id}`).flatMap(position => options[Number(position)] ?? []);
	const own = textIn(form, `own:${id}`);
	// Several options and an answer of one's own are one answer; a single option is not meant besides one.
	const said = question.multi === true || own === '' ? [...picked, own] : [own];
	const choice = said.filter(text => text !== '').join(', ');
	return choice === ''
		? {kind: 'empty', item: id}
		: {
				kind: 'decision',
				item: id,
				choice,
				...noteIn(form, id),
				also: form.has(`same:${id}`) ? sameQuestions(state, item).map(({id}) => id) : [],
			};
};

const decisionIn = (view: View, form: URLSearchParams, id: string): FormDecision => {
	const {state} = view.session;
	const shown = inbox(state).find(item => item.id === id);
	const now = shown === undefined ? undefined : decidable(state, shown);
	if (now?.seen !== form.get(`seen:${id}`)) {
		return {kind: 'refused', item: id, why: `${id} has changed in the meantime; look at it again.`};
	}

	const picked = form.get(`option:${id}`);
	const offered = now?.choices.filter(({needsFiles}) => !needsFiles);
	const choice = offered?.find(({position}) => `${position}` === picked)?.choice;
	return choice === undefined
		? {kind: 'empty', item: id}
		: {kind: 'decision', item: id, choice, ...noteIn(form, id), also: []};
};

const noteIn = (form: URLSearchParams, id: string): {readonly note?: string} => {
	const note = textIn(form, `note:${id}`);
	return note === '' ? {} : {note};
};

/** Browsers send line ends as mails do. */
const textIn = (form: URLSearchParams, name: string): string =>
	(form.get(name) ?? '').replaceAll('\r\n', '\n').trim();
