import {awakeLater} from '../../events/deadline.ts';
import type {EventOf, QuestionFile} from '../../events/event.ts';
import {defined} from '../../lib/values.ts';
import type {Question} from '../../signals/index.ts';
import type {AskedFrom, Item, ItemOf} from '../item.ts';
import {quickWaitMs} from '../items/question/wait.ts';
import {broughtOutName, heldBack, itemOf, outerName, roomForQuestions} from '../select.ts';
import {type State, withAgent, withItem, withoutItems, withReplaced} from '../state.ts';

type Said = EventOf<'signal.said'>;
type QuestionItem = ItemOf<'question'>;

/** Questions that an agent asks together, with their common fields. */
export type Asking = {
	readonly questions: readonly Question[];
	/** True if it needs an answer to each question. */
	readonly allRequired: boolean;
	readonly workStatus?: AskedFrom;
	readonly file?: QuestionFile;
};

/** Opens one item per question, up to the limit; one answer is enough if the agent said so. */
export const asked = (state: State, event: Said, asking: Asking): State => {
	const {questions, allRequired, workStatus, file} = asking;
	const waited = {quickMs: state.session?.settings.quickMs ?? 0, count: questions.length};
	const room = roomForQuestions(state, event.agent);
	const known = defined({workStatus, file});
	const open = questions.slice(0, room).reduce(
		(asking, question) =>
			withItem(asking, {
				kind: 'question',
				agent: event.agent,
				group: event.seq,
				question,
				anyAnswer: !allRequired,
				holds: !allRequired || question.required,
				asked: state.awake,
				deadline: awakeLater(state.awake, quickWaitMs(question, waited)),
				...known,
			}),
		state,
	);
	const {[room]: first} = questions;
	return first === undefined ? open : heldBack(open, event.agent, event, first);
};

/** Opens the questions of a file, except open ones; a question that was escalated by name gets the file's text. */
export const askedInFile = (
	state: State,
	event: Said,
	asking: Asking & {readonly file: QuestionFile},
): State => {
	const {id, inner = id} = asking.file;
	const isOfFile = (item: Item): item is QuestionItem =>
		item.kind === 'question' && item.file?.id === id;
	if (state.items.some(isOfFile)) {
		return state;
	}

	const named = state.items.find(
		(item): item is QuestionItem =>
			item.kind === 'question' && item.agent === event.agent && isNamed(item, inner),
	);
	if (named === undefined) {
		return asked(state, event, asking);
	}

	const [first, ...others] = asking.questions;
	const {file, workStatus} = asking;
	const worded: QuestionItem = {
		...named,
		question: first ?? named.question,
		anyAnswer: !asking.allRequired,
		file,
		...defined({workStatus}),
	};
	const rest = asked(
		withReplaced(state, worded),
		{...event, seq: named.group},
		{...asking, questions: others},
	);
	return parked(rest, isOfFile);
};

/** Returns whether a question was escalated by name, without its file. */
const isNamed = ({escalated, file, question}: QuestionItem, name: string): boolean =>
	escalated === true && file === undefined && question.id === name && question.options.length === 0;

/** Closes a question that no longer needs an answer. */
export const questionWithdrawn = (
	state: State,
	{agent, file}: EventOf<'question.withdrawn'>,
): State =>
	withoutItems(
		state,
		item => item.kind === 'question' && item.agent === agent && item.file?.id === file,
	);

/** Keeps the question open, with the reason for the next person who answers. */
export const answerRejected = (
	state: State,
	{item: id, why}: EventOf<'answer.rejected'>,
): State => {
	const item = itemOf(state, id);
	return item?.kind === 'question' ? withReplaced(state, {...item, rejected: why}) : state;
};

/**
Records that an agent left a question to a person and ends its turn, but not its work.

An answer that was on its way meanwhile is delivered again. An unknown question is asked by its name: the text in its file may be lost, but the agent still waits for an answer.
*/
export const escalated = (state: State, event: Said, name: string): State => {
	const isMeant = meant(state, event.agent, name);
	if (state.items.some(isMeant)) {
		return parked(state, isMeant);
	}

	const known = state.agents.find(({id}) => id === event.agent);
	const names = [name, broughtOutName(state.session?.session, event.agent, name)];
	const isOfFile = ({file = ''}: {readonly file?: string}): boolean => names.includes(file);
	if (known?.replies.some(isOfFile) || known?.delivered.some(isOfFile)) {
		return withAgent(state, event.agent, agent => ({
			...agent,
			delivered: agent.delivered.filter(reply => !isOfFile(reply)),
			replies: [...agent.delivered.filter(isOfFile), ...agent.replies].map(reply =>
				isOfFile(reply) ? {...reply, escalated: true} : reply,
			),
		}));
	}

	return withItem(state, {
		kind: 'question',
		agent: event.agent,
		group: event.seq,
		question: {
			question: `ERROR: Question file missing for ${name}. It left that question to you.`,
			options: [],
			required: true,
			id: name,
		},
		anyAnswer: false,
		holds: true,
		asked: state.awake,
		deadline: state.awake,
		escalated: true,
	});
};

/** Matches a question by the agent's name for it, its file name or our id. */
const meant =
	({session}: State, agent: string, name: string) =>
	(item: Item): item is QuestionItem =>
		item.kind === 'question' &&
		item.agent === agent &&
		[
			item.id,
			item.question.id,
			item.file?.id,
			item.file?.inner,
			outerName(session?.session, agent, item.id),
		].includes(name);

/** Marks questions whose agent no longer waits in its turn, and can't continue without them. */
const parked = (state: State, isMeant: (item: Item) => item is QuestionItem): State =>
	state.items.filter(isMeant).reduce(
		(after, item) =>
			withReplaced(after, {
				...item,
				escalated: true,
				holds: true,
				deadline: item.deadline < state.awake ? item.deadline : state.awake,
			}),
		state,
	);
