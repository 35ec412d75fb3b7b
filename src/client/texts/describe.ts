import {filesText, type Sandbox} from '../../events/kinds/machine-event.ts';
import type {BreaksBesides} from '../../events/kinds/merge-event.ts';
import {formatDuration} from '../../lib/text/duration.ts';
import {inColumns} from '../../lib/text/markdown-table.ts';
import {withoutColors} from '../../lib/text/sanitize.ts';
import {counted, enumerated, sentenceCase, shortOid, valueLines} from '../../lib/text/words.ts';
import {defined, omit} from '../../lib/values.ts';
import type {InboxItem} from '../../rules/inbox.ts';
import {resultText} from '../../signals/definitions/result.ts';
import type {Checkpoint, Question} from '../../signals/index.ts';
import {signalText} from '../../signals/meaning.ts';
import {checkText} from '../../state/agent/compared.ts';
import {criterionText} from '../../state/agent/criteria.ts';
import {isOfLoad, loadKindOf} from '../../state/agent/load.ts';
import type {BlockerCommand, Kind} from '../../state/item.ts';
import type {ArbiterDetail} from '../../state/items/conflict/arbiter.ts';
import type {FailureDetail} from '../../state/items/failure.ts';
import {isNear} from '../../state/items/limit.ts';
import {waitText} from '../../state/items/question/wait.ts';
import {deniedWords} from '../../state/items/scope.ts';
import type {ReportDetail, ResultDetail, WorkDetail} from '../../state/items/work-detail.ts';
import {evidenceText} from '../../state/merge/attribution-text.ts';
import type {RivalsDetail} from '../../state/rivals/rivals-detail.ts';
import {type Block, blockLines, type Fact, factAbout, quote, type Weight} from './block.ts';
import {documentsFact, loadFacts, planFacts, subtaskFacts} from './plan-text.ts';
import {comparisonTable, countText, testsSaid} from './reported-text.ts';

/** Data of a reader besides the item. */
export type Live = {
	/** The supervisor's git repository, so that a person can look at the work before they accept it. */
	readonly store?: string;
	/** Output of a blocker's running command. */
	readonly printed?: readonly string[];
	/** Time of a question, and end of its agent's wait, in the reader's format. */
	readonly asked?: string;
	readonly when?: string | undefined;
	/** Ways to give several options, and one answer for all agents that ask the same. */
	readonly severally?: string;
	readonly together?: string;
	/** Path of a conflict to show, if git made its path up. */
	readonly path?: string;
	/** Maximum number of places of a conflict; the others are in its diffs. */
	readonly mostPlaces?: number;
};

/** Describes an item, between its title and its choices, in its agent's words. */
export const describe = <K extends Kind>(item: InboxItem<K>, live: Live = {}): readonly Block[] =>
	descriptions[item.kind]?.(item, live) ?? [
		facts(
			undefined,
			Object.entries(omit(item, 'id', 'kind', 'agent', 'title', 'free', 'choices')).flatMap(
				([name, value]) => factAbout(sentenceCase(name.replaceAll('_', ' ')), value),
			),
		),
	];

/** Returns the same as lines. */
export const detailText = (item: InboxItem, store: string): readonly string[] =>
	blockLines(describe(item, {store}));

/** Descriptions by kind; a kind without one is described by its data, name by name. */
const descriptions: {
	readonly [K in Kind]?: (item: InboxItem<K>, live: Live) => readonly Block[];
} = {
	plan: ({plan, target = '', documents, warnings, sandbox, sets = {}}) => [
		...(plan === undefined
			? []
			: [
					titled(
						list(
							'Look at the warnings',
							warnings.length > 1
								? [`${counted(warnings.length, 'warning')}, below the agents`]
								: warnings,
							{weight: 'warn'},
						),
					),
					facts('Plan', [...factAbout('Task', plan.task), ...planFacts(plan, target)]),
					...plan.agents.map(agent => ({
						block: 'part' as const,
						heading: `${agent.id}: ${agent.subtask}`,
						blocks: [facts(undefined, subtaskFacts(agent, plan, sets[agent.id] ?? {}))],
					})),
				]),
		...(documents ? [facts('Meanwhile', [documentsFact])] : []),
		...protection(sandbox),
		list('Warnings', warnings, {name: '', weight: 'warn'}),
	],
	question: (item, {asked, when, severally, together}) => {
		const {waits, deadline, same = []} = item;
		return [
			titled(
				quote(
					`${item.agent} asks${item.urgent === true ? ', and calls it urgent' : ''}`,
					item.title,
					{weight: 'strong'},
				),
			),
			quote('Why', item.context),
			quote('So far', item.current_state),
			facts('About this question', [
				...factAbout('Asked', asked ?? item.asked_at),
				...factAbout('Stopped at', item.blocked_at),
				...factAbout('Expects', expectedAnswer(item, severally).join(', ')),
				...factAbout('Meanwhile', waitText(waits, when ?? (deadline && `until ${deadline}`))),
				...factAbout('Last answer', item.rejected),
				...factAbout('Files', item.files),
				...factAbout(
					'Also asked',
					same.length === 0
						? undefined
						: `${same.map(({agent, item: id}) => `${agent} asks the same (${id})`).join(', ')}; ${together ?? `delegate-tui answer ${item.id} ANSWER --same is for all of them`}`,
				),
			]),
		];
	},
	checkpoint: (item, {store}) => [
		changesBlock(item.changes),
		facts('Tests', factAbout('Tests, it says', testsSaid(item.tests))),
		...workBlocks(item, store),
	],
	blocker: (item, {printed}) => [
		titled(quote(`${item.agent} is blocked`, item.details, {weight: 'warn'})),
		quote('To go on it needs', item.resume_requirements),
		...(item.command === undefined ? [] : commandBlocks(item.command, printed)),
		quote('It seems to ask for', item.proposed_command, {exact: true}),
		facts('What it says about that', [
			...factAbout('Kind', item.blocker_type),
			...factAbout('Why it stops', item.stop_reason),
			...factAbout('Blocked work', item.blocked_work),
		]),
		quote('Where it stood', valueLines(item.state_snapshot)),
	],
	delegation: item => [
		titled(
			quote(`${item.agent} wants another agent to do this`, item.title.replace(/^[^:]*: /, ''), {
				weight: 'strong',
			}),
		),
		facts('What the rules say', judgedDelegation(item)),
	],
	scope: ({agent, paths, reason, access}) => [
		titled(
			quote(
				access === undefined
					? `${agent} wants to write outside its scope`
					: `${agent} was kept from ${deniedWords[access]}`,
				paths,
				{weight: 'strong', exact: true},
			),
		),
		quote('Why', reason),
	],
	permission: ({command, paths}) => [
		titled(
			quote('It would run', command, {weight: 'warn', exact: true}),
			quote('Paths', paths, {exact: true}),
		),
	],
	review: (item, {store}) => [
		...reportBlocks(item),
		...workBlocks(item, store),
		...rivalsBlocks(item),
	],
	limit: ({title, of, used, allowed, progress, changes = []}) => [
		titled({block: 'note', heading: title, text: limitText(of)}),
		facts('What it may use', [
			...(allowed === null ? [] : allowanceOf(of, used ?? 0, allowed)),
			...factAbout('Progress, it says', progress ? `${progress} %` : undefined),
		]),
		changesBlock(changes),
	],
	failure: (item, {store}) => [
		...setupBlocks(item),
		...reportBlocks(item),
		...workBlocks(item, store),
		...rivalsBlocks(item),
	],
	conflict: (item, live) => [collisionBlock(item, live), ...conflictBlocks(item)],
	verify: (item, {store}) => resultBlocks(item, store),
	approval: (item, {store}) => [
		...(item.refused === undefined ? [] : [note(`Hint: ${item.refused.hint}`)]),
		...(item.doubted === undefined
			? []
			: [
					note(
						`${item.doubted.join(' ')} Nothing is merged yet: approve again to merge it anyway, on the command line with --anyway.`,
					),
				]),
		quote('Its commit says', item.message),
		...resultBlocks(item, store),
		...protection(item.sandbox),
	],
};

const protection = (sandbox: Sandbox | undefined): readonly Block[] =>
	sandbox === undefined
		? []
		: [
				facts(
					undefined,
					factAbout('Sandbox', filesText(sandbox), sandbox.level === 'files' ? 'plain' : 'warn'),
				),
			];

const titled = (...blocks: readonly Block[]): Block => ({block: 'titled', blocks});

const facts = (heading: string | undefined, all: readonly Fact[]): Block => ({
	block: 'facts',
	...defined({heading}),
	facts: all,
});

const list = (
	heading: string,
	texts: readonly string[],
	more: {readonly name?: string; readonly weight?: Weight} = {},
): Block => ({block: 'list', heading, texts, ...more});

const note = (text: string): Block => ({block: 'note', text});

/** Returns the effect of a limit while a person decides. */
const limitText = (of: InboxItem<'limit'>['of']): string => {
	if (of === 'files') {
		return 'The turn that is under way goes on; the next one waits for your decision.';
	}

	if (of === 'start') {
		return 'It goes on by itself when that is done.';
	}

	return isNear({of})
		? 'It goes on while you decide; if you do nothing, it is paused once its limit is used up.'
		: 'It is paused and its work is pinned; nothing is lost, whatever you choose.';
};

const allowanceOf = (
	of: InboxItem<'limit'>['of'],
	used: number,
	allowed: number,
): readonly Fact[] => {
	if (isOfLoad(of)) {
		const kind = loadKindOf(of);
		const {heading, text} = loadFacts[kind];
		return factAbout(heading, `${text(used)} of ${text(allowed)}`);
	}

	switch (of) {
		case 'work':
		case 'near':
		case 'start':
			return factAbout('It may work for', formatDuration(allowed));
		case 'tokens':
		case 'tokens-near':
			return factAbout('Tokens', `${countText(used)} of ${countText(allowed)}`);
		case 'money':
		case 'money-near':
			return factAbout('Money', `$${used.toFixed(2)} of $${allowed.toFixed(2)}`);
		case 'turns':
			return factAbout('Turns since your last word or a change', `${used} of ${allowed}`);
		case 'files':
			return factAbout('Files', `${used} of ${allowed}`);
	}
};

const commandBlocks = (
	command: BlockerCommand,
	printed: readonly string[] = [],
): readonly Block[] => {
	const lines = printed.length === 0 && command.phase === 'failed' ? command.tail : printed;
	return [
		note(`\`${command.command}\` ${standingOf(command)}`),
		quote('It printed', lines.map(withoutColors)),
	];
};

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

/** Describes the output of the setup by which a start failed. */
export const setupBlocks = ({
	printed = [],
	hint,
}: Pick<FailureDetail, 'printed' | 'hint'>): readonly Block[] => [
	quote('It printed last', printed),
	...(hint === undefined ? [] : [note(`Hint: ${hint}`)]),
];

const rivalsBlocks = ({rivals}: RivalsDetail): readonly Block[] =>
	rivals === undefined
		? []
		: [list('The same subtask, done by several', inColumns(comparisonTable(rivals)), {name: ''})];

/** Describes an agent's report on its work as a whole. */
const reportBlocks = (said: Partial<ReportDetail>): readonly Block[] => [
	facts(undefined, factAbout('Ended', said.ended)),
	...updateBlocks(said),
	facts(undefined, [
		...factAbout('Delivered, it says', said.deliverables),
		...(said.criteria ?? []).flatMap(one => factAbout('Measured by', criterionText(one))),
		...factAbout('Measured, it says', said.metrics_achieved),
	]),
];

/** Describes an agent's report on its work except its metrics. */
export const updateBlocks = ({
	work_title: title,
	created,
	counts,
	summary,
	results = [],
	recommendations = [],
	phases = [],
	errors = [],
	findings = [],
}: Partial<ReportDetail>): readonly Block[] => [
	facts('It brings', [
		...factAbout('Title', title),
		...factAbout('Created, it says', created),
		...factAbout('Count', counts),
	]),
	quote('Summary', summary),
	list('It recommends', recommendations, {name: 'Recommends'}),
	list('Its results', results.map(resultText), {name: 'Result'}),
	list('It reported', [...phases, ...findings, ...errors].map(signalText)),
];

/** Describes the notes to read before anything is accepted. */
export const notesBlock = ({notes = []}: Pick<Partial<WorkDetail>, 'notes'>): Block =>
	list('Worth a look', notes, {name: 'worth a look', weight: 'warn'});

const workBlocks = (
	{notes, outside, blocked, tests_run, reviewed, from, to}: Partial<WorkDetail>,
	store: string | undefined,
): readonly Block[] => [
	facts(undefined, [
		...factAbout('The plan’s checks of this work', tests_run ? checkText(tests_run) : undefined),
		...factAbout('Reverted, out of its scope', outside),
		...factAbout('Blocked, out of its scope', blocked),
	]),
	notesBlock({...defined({notes})}),
	...diffNote('look at it', store, from, to),
	...diffNote('since its last checkpoint', store, reviewed?.commit, to),
];

const diffNote = (
	name: string,
	store: string | undefined,
	from: string | undefined,
	to: string | undefined,
): readonly Block[] =>
	store === undefined || from === undefined || to === undefined || from === to
		? []
		: [note(`${name}: git --git-dir='${store}' diff ${shortOid(from)} ${shortOid(to)}`)];

const resultBlocks = (
	{notes, outside = [], criteria = [], measured, compared, log, from, to}: Partial<ResultDetail>,
	store: string | undefined,
): readonly Block[] => [
	...outside.map(({agent, path}) => note(`Reverted, out of the scope of ${agent}: ${path}`)),
	notesBlock({...defined({notes})}),
	facts(undefined, [
		...criteria.flatMap(one => factAbout('Done when', criterionText(one))),
		...factAbout('Measured, it says', measured),
	]),
	...(compared === undefined ? [] : [note(compared)]),
	...diffNote('look at it', store, from, to),
	...(log ? [note(`its check:  ${log.path}, in the session’s folder`)] : []),
];

const changesBlock = (changes: Checkpoint['changes']): Block =>
	list(
		'Changed, it says',
		changes.map(({file, action, description}) =>
			[file, action, description].filter(Boolean).join(' · '),
		),
	);

/** Describes a breakage with the lines of both sides, since no diff shows it. */
const collisionBlock = (
	item: InboxItem<'conflict'>,
	{path = item.path, mostPlaces}: Live,
): Block => {
	const {type, rule, summary, evidence, confidence} = item;
	const breaks = rule !== 'F1';
	const confirmed = 'confirmed' in item ? item.confirmed : undefined;
	return facts(breaks ? 'What breaks, although git merges it' : 'Conflict', [
		...factAbout('File', `${path}  ${type} ${rule}`, 'strong'),
		...factAbout(breaks ? 'What' : 'Git says', summary),
		...(confirmed === undefined
			? factAbout(
					'Known by',
					breaks
						? `reading the code, with ${confidence} confidence; no type checker confirmed it`
						: undefined,
				)
			: factAbout('Confirmed', `${confirmed.by}: ${confirmed.text}`, 'bad')),
		...evidence
			.slice(0, mostPlaces)
			.flatMap(one => factAbout(item[one.side].join(' and '), evidenceText([one], one.side))),
	]);
};

/** Describes further facts about a conflict. */
const conflictBlocks = (item: InboxItem<'conflict'>): readonly Block[] => {
	const {doubted, arbiter} = item;
	return [
		facts(
			'Looks like a slip',
			doubted === undefined
				? []
				: [
						...doubted.doubts.flatMap(doubt => factAbout('File', doubt, 'bad')),
						...factAbout(
							'Then',
							`nothing is taken yet: choose "${doubted.choice}" again to take it anyway`,
						),
					],
		),
		...breaksBlocks('breaks' in item ? (item.breaks ?? []) : []),
		facts('A neutral agent was asked', arbiter === undefined ? [] : arbiterFacts(arbiter)),
	];
};

/** Describes further breakages for each way to settle the conflict. */
const breaksBlocks = (breaks: readonly BreaksBesides[]): readonly Block[] => {
	const ways = [undefined, ...new Set(breaks.flatMap(({after = []}) => after))];
	return ways.map(way =>
		list(
			way === undefined ? 'Also breaks, whichever side you take' : `Breaks after ${way}`,
			breaks
				.filter(({after}) => (way === undefined ? after === undefined : after?.includes(way)))
				.map(({type, rule, summary}) => `${summary} (${type} ${rule})`),
			{weight: 'bad'},
		),
	);
};

const arbiterFacts = ({agent, is, why, said, unheard, outside}: ArbiterDetail): readonly Fact[] => [
	...{
		'at work': factAbout('Stands', `${agent} works on a proposal; the board shows it`),
		done: factAbout(
			'Proposes',
			`"take:${agent}" takes its proposal; a preview shows what is left then`,
		),
		failed: factAbout('Stands', `${agent} failed: ${why}`, 'bad'),
	}[is],
	...factAbout('Says', said),
	...factAbout('Not told', unheard, 'warn'),
	...factAbout('Reverted', outside, 'warn'),
];

/** Returns the rules' assessment of a delegation: whether it is justified and independent, when it would start, and which scopes overlap. */
const judgedDelegation = (item: InboxItem<'delegation'>): readonly Fact[] => {
	const {agent = 'its agent', doubts, depth, deepest, chain, independent, overlap} = item;
	return [
		...(doubts.length === 0
			? judged('Justified', true, `nothing ${depth > deepest ? 'else ' : ''}speaks against it`)
			: doubts.flatMap(found => judged('Justified', false, found))),
		...(depth === 1
			? []
			: judged(
					'Depth',
					depth <= deepest,
					`handed on ${counted(depth, 'time')}, of ${deepest} at most: ${[...chain, 'the new agent'].join(' › ')}`,
				)),
		...(independent
			? judged('Independent', true, `${agent} goes on with its own work`)
			: judged('Independent', false, `${agent} waits until that work is accepted`)),
		...(item.place_free
			? judged('Its start', true, 'at once')
			: judged('Its start', false, 'once another agent has ended')),
		...(overlap.length === 0
			? judged('Overlap', true, 'no other agent may write there')
			: judged(
					'Overlap',
					false,
					`its scope overlaps that of ${enumerated(overlap)}, unless you edit it`,
				)),
		...factAbout('To agree on', item.coordination),
	];
};

/** Returns a finding with its mark. */
const judged = (about: string, holds: boolean, found: string): readonly Fact[] =>
	factAbout(about, `${holds ? '✓' : '✗'} ${found}`, holds ? 'plain' : 'warn');

/** Returns the requirements of an answer, a phrase each; empty if any text is accepted. */
export const expectedAnswer = (
	{type, pattern, multi, required}: Pick<Question, 'type' | 'pattern' | 'multi' | 'required'>,
	/** Way to give several options, if they are not typed. */
	severally = 'separated by commas',
): readonly string[] =>
	[
		pattern === undefined || type !== 'regex' ? kindOfText(type) : undefined,
		pattern === undefined ? undefined : `a text that matches ${pattern}`,
		multi === true ? `one or several options, ${severally}` : undefined,
		required ? undefined : 'only if you have one',
	].filter(phrase => phrase !== undefined);

/** Returns the type of text; that an answer is one of the options is obvious from them. */
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
