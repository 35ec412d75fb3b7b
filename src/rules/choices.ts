import type {Question} from '../signals/index.ts';
import type {Item, ItemOf} from '../state/item.ts';
import {agentOf} from '../state/select.ts';
import type {State} from '../state/state.ts';

/** One way to decide an item. */
export type Choice = {
	/** What is typed; a part in capitals stands for what the person fills in. */
	readonly choice: string;
	readonly label: string;
	/** Whether the decision needs a note. */
	readonly note?: 'required' | 'optional';
};

/** Returns the ways to decide an item, in the order in which they are shown. */
export const choicesOf = (state: State, item: Item): readonly Choice[] => {
	switch (item.kind) {
		case 'plan':
			return [
				{choice: 'approve', label: 'Start the agents'},
				{choice: 'edit', label: 'Replace it by another plan file'},
				{choice: 'reject', label: 'End the session'},
			];
		case 'question':
			return [...options(item.question), {choice: 'snooze', label: 'Look at it later'}];
		case 'checkpoint':
			return [
				{choice: 'continue', label: 'Let it go on', note: 'optional'},
				{choice: 'merge', label: 'Accept its work as it is'},
				{choice: 'help', label: 'Let it go on with your advice', note: 'required'},
				...restores(state, item),
				{choice: 'abort', label: 'End this agent; its work is kept'},
			];
		case 'blocker':
			return [
				{choice: 'resolved', label: 'The blocker is gone', note: 'optional'},
				{choice: 'retry', label: 'Try again from here', note: 'optional'},
				{choice: 'skip', label: 'Skip it and go on', note: 'optional'},
				{choice: 'delegate', label: 'Give this part to another agent', note: 'optional'},
				{choice: 'abort', label: 'End this agent; its work is kept'},
			];
		case 'delegation':
			return [
				{choice: 'approve', label: 'Add an agent for it'},
				{choice: 'edit', label: 'Add an agent for what the note says', note: 'required'},
				{choice: 'reject', label: 'No', note: 'optional'},
			];
		case 'scope':
			return [
				{choice: 'once', label: 'Allow these paths'},
				{choice: 'widen', label: 'Add the globs of the note to its scope', note: 'optional'},
				{choice: 'refuse', label: 'Stay in the scope', note: 'optional'},
				{choice: 'abort', label: 'End this agent; its work is kept'},
			];
		case 'permission':
			return [
				{choice: 'once', label: 'Let it do this, this once'},
				{choice: 'refuse', label: 'No; it is told why', note: 'optional'},
				{choice: 'abort', label: 'End this agent; its work is kept'},
			];
		case 'review':
			return [
				{choice: 'merge', label: 'Accept its work into the merge'},
				{choice: 'feedback', label: 'Send it back with your note', note: 'required'},
				{choice: 'abort', label: 'Leave its work out; it is kept'},
			];
		case 'limit':
			return [
				{choice: 'extend', label: 'Give it as much time again'},
				...(item.of === 'start' ? [] : [{choice: 'complete', label: 'Take its work as finished'}]),
				{choice: 'abort', label: 'End this agent; its work is kept'},
			];
		case 'failure':
			return [
				{choice: 'retry', label: 'Start it again where it stood'},
				...retriesFrom(state, item),
				{
					choice: 'salvage',
					label: 'Merge what it did (all, or the globs of the note)',
					note: 'optional',
				},
				{choice: 'abandon', label: 'Leave its work out; it is kept'},
			];
		case 'conflict':
			return conflictChoices(item);
		case 'verify':
			return [
				{
					choice: 'retry',
					label:
						item.gitSettings === undefined
							? 'Try it again'
							: 'Go on with your git settings as they are now',
				},
				...(item.gitSettings === undefined
					? [
							{
								choice: 'feedback',
								label: 'Send everybody back with what failed',
								note: 'optional',
							} as const,
						]
					: []),
				...(item.commit === ''
					? []
					: [{choice: 'accept', label: 'Go on to the approval all the same'}]),
				{choice: 'abort', label: 'Leave all of it out; it is kept'},
			];
		case 'approval':
			return [
				{choice: 'approve', label: 'Merge exactly this result'},
				{choice: 'reject', label: 'Back to the reviews'},
			];
	}
};

/** Returns whether any text is taken for an answer. */
export const takesAnyText = (item: Item): boolean => {
	if (item.kind !== 'question') {
		return false;
	}

	const {type, options} = item.question;
	return type === undefined ? options.length === 0 : !['choice', 'yes-no'].includes(type);
};

/** Returns whether a choice, as typed, is one that the item offers. */
export const offers = (state: State, item: Item, choice: string): boolean =>
	isOption(item, choice) ||
	(takesAnyText(item) && choice.trim() !== '') ||
	choicesOf(state, item).some(offered => offered.choice === choice);

const options = ({type, options}: Question): readonly Choice[] => {
	const words = options.length === 0 && type === 'yes-no' ? ['yes', 'no'] : options;
	return words.map(option => ({choice: option, label: option}));
};

/** Of a question that takes several options, a list of them separated by commas is one choice. */
const isOption = (item: Item, choice: string): boolean => {
	if (item.kind !== 'question' || !item.question.multi) {
		return false;
	}

	const words = choice.split(',').map(word => word.trim());
	return words.every(word => item.question.options.includes(word));
};

const restores = (state: State, item: ItemOf<'checkpoint'>): readonly Choice[] =>
	snapshotNumbers(state, item.agent).map(number => ({
		choice: `restore:${number}`,
		label: `Set its worktree back to snapshot ${number} and let it go on`,
		note: 'optional',
	}));

const retriesFrom = (state: State, item: ItemOf<'failure'>): readonly Choice[] =>
	snapshotNumbers(state, item.agent).map(number => ({
		choice: `retry-from:${number}`,
		label: `Start it again from snapshot ${number}`,
	}));

const snapshotNumbers = (state: State, agent: string): readonly number[] =>
	(agentOf(state, agent)?.snapshots ?? []).map(({number}) => number);

const conflictChoices = (item: ItemOf<'conflict'>): readonly Choice[] => {
	const [a, b] = [item.a.join('+'), item.b.join('+')];
	const manual =
		item.manual.phase === 'none'
			? {choice: 'manual', label: 'Resolve it by hand, in a folder'}
			: {choice: 'done', label: 'Take the file as it is in the resolution folder'};
	return [
		{choice: `choose-one:${a}`, label: `Take the side of ${a}`},
		{choice: `choose-one:${b}`, label: `Take the side of ${b}`},
		manual,
		...orders(item),
		...[...item.a, ...item.b]
			.filter(name => name !== 'target')
			.map(name => ({choice: `abort:${name}`, label: `Leave ${name} out of the merge`})),
	];
};

/** The last of an order is the one that works again; the target never does. */
const orders = ({a, b}: ItemOf<'conflict'>) =>
	[
		[a, b],
		[b, a],
	].flatMap(([first = [], second = []]) => {
		const later = second[0];
		return second.length === 1 && later !== undefined && later !== 'target'
			? [
					{
						choice: `sequential:${[...first, later].join(',')}`,
						label: `${later} brings its changes in again, on top of ${first.join('+')}`,
						note: 'optional' as const,
					},
				]
			: [];
	});
