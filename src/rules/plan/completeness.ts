import type {Plan, Subtask} from '../../events/plan.ts';
import type {Finding} from './finding.ts';

/** Why somebody misses what a plan leaves out, as what follows "so". */
export const reasons = {
	context: 'each agent has to find out by itself what matters in this repository',
	verify: 'nothing tests the merged result',
	goal: 'its agent decides by itself when it is done',
	metrics: 'nothing says by what its result is judged',
	allowed: 'it can only read',
} as const;

/** Lists what a plan as a whole lacks, each with the reason why it is wanted. */
export const missingInPlan = ({context, verify}: Pick<Plan, 'context' | 'verify'>) =>
	[
		...(context === undefined ? [contextMissing] : []),
		...(verify.length === 0 ? [verifyMissing] : []),
	] satisfies readonly Finding[];

const contextMissing = {
	level: 'warning',
	path: [],
	message: `The plan has no \`context\`, so ${reasons.context}.`,
	hint: 'Say in a sentence or two what all of them should know.',
} as const;

const verifyMissing = {
	level: 'warning',
	path: [],
	message: `The plan has no \`verify\` command, so ${reasons.verify}.`,
	hint: 'Add one, such as `verify: [npm test]`.',
} as const;

/** Lists what an agent's part lacks; `success` of the whole plan measures each of them as well. */
export const missingInSubtask = (
	{id, subtask, goal, metrics}: Pick<Subtask, 'id' | 'subtask' | 'goal' | 'metrics'>,
	success: readonly string[],
): readonly Finding[] => [
	...(wordCount(subtask) < fewestWords ? [vague(id)] : []),
	...(goal === undefined ? [goalMissing(id)] : []),
	...(metrics.length === 0 && success.length === 0 ? [metricsMissing(id)] : []),
];

const fewestWords = 3;

const vague = (id: string): Finding => ({
	level: 'warning',
	path: ['subtask'],
	message: `The subtask of ${id} is vague: it has fewer than ${fewestWords} words.`,
	hint: 'Say what to change, and where.',
});

const goalMissing = (id: string): Finding => ({
	level: 'warning',
	path: [],
	message: `The subtask of ${id} is vague: it has no \`goal\`, so ${reasons.goal}.`,
	hint: 'Say what done means for this agent.',
});

const metricsMissing = (id: string): Finding => ({
	level: 'warning',
	path: [],
	message: `${id} has no \`metrics\` and the plan no \`success\`, so ${reasons.metrics}.`,
	hint: 'Name something that can be checked, such as `metrics: [npm test passes]`.',
});

/** Counts words of any script, also of those that put no spaces between them. */
const wordCount = (text: string): number =>
	[...new Intl.Segmenter('en', {granularity: 'word'}).segment(text)].filter(
		({isWordLike}) => isWordLike,
	).length;
