import type {BodyOf} from '../../events/event.ts';
import type {Reply} from '../../events/reply.ts';
import {defined} from '../../lib/values.ts';
import {withRequested} from '../agent/awaiting.ts';
import {workStatusOf} from '../agent/updates.ts';
import type {BlockerCommand, ItemOf, StopWork} from '../item.ts';
import {replied, withSkipped} from '../reply.ts';
import {itemOf} from '../select.ts';
import {type Skipped, type State, withAgent, withoutItems, withReplaced} from '../state.ts';
import {type Given, itemKind} from './kind.ts';
import {aborting, snapshotOffers, snapshotWords, whyNotJoin} from './offers.ts';

export const commandLogName = (item: string, {since}: Pick<BlockerCommand, 'since'>): string =>
	`${item}-${since}.log`;

/** Records the end of a command: success clears the blocker and tells the agent, failure leaves it open. */
export const commandEnded = (state: State, event: BodyOf<'command.ended'>): State => {
	const item = itemOf(state, event.item);
	if (item?.kind !== 'blocker' || item.command?.since !== event.since) {
		return state;
	}

	return event.code === 0
		? cleared(state, item, event)
		: withReplaced(state, {...item, command: failed(item.command, event)});
};

const failed = (
	{command, since}: BlockerCommand,
	{code, why, tail}: BodyOf<'command.ended'>,
): BlockerCommand => ({phase: 'failed', command, since, code, tail, ...defined({why})});

/** Maximum number of output lines in the reply to the agent. */
const quotedLines = 5;

const cleared = (
	state: State,
	item: ItemOf<'blocker'>,
	{command, code, tail}: BodyOf<'command.ended'>,
): State =>
	replied(
		withoutItems(state, ({id}) => id === item.id),
		item,
		{
			heading: 'BLOCKER RESOLVED',
			...saidIn(item),
			text: '',
			ran: {command, code, tail: tail.slice(-quotedLines)},
		},
	);

/** Returns a blocked agent's report, for the prompt that resumes its work. */
const saidIn = ({details, said}: ItemOf<'blocker'>): Omit<Reply, 'item' | 'heading' | 'text'> => ({
	about: details,
	...defined({
		work: said?.blocked_work,
		workStatus: said === undefined ? undefined : workStatusOf(said),
	}),
});

/** First words of commands that agents ask for; everyday words, such as `make`, are left out. */
const programs =
	'npm|npx|pnpm|yarn|corepack|pip3?|python3|poetry|cargo|rustup|cmake|composer|mvn|dotnet|docker|brew|apt-get|\\./[\\w./-]+';

/** Matches words that continue the sentence after a command. */
const notOfCommands = /\s(?:has|have|is|was|must|should|to|in|so|and|before|first|then|again)\s.*$/;

/** Returns the command that an agent's words ask for, if they look like one; a person reads it before it runs. */
export const commandIn = (words: string | undefined): string | undefined => {
	const [, quoted] = /`([^`\n]+)`/.exec(words ?? '') ?? [];
	const [, plain] =
		new RegExp(`(?:^|[\\s:"'(])((?:${programs})\\s[^\\n.;,"')]+)`).exec(words ?? '') ?? [];
	return (quoted ?? plain?.replace(/\s*$/, ' ').replace(notOfCommands, ''))?.trim();
};

/** The agent's report of the blocker. */
export type BlockerDetail = {readonly details: string} & Partial<
	{
		/** Command that was last run for it. */
		readonly command: BlockerCommand;
		/** Command that the agent's words seem to ask for. */
		readonly proposed_command: string;
	} & Pick<
		StopWork,
		'blocker_type' | 'stop_reason' | 'blocked_work' | 'resume_requirements' | 'state_snapshot'
	>
>;

export type BlockerChoice =
	/** `cancel` ends the running command. */
	| {readonly verb: 'run' | 'cancel' | 'resolved' | 'retry' | 'skip' | 'abort'}
	| {readonly verb: 'retry-from'; readonly snapshot: number}
	/** Hands the blocked part on; the agent continues with the rest, or waits. */
	| {readonly verb: 'delegate' | 'delegate-wait'};

export const blocker = itemKind<'blocker', BlockerChoice, BlockerDetail>({
	choices: {
		run: {
			offer: (_, {command}) =>
				command?.phase === 'running'
					? undefined
					: {
							label: 'Run a command in its worktree',
							note: 'required',
							wants: 'which command to run',
						},
			staysOpen: () => true,
			decided: (state, item, {note = '', seq}) =>
				withReplaced(state, {...item, command: {phase: 'running', command: note, since: seq}}),
		},
		cancel: {
			offer: (_, {command}) =>
				command?.phase === 'running' ? {label: 'End the command that runs'} : undefined,
			staysOpen: () => true,
			decided: (state, item) =>
				item.command === undefined
					? state
					: withReplaced(state, {...item, command: {...item.command, phase: 'cancelled'}}),
		},
		resolved: {
			offer: {label: 'The blocker is gone', note: 'optional'},
			decided: (state, item, given) =>
				replied(state, item, {heading: 'BLOCKER RESOLVED', ...toldOf(item, given)}),
		},
		retry: {
			offer: {label: 'Try again from here', note: 'optional'},
			decided: (state, item, given) =>
				replied(state, item, {heading: 'ERROR FIXED', ...toldOf(item, given)}),
		},
		skip: {
			offer: {label: 'Skip it and go on', note: 'optional'},
			decided: (state, item, given) =>
				replied(withSkipped(state, skippedIn(item, given)), item, {
					heading: 'SKIP',
					...toldOf(item, given),
				}),
		},
		delegate: {
			offer: {label: 'Give this part to another agent', note: 'optional'},
			whyNotWith: (state, _, {subtask}) => whyNotJoin(state, subtask, ''),
			decided: (state, item, given) => delegated(state, item, given, false),
		},
		'delegate-wait': {
			offer: {label: 'Give it to another agent, and wait for its work', note: 'optional'},
			whyNotWith: (state, {agent}, {subtask}) => whyNotJoin(state, subtask, agent),
			decided: (state, item, given) => delegated(state, item, given, true),
		},
		'retry-from': {
			offer: snapshotOffers(
				'retry-from',
				snapshot => `Set its worktree back to ${snapshot}, and try again`,
			),
			words: snapshotWords,
			decided: (state, item, given, {snapshot}) =>
				withAgent(
					replied(state, item, {heading: 'ERROR FIXED', ...toldOf(item, given), from: snapshot}),
					item.agent,
					agent => ({...agent, restore: snapshot}),
				),
		},
		abort: aborting,
	},
	holdsUp: () => true,
	called: 'a blocker',
	title: (_, {details}) => `Blocked: ${details}`,
	detail: (_, {details, said, command}) => ({
		details,
		...defined({
			blocker_type: said?.blocker_type,
			stop_reason: said?.stop_reason,
			blocked_work: said?.blocked_work,
			resume_requirements: said?.resume_requirements,
			state_snapshot: said?.state_snapshot,
			command,
			proposed_command: commandIn(said?.resume_requirements ?? details),
		}),
	}),
});

const toldOf = (item: ItemOf<'blocker'>, {note = ''}: Given) => ({...saidIn(item), text: note});

const skippedIn = ({id, agent, details, said}: ItemOf<'blocker'>, {at, note}: Given): Skipped => ({
	...{at, agent, item: id, what: said?.blocked_work ?? details, why: details},
	...defined({note}),
});

/** Hands the blocked part on. The note is already in the new agent's subtask. */
const delegated = (
	state: State,
	item: ItemOf<'blocker'>,
	{subtask}: Given,
	waits: boolean,
): State =>
	subtask === undefined
		? state
		: withRequested(state, {by: item.agent, waits}, subtask, {
				item: item.id,
				heading: 'PARTIAL RESUME',
				text: '',
				...saidIn(item),
			});
