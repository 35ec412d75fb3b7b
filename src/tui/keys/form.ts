import {readVerb} from '../../rules/commands/read-decision.ts';
import {snoozeWord} from '../../state/items.ts';
import {sent} from '../model/decide.ts';
import {inRecording} from '../model/open-item.ts';
import {
	dropAnswer,
	giveAnswers,
	isWritten,
	keepAnswer,
	toQuestion,
	writeAnswer,
} from '../model/questions.ts';
import {type Action, type Context, type Outcome, only, withNotice} from '../model/view.ts';
import {type Form, formOf} from '../screens/form-layout.ts';
import {turnClock} from './question.ts';

const where = ['questions'] as const;

/** What a person does with several questions of one agent, which they answer together. */
export const formActions: readonly Action[] = [
	{
		name: 'next-question',
		keys: ['tab', 'right'],
		label: 'next question',
		help: 'go to the next question; behind the last one all answers are given',
		where,
		run: context => toQuestion(context, 1),
	},
	{
		name: 'previous-question',
		keys: ['shift+tab', 'left'],
		help: 'go to the previous question',
		where,
		run: context => toQuestion(context, -1),
	},
	{
		name: 'write-answer',
		keys: ['w'],
		label: 'write',
		help: 'write an answer of your own',
		where,
		when: context => formOf(context)?.shown?.free === true,
		whyNot: inRecording,
		run: context => atQuestion(context, ({here}) => here && writeAnswer(context, here)),
	},
	{
		name: 'drop-answer',
		keys: ['backspace', 'delete'],
		help: 'take your answer to this question back',
		where,
		run: dropAnswer,
	},
];

const atQuestion = (context: Context, act: (form: Form) => Outcome | undefined): Outcome => {
	const form = formOf(context);
	return (form && act(form)) ?? only(context.view);
};

/** Takes the option that the person has gone to, or lets them write an answer; at the end, gives all answers. */
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

		if (verb === 'clock') {
			return turnClock(context);
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
				? only(
						withNotice(
							context.view,
							'info',
							'Go to an option with ↑ and ↓ first, or press its number.',
						),
					)
				: toQuestion(context, 1);
	});

/** Options and what can be done instead of answering stand in one list. */
export const countOf = (form: Form | undefined): number => form?.shown?.choices.length ?? 0;

/** Goes to the option beside; from the last or the first one, to the question beside. */
export const toOption = (context: Context, by: 1 | -1): Outcome =>
	atQuestion(context, form => {
		const from = form.place.cursor ?? -1;
		const index = from + by;
		return form.here === undefined || index < 0 || index >= countOf(form)
			? toQuestion(context, by)
			: only({...context.view, place: {...form.place, cursor: index}});
	});

/** Leaves all questions of the form for later. */
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
