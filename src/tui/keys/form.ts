import {whoAnsweredFirst} from '../../client/texts/item-text.ts';
import {omit} from '../../lib/values.ts';
import {readVerb} from '../../rules/commands/read-decision.ts';
import {
	isFree,
	optionsOf,
	readAnswer,
	sameQuestions,
	whyNoAnswer,
} from '../../state/items/question/answer.ts';
import {snoozeWord} from '../../state/items.ts';
import {byAmount} from '../action.ts';
import {sent} from '../model/decide.ts';
import {draftOf} from '../model/draft.ts';
import {bindingOf, inRecording} from '../model/open-item.ts';
import {
	type Action,
	type Context,
	confirming,
	keptDrafts,
	keptText,
	type Outcome,
	type View,
	withNotice,
} from '../model/view.ts';
import {type Form, formOf, isNeeded, type OpenQuestion} from '../screens/form-layout.ts';

const where = ['questions'] as const;

/** Actions on several questions of one agent, which are answered together. */
export const formActions: readonly Action[] = [
	...byAmount(where, (context, by: 1 | -1) => toQuestion(context, by), [
		[
			'next-question',
			['tab', 'right'],
			'go to the next question; after the last one, give all answers',
			1,
			'next question',
		],
		['previous-question', ['shift+tab', 'left'], 'go to the previous question', -1],
	]),
	{
		...{name: 'write-answer', keys: ['w'], label: 'write'},
		help: 'write an answer of your own',
		where,
		when: context => formOf(context)?.shown?.free === true,
		whyNot: inRecording,
		run: context => atQuestion(context, ({here}) => here && writeAnswer(context, here)),
	},
	{
		...{name: 'drop-answer', keys: ['backspace', 'delete']},
		help: 'withdraw your answer to this question',
		where,
		run: context => dropAnswer(context),
	},
];

/** Acts on the form; if its current question is gone, says so instead and goes to the end. */
const atQuestion = (context: Context, act: (form: Form) => Outcome | undefined): Outcome => {
	const {model, view} = context;
	const form = formOf(context);
	const gone = form?.here === undefined ? form?.place.item : undefined;
	return form === undefined || gone === undefined
		? ((form && act(form)) ?? view)
		: withNotice(
				goToQuestion({...view, drafts: keptDrafts(view)}, form, form.questions.length),
				'warn',
				`${whoAnsweredFirst(model.questions, gone) ?? `${gone} no longer waits.`} Nothing was done.`,
			);
};

/** Takes the selected option, or opens the text field for an answer; at the end, sends all answers. */
export const takeOption = (context: Context): Outcome =>
	atQuestion(context, ({place, here, shown}) => {
		if (here === undefined) {
			return giveAnswers(context);
		}

		const choice = shown?.choices[place.cursor ?? -1]?.choice;
		const verb = choice === undefined ? undefined : readVerb(context.model.state, here, choice);
		if (verb === 'snooze') {
			return putOff(context);
		}

		if (place.marked.length > 0 || choice !== undefined) {
			return keepAnswer(
				context,
				place.marked.length > 0 ? place.marked.join(', ') : (choice ?? ''),
			);
		}

		return isWritten(here)
			? writeAnswer(context, here)
			: context.view.answers[here.id] === undefined
				? withNotice(
						context.view,
						'info',
						'Go to an option with ↑ and ↓ first, or press its number.',
					)
				: toQuestion(context, 1);
	});

/** Returns the number of entries in the list, which has the options and the other choices. */
export const countOf = (form: Form | undefined): number => form?.shown?.choices.length ?? 0;

/** Selects the next option; from the last or the first one, goes to the next question. */
export const toOption = (context: Context, by: 1 | -1): Outcome =>
	atQuestion(context, form => {
		const from = form.place.cursor ?? -1;
		const index = from + by;
		return form.here === undefined || index < 0 || index >= countOf(form)
			? toQuestion(context, by)
			: {...context.view, place: {...form.place, cursor: index}};
	});

/** Snoozes all questions of the form. */
export const putOff = (context: Context): Outcome =>
	atQuestion(context, ({questions}) => {
		const asks = questions.map(({id}) => ({
			do: 'ask' as const,
			request: {do: 'decide', item: id, choice: snoozeWord, by: 'user'} as const,
			done: `${questions.map(({id}) => id).join(', ')}: ${snoozeWord}`,
		}));
		const [first, ...others] = asks;
		if (first === undefined) {
			return undefined;
		}

		const {view, effects} = sent(context, first);
		return {view, effects: [...effects, ...others]};
	});

/** Goes to another question; after the last one is the end, where the answers are sent. */
const toQuestion = (context: Context, by: number): Outcome => {
	const form = formOf(context);
	if (form === undefined) {
		return context.view;
	}

	const {questions, here} = form;
	const at = here === undefined ? questions.length : questions.indexOf(here);
	return goToQuestion(context.view, form, at + by);
};

const goToQuestion = (view: View, {place, questions}: Form, index: number): View => {
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

const writeAnswer = ({view}: Context, {id}: OpenQuestion): Outcome => ({
	...view,
	dialog: {kind: 'answer', ...keptText(view, id, draftOf(view.answers[id] ?? ''))},
});

/** Keeps an answer until all are sent, and goes to the next question without one. */
export const keepAnswer = (context: Context, text: string): Outcome => {
	const {view} = context;
	const form = formOf(context);
	const here = form?.here;
	if (form === undefined || here === undefined) {
		return atQuestion(context, () => undefined);
	}

	const answer = readAnswer(here.question, text);
	const why =
		answer === undefined
			? `"${text}" is not one of its options.`
			: whyNoAnswer(here.question, answer, here.agent);
	if (answer === undefined || why !== undefined) {
		return withNotice(view, 'warn', why ?? '');
	}

	const drafts = omit(view.drafts, here.id);
	const kept: View = {...view, drafts, answers: {...view.answers, [here.id]: answer}};
	const at = form.questions.indexOf(here);
	const order = [...form.questions.slice(at + 1), ...form.questions.slice(0, at)];
	const next = order.find(({id}) => kept.answers[id] === undefined);
	return goToQuestion(
		kept,
		form,
		next === undefined ? form.questions.length : form.questions.indexOf(next),
	);
};

/** Removes the answer that is kept for the current question. */
const dropAnswer = (context: Context): Outcome => {
	const {view} = context;
	const id = formOf(context)?.here?.id ?? '';
	return {...view, answers: omit(view.answers, id)};
};

/** Sends all answers of the form at once; asks first if one is missing that the agent can't continue without. */
const giveAnswers = (context: Context): Outcome => {
	const {model, view} = context;
	const form = formOf(context);
	if (form === undefined) {
		return view;
	}

	const {place, questions} = form;
	const answered = questions.filter(({id}) => view.answers[id] !== undefined);
	const changed = answered.find(item => bindingOf(model.state, item) !== place.bindings[item.id]);
	if (changed !== undefined) {
		const bindings = {...place.bindings, [changed.id]: bindingOf(model.state, changed)};
		return withNotice(
			{...view, place: {...place, bindings}},
			'warn',
			`${changed.id} has changed since you opened it. Nothing was done; look again.`,
		);
	}

	if (answered.length === 0) {
		return withNotice(view, 'warn', 'Nothing is answered yet.');
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

const giving = ({model, view}: Context, {place}: Form, answered: readonly OpenQuestion[]) => {
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

/** Marks or unmarks an option of a question that takes several. */
export const turnedMark = (marked: readonly string[], option: string): readonly string[] =>
	marked.includes(option) ? marked.filter(other => other !== option) : [...marked, option];

/** Returns whether a question has no options, so that its answer can only be written. */
const isWritten = ({question}: OpenQuestion): boolean =>
	isFree(question) && optionsOf(question).length === 0;
