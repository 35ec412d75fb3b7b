import {type Awake, clockAt} from '../events/deadline.ts';
import type {DecidedBy, Event, EventOf} from '../events/event.ts';
import {elapsedMs} from '../lib/text/duration.ts';
import {defined} from '../lib/values.ts';
import {apply} from '../state/apply/apply.ts';
import type {ItemOf, QuestionItem} from '../state/item.ts';
import {snoozeWord} from '../state/items.ts';
import {agentOf, outerName} from '../state/select.ts';
import {emptyState, type State} from '../state/state.ts';

/**
Way in which an answer reached its agent.

- `quick`: while the agent waited in its turn
- `escalated`: after its turn ended, with the agent unable to continue without the answer
- `late`: after the agent had continued without waiting any longer
*/
export type AnswerPath = 'quick' | 'escalated' | 'late';

/** End of a question: by an answer, or because it is no longer needed. */
export type Closed =
	| {
			readonly how: 'answered';
			readonly at: string;
			readonly answer: string;
			readonly note?: string;
			readonly by: DecidedBy;
			/** Source of the answer: a terminal, a program, the browser, or a user's file. */
			readonly from: string;
			readonly responseMs: number;
			readonly path: AnswerPath;
	  }
	| {readonly how: 'gone'; readonly at: string};

export type QuestionRecord = Pick<
	QuestionItem,
	'agent' | 'group' | 'question' | 'workStatus' | 'file'
> & {
	/** Id of its item in the inbox. */
	readonly item: string;
	/** Id in files and logs. */
	readonly id: string;
	readonly askedAt: string;
	readonly deadline: string;
	readonly escalated: boolean;
	readonly closed?: Closed;
};

/** Records of all questions of a session, and the state after the same events. */
export type QuestionRecords = {
	readonly state: State;
	readonly records: readonly QuestionRecord[];
};

export const noRecords: QuestionRecords = {state: emptyState, records: []};

/** Returns the records after one more event. */
export const withEvent = ({state, records}: QuestionRecords, event: Event): QuestionRecords => {
	const after = apply(state, event);
	if (after.items === state.items && after.aheadMs === state.aheadMs) {
		return {state: after, records};
	}

	const open = after.items.filter(item => item.kind === 'question');
	const known = records.map(record => {
		const item = open.find(({id}) => id === record.item);
		return item === undefined
			? record.closed === undefined
				? {...record, closed: closedBy(state, event, record, after.awake)}
				: record
			: {...recordOf(after, item), ...(item.file === record.file ? {id: record.id} : {})};
	});
	const added = open.filter(({id}) => !records.some(({item}) => item === id));
	return {state: after, records: [...known, ...added.map(item => recordOf(after, item))]};
};

/** Returns the records after all events of a session, or after further ones. */
export const learned = (events: Iterable<Event>, before = noRecords): QuestionRecords => {
	let known = before;
	for (const event of events) {
		known = withEvent(known, event);
	}

	return known;
};

/** Returns all questions of a session, in the order in which they were asked. */
export const recordsOf = (events: Iterable<Event>): readonly QuestionRecord[] =>
	learned(events).records;

/** Returns the id of a question outside its session: that of its own file, or one that no other session uses. */
export const outerId = (state: State, {id, agent, question, file}: ItemOf<'question'>): string => {
	if (file === undefined) {
		return outerName(state.session?.session, agent, id);
	}

	return question.id === undefined || !sharesFile(state, file.id)
		? file.id
		: `${file.id}_${question.id}`;
};

const sharesFile = ({items}: State, file: string): boolean =>
	items.filter(item => item.kind === 'question' && item.file?.id === file).length > 1;

const recordOf = (state: State, item: ItemOf<'question'>): QuestionRecord => ({
	item: item.id,
	id: outerId(state, item),
	agent: item.agent,
	group: item.group,
	question: item.question,
	askedAt: item.opened,
	deadline: clockAt(item.deadline, state),
	escalated: item.escalated === true,
	...defined({
		workStatus: item.workStatus,
		file: item.file,
	}),
});

const closedBy = (before: State, event: Event, record: QuestionRecord, awake: Awake): Closed => {
	if (event.kind !== 'user.decided' || event.item !== record.item || event.choice === snoozeWord) {
		return {how: 'gone', at: event.at};
	}

	return {
		how: 'answered',
		at: event.at,
		answer: event.choice,
		...defined({note: event.note}),
		by: event.by,
		from: channelOf(event),
		responseMs: Math.max(0, elapsedMs(record.askedAt, event.at)),
		path: pathOf(before, record, awake),
	};
};

type Decided = EventOf<'user.decided'>;

const channelOf = ({asker, by, owner}: Decided): string => {
	if (by === 'file') {
		return `a file of user ${owner ?? 'unknown'}`;
	}

	// The answer came from the browser, not from the terminal of the program that serves the page.
	if (by === 'web') {
		return 'the browser';
	}

	if (asker?.token !== undefined) {
		return `a script, by the token ${asker.token}`;
	}

	return asker?.tty ?? (asker && commandIn(asker.way)) ?? 'unknown';
};

/** Returns a command line without the paths of this program and Node.js. */
const commandIn = (way: string): string =>
	way.replace(/^(?:\S+ )?\S*\/delegate-tui(?:\.c?js)?(?= |$)/, 'delegate-tui');

/** Returns whether the agent waits for the answer; an agent that polls a file waits until its own timeout. */
const isAwaited = ({deadline, file}: ItemOf<'question'>, awake: Awake): boolean =>
	file !== undefined || awake <= deadline;

const pathOf = (before: State, record: QuestionRecord, awake: Awake): AnswerPath => {
	const isLive = agentOf(before, record.agent)?.turn.phase === 'live';
	const item = before.items.find(({id}) => id === record.item);
	if (item?.kind !== 'question') {
		return 'late';
	}

	if (isLive && !record.escalated) {
		return isAwaited(item, awake) ? 'quick' : 'late';
	}

	return item.holds ? 'escalated' : 'late';
};

/**
Returns the line of an answered question in the audit log: time, id, question, answer, seconds and path, between bars.

Bars, backslashes and line ends in a field are escaped, so that each answer is one line and its fields can be split.
*/
export const auditLine = (
	{id, question}: QuestionRecord,
	{at, answer, responseMs, path}: Extract<Closed, {how: 'answered'}>,
): string =>
	[
		at.replace(/\.\d+Z$/, 'Z'),
		id,
		question.question,
		answer,
		`${Math.floor(responseMs / 1000)}s`,
		path,
	]
		.map(escaped)
		.join(' | ');

const escaped = (field: string): string =>
	field
		.replaceAll('\\', '\\\\')
		.replaceAll('|', '\\|')
		.replaceAll('\r', '\\r')
		.replaceAll('\n', '\\n');
