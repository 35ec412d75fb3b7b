import type {Event} from '../events/event.ts';
import type {Agent} from './agent.ts';
import {broughtBack, landed, moveRefused, undoRefused} from './apply-landing.ts';
import {splitChoice} from './choice.ts';
import type {ItemOf} from './item.ts';
import {isUndoTo} from './landing.ts';
import type {Built, Resolution, Verified} from './merge.ts';
import {acceptedAgents} from './select.ts';
import {type State, withAgent, withItem, withoutItems} from './state.ts';
import {voidMerge} from './void-merge.ts';

type EventOf<Kind extends Event['kind']> = Extract<Event, {kind: Kind}>;
type Decided = EventOf<'user.decided'>;

/** Publishing moves the target itself, which voids nothing. */
export const targetMoved = (state: State, event: EventOf<'target.moved'>): State => {
	const seen: State = {...state, session: state.session && {...state.session, tip: event.to}};
	return voidMerge(seen, ['target']);
};

export const conflictFound = (state: State, event: EventOf<'conflict.found'>): State => {
	const {kind: _, seq: __, at: ___, ...conflict} = event;
	return withItem(state, {kind: 'conflict', ...conflict, manual: {phase: 'none'}});
};

/** A conflict that no build finds any more is gone, whatever was being done about it. */
export const conflictGone = (state: State, event: EventOf<'conflict.gone'>): State =>
	withoutItems(state, ({id}) => id === event.conflict);

export const conflictDecided = (state: State, event: Decided, item: ItemOf<'conflict'>): State => {
	const {verb, argument} = splitChoice(event.choice);
	switch (verb) {
		case 'manual':
			return {
				...state,
				items: state.items.map(other =>
					other.id === item.id ? {...item, manual: {phase: 'wanted'}} : other,
				),
			};
		case 'done':
			return resolved(state, item, {choice: 'manual', files: event.files ?? []});
		case 'choose-one':
			return resolved(state, item, {
				choice: 'choose-one',
				winner: item.a.join('+') === argument ? item.a : item.b,
			});
		case 'sequential':
			return reworked(withoutConflict(state, item), event, item, argument);
		default:
			return withAgent(voidMerge(withoutConflict(state, item), [argument]), argument, agent => ({
				...agent,
				verdict: {kind: 'doomed', why: 'taken out of the merge by a person'},
			}));
	}
};

const withoutConflict = (state: State, item: ItemOf<'conflict'>): State =>
	withoutItems(state, ({id}) => id === item.id);

type Outcome = Resolution extends infer R
	? R extends Resolution
		? Omit<R, 'path' | 'a' | 'b'>
		: never
	: never;

/** Building goes on once the last open conflict has its resolution. */
const resolved = (state: State, item: ItemOf<'conflict'>, outcome: Outcome): State => {
	const closed = withoutConflict(state, item);
	const open = closed.items.some(({kind}) => kind === 'conflict');
	return {
		...closed,
		merge: open ? closed.merge : {phase: 'none'},
		resolutions: [...closed.resolutions, {path: item.path, a: item.a, b: item.b, ...outcome}],
	};
};

/** The later agent works on top of the earlier ones and brings its changes in again. */
const reworked = (
	state: State,
	event: Decided,
	item: ItemOf<'conflict'>,
	argument: string,
): State => {
	const end = argument.lastIndexOf(',');
	const later = argument.slice(end + 1);
	const onto = argument
		.split(',')
		.slice(0, -1)
		.filter(name => name !== 'target');
	return withAgent(voidMerge(state, [later]), later, agent => ({
		...agent,
		verdict: {kind: 'none'},
		rework: onto,
		replies: [
			...agent.replies,
			{
				item: item.id,
				heading: 'MERGE CONFLICT',
				about: `${item.path}: ${item.summary}`,
				text: event.note ?? '',
			},
		],
	}));
};

export const mergeBuilt = (state: State, event: EventOf<'merge.built'>): State => {
	const {kind: _, seq, at, ...built} = event;
	return {...state, merge: {phase: 'built', built, due: {seq, at}}};
};

export const verifyEnded = (state: State, event: EventOf<'verify.ended'>): State => {
	const {merge} = state;
	if (merge.phase !== 'built' || merge.built.commit !== event.commit) {
		return state;
	}

	const {ok, commands, log} = event;
	const verified: State = {
		...state,
		merge: {phase: 'verified', built: merge.built, verified: {ok, commands, log}},
	};
	return ok
		? withApproval(verified, merge.built)
		: withItem(verified, {kind: 'verify', commit: event.commit, why: failedCommand(event)});
};

const failedCommand = ({commands}: Pick<Verified, 'commands'>): string => {
	const failed = commands.find(({code}) => code !== 0);
	return failed === undefined
		? 'the check failed'
		: `\`${failed.command}\` ${failed.code === null ? 'could not run to its end' : `exited with code ${failed.code}`}`;
};

const withApproval = (
	state: State,
	{commit, tree, tip}: Built,
	refused?: {readonly message: string; readonly hint: string},
): State =>
	withItem(state, {
		kind: 'approval',
		commit,
		tree,
		tip,
		...(refused === undefined ? {} : {refused}),
	});

/** What a person made of a built and checked result. */
export const resultDecided = (
	state: State,
	event: Decided,
	item: ItemOf<'verify'> | ItemOf<'approval'>,
): State => {
	if (state.merge.phase !== 'verified') {
		return buildDecided(state, event);
	}

	const {built, verified} = state.merge;
	switch (`${item.kind} ${event.choice}`) {
		case 'verify retry':
			return {...state, merge: {phase: 'built', built, due: {seq: event.seq, at: event.at}}};
		case 'verify feedback':
			return sentBack(state, event, failedCommand(verified));
		case 'verify accept':
			return withApproval(state, built);
		case 'approval approve':
			return {...state, merge: {phase: 'approved', built, verified, approval: item.id}};
		case 'approval reject':
			return reopened(state);
		default:
			return {
				...state,
				agents: state.agents.map(agent =>
					built.agents.includes(agent.id) ? doomed(agent) : agent,
				),
			};
	}
};

/** A build that failed is tried again, or everybody's work is given up. */
const buildDecided = (state: State, event: Decided): State => {
	const again = voidMerge(state, []);
	switch (event.choice) {
		case 'feedback':
			return sentBack(again, event, 'it could not be put together');
		case 'abort':
			return acceptedAgents(again).reduce((given, {id}) => withAgent(given, id, doomed), again);
		default:
			return again;
	}
};

const doomed = (agent: Agent): Agent => ({
	...agent,
	verdict: {kind: 'doomed', why: 'aborted by a person after the check'},
});

const sentBack = (state: State, event: Decided, why: string): State =>
	acceptedAgents(state).reduce(
		(sent, {id}) =>
			withAgent(sent, id, agent => ({
				...agent,
				verdict: {kind: 'none'},
				replies: [
					...agent.replies,
					{
						item: event.item,
						heading: 'REVIEW FEEDBACK',
						about: `The check of all agents' work together failed: ${why}.`,
						text: event.note ?? '',
					},
				],
			})),
		voidMerge(state, []),
	);

/** A result that was rejected leaves everybody's work where it was, to be reviewed again. */
const reopened = (state: State): State =>
	acceptedAgents(state).reduce(
		(open, agent) =>
			withItem(
				withAgent(open, agent.id, accepted => ({...accepted, verdict: {kind: 'none'}})),
				agent.state === 'FAILED'
					? {kind: 'failure', agent: agent.id, why: agent.why}
					: {kind: 'review', agent: agent.id, trouble: 'a person rejected the merged result'},
			),
		voidMerge(state, []),
	);

export const mergeIntended = (state: State, {at}: EventOf<'merge.intended'>): State =>
	state.merge.phase === 'approved'
		? {...state, merge: {...state.merge, phase: 'intended', since: at}}
		: state;

/** What was agreed on about this result is spent; agents that are still at work will stand on it. */
export const mergePublished = (state: State, event: EventOf<'merge.published'>): State => {
	const {merge} = state;
	if (merge.phase === 'intended' && merge.built.commit === event.commit) {
		const published: State = {...state, merge: {phase: 'published', built: merge.built}};
		return landed({...published, resolutions: []}, event);
	}

	return broughtBack(state, event);
};

export const mergeRefused = (before: State, event: EventOf<'merge.refused'>): State => {
	const state = moveRefused(before, event);
	const isOutrun = event.cause === 'target-moved' || event.cause === 'settings-changed';
	return isUndoTo(state.landing, event.commit)
		? undoRefused(state)
		: isOutrun && state.merge.phase === 'intended'
			? outrun(state, event.cause === 'target-moved' ? ['target'] : [])
			: publishRefused(state, event);
};

/** What a result was approved on has moved, the target or what the person's git goes by: another is built. */
const outrun = (state: State, changed: readonly string[]): State =>
	voidMerge({...state, merge: {phase: 'none'}}, changed);

/**
The approval is spent with the try; a person is asked again, and told why.

Where the target moved meanwhile there is nothing to ask about any more: `targetMoved` left this merge standing only
for the length of the try.
*/
export const publishRefused = (
	state: State,
	{message, hint}: {readonly message: string; readonly hint: string},
): State => {
	if (state.merge.phase !== 'intended') {
		return state;
	}

	const {built, verified} = state.merge;
	return state.session?.tip === built.tip
		? withApproval({...state, merge: {phase: 'verified', built, verified}}, built, {message, hint})
		: outrun(state, ['target']);
};
