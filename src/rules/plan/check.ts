import type {Plan, Subtask} from '../../events/plan.ts';
import type {PlaceOf, Problem} from '../../lib/text/yaml-document.ts';
import {judge} from '../../state/agent/scope.ts';
import {type Finding, toProblem} from './finding.ts';
import {type Overlap, overlapOf, type Reach, reachOf} from './overlap.ts';
import {inReadingOrder} from './shape.ts';

export type CheckOptions = {
	/** From `parsePlan`. */
	readonly placeOf: PlaceOf;
	/** The tracked files of the repository. */
	readonly files: readonly string[];
	/** Those of `filesNamedIn(plan)` that exist, tracked or not. */
	readonly existing: ReadonlySet<string>;
	/** How many files an agent may reach without a warning; 20 by default. */
	readonly filesLimit?: number;
};

/** Lists the files that a plan expects to exist, for the caller to look up. */
export const filesNamedIn = ({agents}: Plan): readonly string[] => [
	...new Set(
		agents.flatMap(({behavior, inputs}) => [
			...(behavior === undefined ? [] : [behavior]),
			...inputs,
		]),
	),
];

/**
Holds a plan against the repository it is for.

Only what makes the plan impossible is an error. Warnings are for the person who approves it.
*/
export const checkPlan = (plan: Plan, options: CheckOptions): readonly Problem[] => {
	const {files, placeOf, filesLimit = 20} = options;
	const reaches = plan.agents.map(agent => reachOf(agent, files));
	const findings = [
		...withoutVerify(plan),
		...reaches.flatMap(({agent, files: reached}, index) =>
			[
				...missingFiles(agent, plan.agents, options.existing),
				...vagueness(agent),
				...writing(agent, reached.length, filesLimit),
			].map(finding => ({...finding, path: ['agents', index, ...finding.path]})),
		),
		...overlaps(reaches),
	];
	return inReadingOrder(findings.map(finding => toProblem(finding, placeOf)));
};

const withoutVerify = ({verify}: Plan): readonly Finding[] =>
	verify.length > 0
		? []
		: [
				{
					level: 'warning',
					path: [],
					message: 'The plan has no `verify` command, so nothing tests the merged result.',
					hint: 'Add one, such as `verify: [npm test]`.',
				},
			];

const missingFiles = (
	{id, behavior, inputs}: Subtask,
	agents: readonly Subtask[],
	existing: ReadonlySet<string>,
): readonly Finding[] => {
	const findings: Finding[] = [];
	if (behavior !== undefined && !existing.has(behavior)) {
		const message = `The behavior file \`${behavior}\` of ${id} does not exist.`;
		findings.push({level: 'error', path: ['behavior'], message});
	}

	for (const [index, input] of inputs.entries()) {
		const isMade = agents.some(agent => agent.id !== id && judge(agent.scope, input) === 'allowed');
		if (!existing.has(input) && !isMade) {
			const message = `The input \`${input}\` of ${id} does not exist, and no other agent may write it.`;
			findings.push({level: 'warning', path: ['inputs', index], message});
		}
	}

	return findings;
};

const fewestWords = 3;

/** Vague means: a subtask of fewer than three words, or one without a goal. */
const vagueness = ({id, subtask, goal}: Subtask): readonly Finding[] => {
	const findings: Finding[] = [];
	if (wordCount(subtask) < fewestWords) {
		findings.push({
			level: 'warning',
			path: ['subtask'],
			message: `The subtask of ${id} is vague: it has fewer than ${fewestWords} words.`,
			hint: 'Say what to change, and where.',
		});
	}

	if (goal === undefined) {
		findings.push({
			level: 'warning',
			path: [],
			message: `The subtask of ${id} is vague: it has no \`goal\`.`,
			hint: 'Say what done means for this agent.',
		});
	}

	return findings;
};

/** Counts words of any script, also of those that put no spaces between them. */
const wordCount = (text: string): number =>
	[...new Intl.Segmenter('en', {granularity: 'word'}).segment(text)].filter(
		({isWordLike}) => isWordLike,
	).length;

const writing = (
	{id, scope, output}: Subtask,
	count: number,
	filesLimit: number,
): readonly Finding[] => {
	const findings: Finding[] = [];
	if (scope.allowed.length === 0) {
		const message = `${id} has no \`scope.allowed\`, so it can only read.`;
		findings.push({level: 'warning', path: [], message});
	}

	if (count > filesLimit) {
		findings.push({
			level: 'warning',
			path: ['scope', 'allowed'],
			message: `The scope of ${id} holds ${count} files, more than ${filesLimit}.`,
			hint: 'Narrow its globs, or split the subtask, so that the changes stay reviewable.',
		});
	}

	if (output !== undefined && judge(scope, output) !== 'allowed') {
		const message = `${id} shall write \`${output}\`, but its scope does not allow that.`;
		findings.push({level: 'warning', path: ['output'], message});
	}

	return findings;
};

const overlaps = (reaches: readonly Reach[]): readonly Finding[] =>
	reaches.flatMap((second, index) =>
		reaches
			.slice(0, index)
			.flatMap(first => overlapOf(first, second) ?? [])
			.map(overlap => ({
				level: 'warning' as const,
				path: ['agents', index, 'scope'],
				message: describeOverlap(overlap),
				hint: 'Narrow one of the scopes, or decide at the merge which change is kept.',
			})),
	);

const maximumNamed = 3;

const describeOverlap = ({first, second, files, isNew}: Overlap): string => {
	const agents = `${first.agent.id} and ${second.agent.id} are conflict-prone: both may write`;
	const named = files.slice(0, maximumNamed).map(file => `\`${file}\``);
	if (isNew) {
		return `${agents} new files such as ${named.join(', ')}.`;
	}

	const more = files.length - named.length;
	return `${agents} ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
};
