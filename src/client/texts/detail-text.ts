import {shortOid} from '../../lib/text/short-oid.ts';
import type {InboxItem} from '../../rules/inbox.ts';
import {checkText} from '../../state/agent/claims/check-text.ts';
import {evidenceText} from '../../state/evidence-text.ts';
import type {Kind} from '../../state/item.ts';
import type {ResultDetail, WorkDetail} from '../../state/items/work-detail.ts';
import type {RivalsDetail} from '../../state/rivals/rivals-detail.ts';
import {blockerText} from './blocker-text.ts';
import {comparisonLines} from './comparison-text.ts';
import {changesSaid, type Fact, factLines, testsSaid} from './fact-lines.ts';
import {judgedDelegation, judgedText} from './judged-delegation.ts';
import {limitText} from './limit-text.ts';
import {documentsFact, type PlanFact, planFacts, subtaskFacts} from './plan-text.ts';
import {questionText} from './question-text.ts';
import {reportedText} from './reported-text.ts';

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
}: InboxItem<'plan'>): readonly string[] => [
	...(plan === undefined
		? []
		: [
				...planLines(planFacts(plan, target)),
				...plan.agents.flatMap(agent => [
					`${agent.id}: ${agent.subtask}`,
					...planLines(subtaskFacts(agent, plan)).map(line => `  ${line}`),
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
	];
};
