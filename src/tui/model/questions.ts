import {omit} from '../../lib/values.ts';
import {
	isFree,
	optionsOf,
	readAnswer,
	sameQuestions,
	whyNoAnswer,
} from '../../state/items/question/answer.ts';
import {type Form, formOf, isNeeded, type Question} from '../screens/form-layout.ts';
import {sent} from './decide.ts';
import {emptyDraft} from './draft.ts';
import {bindingOf} from './open-item.ts';
import {type Context, confirming, type Outcome, only, type View, withNotice} from './view.ts';

/** Goes by so many questions; behind the last one is the end, where the answers are given. */
export const toQuestion = (context: Context, by: number): Outcome => {
	const form = formOf(context);
	if (form === undefined) {
		return only(context.view);
	}

	const {questions, here} = form;
	const at = here === undefined ? questions.length : questions.indexOf(here);
	return only(atQuestion(context.view, form, at + by));
};

const atQuestion = (view: View, {place, questions}: Form, index: number): View => {
	const question = questions[Math.min(Math.max(0, index), questions.length)];
	const options = question === undefined ? [] : optionsOf(question.question);
	const answered = options.indexOf(view.answers[question?.id ?? ''] ?? '');
	return {
		...view,
		scroll: 0,
		dialog: {kind: 'none'},
		place: {
			...place,
			item: question?.id,
			cursor: answered === -1 ? undefined : answered,
			marked: [],
		},
	};
};

/** Begins to write an answer to the question that the person is at. */
export const writeAnswer = ({view}: Context, {id}: Question): Outcome => {
	const answer = view.answers[id];
	const draft = answer === undefined ? emptyDraft : {text: answer, at: answer.length};
	return only({...view, dialog: {kind: 'answer', draft: view.drafts[id] ?? draft}});
};

/** Keeps an answer until all are given, and goes to the next question that has none. */
export const keepAnswer = (context: Context, text: string): Outcome => {
	const {view} = context;
	const form = formOf(context);
	const here = form?.here;
	if (form === undefined || here === undefined) {
		return only(view);
	}

	const answer = readAnswer(here.question, text);
	const why =
		answer === undefined
			? `"${text}" is not one of its options.`
			: whyNoAnswer(here.question, answer, here.agent);
	if (answer === undefined || why !== undefined) {
		return only(withNotice(view, 'warn', why ?? ''));
	}

	const drafts = omit(view.drafts, here.id);
	const kept: View = {...view, drafts, answers: {...view.answers, [here.id]: answer}};
	const at = form.questions.indexOf(here);
	const order = [...form.questions.slice(at + 1), ...form.questions.slice(0, at)];
	const next = order.find(({id}) => kept.answers[id] === undefined);
	return only(
		atQuestion(
			kept,
			form,
			next === undefined ? form.questions.length : form.questions.indexOf(next),
		),
	);
};

/** Takes the answer back that is kept for the question that the person is at. */
export const dropAnswer = (context: Context): Outcome => {
	const {view} = context;
	const id = formOf(context)?.here?.id ?? '';
	return only({...view, answers: omit(view.answers, id)});
};

/** Gives all answers of the form at once; what is left open is told first where the agent can't go on without it. */
export const giveAnswers = (context: Context): Outcome => {
	const {model, view} = context;
	const form = formOf(context);
	if (form === undefined) {
		return only(view);
	}

	const {place, questions} = form;
	const answered = questions.filter(({id}) => view.answers[id] !== undefined);
	const changed = answered.find(item => bindingOf(model.state, item) !== place.bindings[item.id]);
	if (changed !== undefined) {
		const bindings = {...place.bindings, [changed.id]: bindingOf(model.state, changed)};
		return only(
			withNotice(
				{...view, place: {...place, bindings}},
				'warn',
				`${changed.id} has changed since you opened it. Nothing was done; look again.`,
			),
		);
	}

	if (answered.length === 0) {
		return only(withNotice(view, 'warn', 'Nothing is answered yet.'));
	}

	const effect = giving(context, form, answered);
	const lacking = questions.filter(item => !answered.includes(item) && isNeeded(item));
	return lacking.length === 0
		? sent(context, effect)
		: confirming(
				view,
				`${lacking.map(({id}) => id).join(', ')} stays open, and ${place.agent} goes on only with an answer to it. Give the others?`,
				effect,
			);
};

const giving = ({model, view}: Context, {place}: Form, answered: readonly Question[]) => {
	const answers = answered.flatMap(item => {
		const choice = view.answers[item.id] ?? '';
		const same = place.together ? sameQuestions(model.state, item) : [];
		return [item, ...same].map(({id}) => ({item: id, choice}));
	});
	return {
		do: 'ask' as const,
		request: {do: 'answer', by: 'user', answers} as const,
		done: answers.map(({item}) => item).join(', '),
	};
};

/** Marks an option of a question that takes several, or takes its mark away. */
export const turnedMark = (marked: readonly string[], option: string): readonly string[] =>
	marked.includes(option) ? marked.filter(other => other !== option) : [...marked, option];

/** Returns whether a question has no options, so that its answer can only be written. */
export const isWritten = ({question}: Question): boolean =>
	isFree(question) && optionsOf(question).length === 0;
