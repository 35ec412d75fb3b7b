import {clockAt} from '../../../events/deadline.ts';
import {defined, omit} from '../../../lib/values.ts';
import type {Question} from '../../../signals/index.ts';
import type {ItemOf, QuestionItem} from '../../item.ts';
import {replied, withNote} from '../../reply.ts';
import {type State, withReplaced} from '../../state.ts';
import {itemKind} from '../kind.ts';
import {isFree, openInGroup, optionsOf, readAnswer, sameQuestions, whyNoAnswer} from './answer.ts';
import {type QuestionWait, waitFor} from './wait.ts';

export type QuestionDetail = Pick<
	Question,
	'required' | 'type' | 'pattern' | 'multi' | 'context' | 'urgent'
> &
	Pick<QuestionItem, 'group' | 'escalated' | 'rejected'> & {
		/** The way in which its agent waits for the answer. */
		readonly waits: QuestionWait['how'];
		/** Time at which its agent is parked, if it waits until then. */
		readonly deadline?: string;
		readonly blocked_at?: string;
		readonly current_state?: string;
		/** Id of the file in which it was asked. */
		readonly file?: string;
		readonly asked_at: string;
		/** Error of the agent's question file, or the reason why answers can't be given in files. */
		readonly files?: string;
		/** Questions of other agents that ask the same. */
		readonly same?: readonly {readonly item: string; readonly agent: string}[];
	};

export type QuestionChoice = {readonly verb: 'answer'; readonly text: string};

/** Former choices for a question's clock, which journals and scripts still contain; an agent never gets them as an answer. */
const formerWords = ['pause-clock', 'resume-clock'];

export const question = itemKind<'question', QuestionChoice, QuestionDetail>({
	choices: {
		answer: {
			offer: (_, item) =>
				optionsOf(item.question).map(text => ({
					choice: {verb: 'answer', text},
					label: text,
					// If any text is accepted, a note would be an answer of its own.
					...(isFree(item.question) ? {} : {note: 'optional' as const}),
				})),
			words: ({text}) => text,
			whyNotWith: (_, {question, agent}, {seen}, {text}) =>
				whyNoAnswer(question, text, agent, seen?.answer),
			hint: ({id}) => `answer ${id} again`,
			decided: (state, item, {note}, {text}) => {
				const {question, id} = item.question;
				return replied(item.anyAnswer ? eased(state, item) : state, item, {
					heading: 'CLARIFICATION RESPONSE',
					about: question,
					text: withNote(text, note),
					...defined({question: id, workStatus: item.workStatus, escalated: item.escalated}),
					// A missing checkpoint file is reported to the person, and not named to the agent.
					...defined({
						file: item.file?.id,
						checkpoint:
							state.questionErrors[item.id] === undefined ? item.file?.checkpoint : undefined,
					}),
				});
			},
		},
	},
	readOther: (_, item, text) => {
		const answer = formerWords.includes(text) ? undefined : readAnswer(item.question, text);
		return answer === undefined ? undefined : {verb: 'answer', text: answer};
	},
	takesAnyText: item => isFree(item.question),
	holdsUp: ({holds}) => holds,
	called: 'a question',
	essence: item => omit(item, 'deadline'),
	title: (state, {id, file, question: {id: name, question: text}}) =>
		// For a question known only by its name, the error of its file is shown separately.
		file === undefined && state.questionErrors[id] !== undefined
			? `It left the question ${name} to you.`
			: text,
	detail: (state, item) => {
		const {type, required, pattern, multi, context, urgent} = item.question;
		const {blockedAt, currentState} = item.workStatus ?? {};
		const wait = waitFor(state, item);
		const same = sameQuestions(state, item).map(({id, agent}) => ({item: id, agent}));
		return {
			group: item.group,
			required,
			...defined({type, pattern, multi, context, urgent}),
			...defined({blocked_at: blockedAt, current_state: currentState}),
			...defined({escalated: item.escalated, rejected: item.rejected, file: item.file?.id}),
			...defined({files: fileTrouble(state, item)}),
			...(same.length === 0 ? {} : {same}),
			asked_at: item.opened,
			waits: wait.how,
			...(wait.how === 'until' ? {deadline: clockAt(wait.at, state)} : {}),
		};
	},
});

/** Returns the error of a file that the agent named with a question, or of all question files. */
export const fileTrouble = (state: State, {id}: ItemOf<'question'>): string | undefined =>
	state.questionErrors[id] ?? state.questionFiles[0];

/** Stops waiting for the others of its group, which can still be answered. */
const eased = (state: State, item: ItemOf<'question'>): State =>
	openInGroup(state, item).reduce(
		(after, other) => withReplaced(after, {...other, holds: false}),
		state,
	);
