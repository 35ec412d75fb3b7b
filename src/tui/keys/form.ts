import {readVerb} from '../../rules/commands/read-decision.ts';
import {optionsOf} from '../../state/items/question/answer.ts';
import {snoozeWord} from '../../state/items.ts';
import {sent} from '../model/decide.ts';
import {inRecording} from '../model/open-item.ts';
import {
	dropAnswer,
	giveAnswers,
	isWritten,
	keepAnswer,
	toQuestion,
	turnedMark,
	writeAnswer,
} from '../model/questions.ts';
import {type Action, type Context, type Outcome, only, withNotice} from '../model/view.ts';
import {type Form, formOf} from '../screens/form-layout.ts';
import {turnClock} from './question.ts';

const where = ['questions'] as const;

/** What a person does with several questions of one agent, which they answer together. */
export const formActions: readonly Action[] = [
	{
		name: 'answer-this',
		keys: ['enter'],
		label: 'take it',
		help: 'take the option that you have gone to, or write an answer; at the end: give all answers',
		where,
		whyNot: inRecording,
		run: context => take(context),
	},
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
		name: 'next-option',
		keys: ['down'],
		help: 'go to the next option, and from the last one to the next question',
		where,
		run: context => toOption(context, 1),
	},
	{
		name: 'previous-option',
		keys: ['up'],
		help: 'go to the previous option, and from the first one to the previous question',
		where,
		run: context => toOption(context, -1),
	},
	...[1, 2, 3, 4, 5, 6, 7, 8, 9].map(
		(number): Action => ({
			name: `option-${number}`,
			keys: [`${number}`],
			help: `go to option ${number}`,
			where,
			when: context => number <= countOf(formOf(context)),
			run: context => only(atOption(context, number - 1)),
		}),
	),
	{
		name: 'mark-option',
		keys: ['space'],
		label: 'mark',
		help: 'mark an option of a question that takes several',
		where,
		when: context => formOf(context)?.here?.question.multi === true,
		whyNot: inRecording,
		run: context => mark(context),
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
	{
		name: 'all-later',
		keys: ['z'],
		label: 'later',
		help: 'move all of them to the end of the queue',
		where,
		whyNot: inRecording,
		run: context => putOff(context),
	},
];

const atQuestion = (context: Context, act: (form: Form) => Outcome | undefined): Outcome => {
	const form = formOf(context);
	return (form && act(form)) ?? only(context.view);
};

const take = (context: Context): Outcome =>
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
const countOf = (form: Form | undefined): number => form?.shown?.choices.length ?? 0;

const toOption = (context: Context, by: 1 | -1): Outcome =>
	atQuestion(context, form => {
		const from = form.place.cursor ?? -1;
		const index = from + by;
		return form.here === undefined || index < 0 || index >= countOf(form)
			? toQuestion(context, by)
			: only(atOption(context, index));
	});

const atOption = ({view}: Context, cursor: number) =>
	view.place.at === 'questions' ? {...view, place: {...view.place, cursor}} : view;

const mark = (context: Context): Outcome =>
	atQuestion(context, ({place, here}) => {
		const option = here && optionsOf(here.question)[place.cursor ?? -1];
		const marked = option === undefined ? place.marked : turnedMark(place.marked, option);
		return only({...context.view, place: {...place, marked}});
	});

const putOff = (context: Context): Outcome =>
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
