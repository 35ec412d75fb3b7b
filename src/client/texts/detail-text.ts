import {formatDuration} from '../../lib/text/duration.ts';
import {withoutColors} from '../../lib/text/sanitize.ts';
import {enumerated, shortOid, valueLines} from '../../lib/text/words.ts';
import type {InboxItem} from '../../rules/inbox.ts';
import type {Question} from '../../signals/index.ts';
import {checkText} from '../../state/agent/compared.ts';
import type {BlockerCommand, Kind} from '../../state/item.ts';
import type {ResultDetail, WorkDetail} from '../../state/items/work-detail.ts';
import {evidenceText} from '../../state/merge/attribution-text.ts';
import type {RivalsDetail} from '../../state/rivals/rivals-detail.ts';
import {documentsFact, type PlanFact, planFacts, subtaskFacts} from './plan-text.ts';
import {
	changesSaid,
	comparisonLines,
	countText,
	type Fact,
	factLines,
	reportedText,
	testsSaid,
} from './reported-text.ts';

/** Returns how much an agent may use, and what it said of its work when that was used up. */
const limitText = ({
	of,
	used,
	allowed,
	progress,
	changes = [],
}: InboxItem<'limit'>): readonly string[] =>
	factLines([
		...(allowed === null ? [] : [allowanceOf(of, used ?? 0, allowed)]),
		['Progress, it says', progress ? `${progress} %` : undefined],
		...changesSaid(changes),
	]);

const allowanceOf = (of: InboxItem<'limit'>['of'], used: number, allowed: number): Fact => {
	switch (of) {
		case 'work':
		case 'near':
		case 'start':
			return ['It may work for', formatDuration(allowed)];
		case 'tokens':
		case 'tokens-near':
			return ['Tokens', `${countText(used)} of ${countText(allowed)}`];
		case 'turns':
			return ['Turns since your last word or a change', `${used} of ${allowed}`];
		case 'files':
			return ['Files', `${used} of ${allowed}`];
	}
};

/** Returns what a blocked agent said, and what became of the command that was last run for it. */
const blockerText = (item: InboxItem<'blocker'>): readonly string[] => [
	...factLines([
		['Kind', item.blocker_type],
		['Why it stops', item.stop_reason],
		['Blocked work', item.blocked_work],
		['To go on it needs', item.resume_requirements],
		...valueLines(item.state_snapshot).map((line): Fact => ['Where it stood', line]),
	]),
	...(item.command === undefined ? [] : commandLines(item.command)),
	...factLines([['It seems to ask for', item.proposed_command]]),
];

/** Returns a command with how it stands, such as `npm ci` failed with exit code 1. */
export const commandText = (command: BlockerCommand): string =>
	`\`${command.command}\` ${standingOf(command)}`;

const commandLines = (command: BlockerCommand): readonly string[] => [
	commandText(command),
	...(command.phase === 'failed' ? command.tail : []).map(
		line => `It printed: ${withoutColors(line)}`,
	),
];

const standingOf = (command: BlockerCommand): string => {
	switch (command.phase) {
		case 'running':
			return 'is running in its worktree';
		case 'cancelled':
			return 'was ended by you';
		case 'failed':
			return command.code === null
				? (command.why ?? 'was ended by a signal')
				: `failed with exit code ${command.code}`;
	}
};

/** Returns what there is to know of a question besides its words, a line for each. */
const questionText = (item: InboxItem<'question'>): readonly string[] => {
	const {asked_at, context, blocked_at, current_state, rejected, files} = item;
	return factLines([
		['Asked', asked_at],
		['Why', context],
		['Stopped at', blocked_at],
		['So far', current_state],
		['Expects', expectedAnswer(item).join(', ')],
		...waitFacts(item),
		['Last answer', rejected],
		['Files', files],
		['Also asked', sameText(item)],
	]);
};

/** Only what is true while it is read: who is parked waits until no time. */
const waitFacts = ({waits, deadline, paused_at}: InboxItem<'question'>): readonly Fact[] => {
	switch (waits) {
		case 'until':
			return [['Waits until', deadline]];
		case 'paused':
			return [['Clock', `paused since ${paused_at}`]];
		case 'left':
			return [['Left to you', 'its agent goes on with your answer']];
		case 'file':
			return [['Waits', 'it looks for your answer in a file, for as long as it chose']];
		case 'parked':
			return [['Parked', 'its agent goes on with your answer, whenever you give it']];
		case 'goes-on':
			return [['Meanwhile', 'its agent goes on without waiting']];
	}
};

/** Names the other agents that ask the same, and how to answer them all at once. */
const sameText = ({id, same}: InboxItem<'question'>): string | undefined =>
	same === undefined
		? undefined
		: `${same.map(({agent, item}) => `${agent} asks the same (${item})`).join(', ')}; delegate-tui answer ${id} ANSWER --same is for all of them`;

/**
Returns what there is to know of an item between its title and its choices, a line each, in the words they came in.

@param store The supervisor's git repository: nobody should have to accept what can't be looked at.
*/
export const detailText = <K extends Kind>(item: InboxItem<K>, store: string): readonly string[] =>
	texts[item.kind](item, store);

const texts: {
	readonly [K in Kind]: (item: InboxItem<K>, store: string) => readonly string[];
} = {
	plan: item => planText(item),
	question: questionText,
	checkpoint: (item, store) => [...checkpointText(item), ...workText(item, store)],
	blocker: blockerText,
	delegation: item => delegationText(item),
	scope: item => factLines([['Why', item.reason]]),
	permission: () => [],
	review: (item, store) => [...reportedText(item), ...workText(item, store), ...rivalsText(item)],
	limit: limitText,
	failure: (item, store) => [...reportedText(item), ...workText(item, store), ...rivalsText(item)],
	conflict: item => conflictText(item),
	verify: (item, store) => resultText(item, store),
	approval: (item, store) => [
		...(item.refused === undefined ? [] : [`Hint: ${item.refused.hint}`]),
		...resultText(item, store),
	],
};

const planText = ({
	plan,
	target = '',
	documents,
	warnings,
	sets = {},
}: InboxItem<'plan'>): readonly string[] => [
	...(plan === undefined
		? []
		: [
				...planLines(planFacts(plan, target)),
				...plan.agents.flatMap(agent => [
					`${agent.id}: ${agent.subtask}`,
					...planLines(subtaskFacts(agent, plan, sets[agent.id] ?? {})).map(line => `  ${line}`),
				]),
			]),
	...(documents ? planLines([documentsFact]) : []),
	...warnings,
];

const planLines = (facts: readonly PlanFact[]): readonly string[] =>
	factLines(facts.map(({name, text}): Fact => [name, text]));

const rivalsText = ({rivals}: RivalsDetail): readonly string[] =>
	rivals === undefined ? [] : comparisonLines(rivals);

const workText = (
	{notes = [], outside = [], blocked = [], tests_run, reviewed, from, to}: Partial<WorkDetail>,
	store: string,
): readonly string[] => [
	...factLines([
		['The plan’s checks of this work', tests_run ? checkText(tests_run) : undefined],
		['Reverted, out of its scope', outside],
		['Blocked, out of its scope', blocked],
	]),
	...notes.map(note => `worth a look: ${note}`),
	...(from === undefined || to === undefined || from === to
		? []
		: [`look at it: git --git-dir='${store}' diff ${shortOid(from)} ${shortOid(to)}`]),
	...(reviewed && to !== undefined
		? [
				`since its last checkpoint: git --git-dir='${store}' diff ${shortOid(reviewed.commit)} ${shortOid(to)}`,
			]
		: []),
];

const resultText = (
	{notes = [], outside = [], compared, log, from, to}: Partial<ResultDetail>,
	store: string,
): readonly string[] => [
	...outside.map(({agent, path}) => `Reverted, out of the scope of ${agent}: ${path}`),
	...workText({notes}, store),
	...(compared === undefined ? [] : [compared]),
	...(from === undefined || to === undefined ? [] : workText({from, to}, store)),
	...(log ? [`its check:  ${log.path}, in the session’s folder`] : []),
];

const checkpointText = (item: InboxItem<'checkpoint'>): readonly string[] =>
	factLines([...changesSaid(item.changes), ['Tests, it says', testsSaid(item.tests)]]);

const delegationText = (item: InboxItem<'delegation'>): readonly string[] =>
	factLines(judgedDelegation(item).map((one): Fact => [one.about, judgedText(one)]));

/** What collides, with the lines of both sides: of what breaks although git merges it a person sees nothing in any diff. */
const conflictText = (item: InboxItem<'conflict'>): readonly string[] => {
	const {type, rule, a, b, evidence} = item;
	return [
		`${type} ${rule}`,
		`${a.join('+')}: ${evidenceText(evidence, 'a')}`,
		`${b.join('+')}: ${evidenceText(evidence, 'b')}`,
		...('confirmed' in item && item.confirmed !== undefined
			? [`confirmed by ${item.confirmed.by}: ${item.confirmed.text}`]
			: []),
		...('breaks' in item ? (item.breaks ?? []) : []).map(
			one => `breaks besides, whichever side is taken: ${one.summary}`,
		),
	];
};

/** Something that the rules looked at, and what they found; `holds` is absent where they only tell it. */
export type Judged = {
	readonly about: string;
	readonly holds?: boolean;
	readonly found: string;
};

/** Returns what the rules say of work that an agent wants to hand on: whether it is justified and independent, whether a slot is free, who may write the same. */
export const judgedDelegation = ({
	agent = 'its agent',
	doubts,
	depth,
	deepest,
	independent,
	place_free,
	overlap,
	coordination,
}: Pick<
	InboxItem<'delegation'>,
	| 'agent'
	| 'doubts'
	| 'depth'
	| 'deepest'
	| 'independent'
	| 'place_free'
	| 'overlap'
	| 'coordination'
>): readonly Judged[] => [
	...(doubts.length === 0
		? [{about: 'Justified', holds: true, found: 'nothing speaks against it'}]
		: doubts.map(found => ({about: 'Justified', holds: false, found}))),
	...(depth === 1
		? []
		: [{about: 'Depth', holds: depth <= deepest, found: `${depth} of ${deepest} at most`}]),
	{
		about: 'Independent',
		holds: independent,
		found: independent
			? `${agent} goes on with its own work`
			: `${agent} waits until that work is accepted`,
	},
	{
		about: 'A place',
		holds: place_free,
		found: place_free ? 'is free' : 'is not free; it waits for one',
	},
	{
		about: 'Overlap',
		holds: overlap.length === 0,
		found:
			overlap.length === 0
				? 'nobody may write what it may'
				: `it may write what ${enumerated(overlap)} may, unless its scope is edited`,
	},
	...(coordination === undefined ? [] : [{about: 'To agree on', found: coordination}]),
];

/** Returns what was found with its mark. */
export const judgedText = ({holds, found}: Judged): string =>
	holds === undefined ? found : `${holds ? '✓' : '✗'} ${found}`;

/** Returns what an answer to a question must be like, a phrase each; nothing where any text is one. */
export const expectedAnswer = (
	{type, pattern, multi, required}: Pick<Question, 'type' | 'pattern' | 'multi' | 'required'>,
	/** How several options are told, where they are not typed. */
	severally = 'separated by commas',
): readonly string[] =>
	[
		pattern === undefined || type !== 'regex' ? kindOfText(type) : undefined,
		pattern === undefined ? undefined : `a text that matches ${pattern}`,
		multi === true ? `one or several options, ${severally}` : undefined,
		required ? undefined : 'only if you have one',
	].filter(phrase => phrase !== undefined);

/** That it is one of the options is seen by them. */
const kindOfText = (type: Question['type']): string | undefined => {
	switch (type) {
		case 'yes-no':
			return 'yes or no';
		case 'number':
			return 'a number';
		case 'path':
			return 'a path in its worktree, within its scope';
		case 'regex':
			return 'a regular expression';
		case 'choice':
		case 'text':
		case undefined:
			return undefined;
	}
};
