import type {Plan, Subtask} from '../../events/plan.ts';
import {isInCone} from '../../lib/cone.ts';
import {asGlob, readGlob} from '../../lib/glob.ts';
import {firstOf} from '../../lib/text/words.ts';
import type {PositionOf, Problem} from '../../lib/text/yaml-document.ts';
import {packagePrefix} from '../../lib/workspace.ts';
import {allows, judge} from '../../state/agent/scope.ts';
import {areRivals} from '../../state/rivals/rivals.ts';
import {checkAcpOptions, unreadByRivals} from './acp-options/check-acp-options.ts';
import {didYouMean, type PlanFinding, toProblem} from './finding.ts';
import type {MissingProgram} from './missing-among.ts';
import {type Overlap, overlapsAmong, type Reach, reachOf} from './overlap.ts';
import {inReadingOrder} from './shape.ts';

export type CheckOptions = {
	/** From `parsePlan`. */
	readonly positionOf: PositionOf;
	/** Tracked files of the repository. */
	readonly files: readonly string[];
	/** Those of `filesNamedIn(plan)` that exist, tracked or not. */
	readonly existing: ReadonlySet<string>;
	/** Reasons why agents can't be started, and advice, by agent id. */
	readonly absent?: ReadonlyMap<string, MissingProgram>;
	/** Reasons why existing files of `filesNamedIn(plan)` can't be given to an agent, by path, to follow the name. */
	readonly unreadable?: ReadonlyMap<string, string>;
	/** Branches of the repository, if an unknown target is to be reported. */
	readonly branches?: readonly string[];
	/** Number of files that an agent may reach without a warning; 20 by default. */
	readonly filesLimit?: number;
};

/** Lists the files that a plan expects to exist, for the caller to look up. */
export const filesNamedIn = ({agents}: Plan): readonly string[] => [
	...new Set(agents.flatMap(filesNamedBy)),
];

/** Lists the files that an agent reads: its behavior file, inputs and pictures. */
export const filesNamedBy = (subtask: Subtask): readonly string[] =>
	placesNamedBy(subtask).map(([path]) => path);

/** Returns the files with the path of each in the subtask. */
const placesNamedBy = ({
	behavior,
	inputs,
	images = [],
}: Subtask): readonly (readonly [path: string, place: PlanFinding['path']])[] => [
	...(behavior === undefined ? [] : [[behavior, ['behavior']] as const]),
	...inputs.map((path, index) => [path, ['inputs', index]] as const),
	...images.map((path, index) => [path, ['images', index]] as const),
];

/**
Forbids an agent to write the untracked files that it gets as copies: a changed copy would be merged as a new file of the person's.

@param files Tracked files of the repository.
@param existing Those of `filesNamedIn` that exist, tracked or not.
*/
export const copiesKept = (
	subtask: Subtask,
	files: readonly string[],
	existing: ReadonlySet<string>,
): Subtask => {
	const tracked = new Set(files);
	const copied = filesNamedBy(subtask).filter(
		path =>
			existing.has(path) &&
			!tracked.has(path) &&
			!files.some(file => file.startsWith(`${path}/`)) &&
			typeof judge(subtask.scope, path) !== 'object',
	);
	const {allowed, forbidden} = subtask.scope;
	const globs = copied.flatMap(path => [asGlob(path), `${asGlob(path)}/**`]);
	return copied.length === 0
		? subtask
		: {...subtask, scope: {allowed, forbidden: [...forbidden, ...globs]}};
};

/**
Checks a plan against its repository.

An error means that the plan can't run. Warnings are for the person who approves it.
*/
export const checkPlan = (plan: Plan, options: CheckOptions): readonly Problem[] => {
	const {files, positionOf, filesLimit = 20} = options;
	const reaches = plan.agents.map(agent => reachOf(agent, files));
	const ofSubtask = ({agent, files: reached}: Reach): readonly PlanFinding[] => [
		...missingFiles(agent, plan.agents, options.existing),
		...unreadableFiles(agent, options.unreadable),
		...missingInSubtask(agent, plan.success),
		...unreadByRivals(
			agent,
			plan.agents.filter(other => areRivals(agent, other)),
		),
		...unmatchedGlobs(agent, files),
		...beyondCheckout(agent, files),
		...writing(agent, reached.length, filesLimit),
	];
	const findings = [
		...missingInPlan(plan),
		...newTarget(plan, options.branches),
		...reaches.flatMap((reach, index) =>
			[
				...missing(reach.agent, options.absent),
				...checkAcpOptions(reach.agent, options.existing),
				...(isFirst(reach.agent) ? ofSubtask(reach) : []),
			].map(finding => ({...finding, path: ['agents', index, ...finding.path]})),
		),
		...overlaps(reaches),
	];
	return inReadingOrder(findings.map(finding => toProblem(finding, positionOf)));
};

/** Returns whether an agent is the first of its rivals: they share a subtask, so its problems are reported once. */
const isFirst = ({id, bestOf = id}: Subtask): boolean => bestOf === id;

const missing = (
	{id, profile}: Subtask,
	absent: CheckOptions['absent'] = new Map(),
): readonly PlanFinding[] => {
	const found = absent.get(id);
	const named = profile === undefined ? '' : ` \`${profile}\``;
	return found === undefined
		? []
		: [
				{
					level: 'warning',
					path: ['agent'],
					message: `The agent${named} of ${id} can’t be started here: ${found.why}.`,
					hint: found.hint,
				},
			];
};

/** Warns of globs that match nothing, unless an agent is to create those files. An empty repository gets no warning. */
const unmatchedGlobs = ({id, scope}: Subtask, files: readonly string[]): readonly PlanFinding[] =>
	(['allowed', 'forbidden'] as const).flatMap(part =>
		scope[part].flatMap((glob, index): readonly PlanFinding[] => {
			if (glob.startsWith(packagePrefix)) {
				return [
					{
						level: 'error',
						path: ['scope', part, index],
						message: `No workspace here has the package that \`${glob}\` names.`,
						hint: 'Name it as its manifest does, or its folder.',
					},
				];
			}

			const read = readGlob(glob);
			// A scope compiles its globs once, so all files share one object.
			const alone = {allowed: [glob], forbidden: []};
			const isIn = (path: string) => allows(alone, path);
			if ('why' in read || files.length === 0 || files.some(isIn)) {
				return [];
			}

			const places =
				part === 'allowed'
					? read.alternatives.filter(steps => isIn(exampleOf(steps))).map(placeOf(files))
					: [];
			return places.includes('new')
				? []
				: [
						{
							level: 'warning',
							path: ['scope', part, index],
							message: `\`${glob}\` in \`scope.${part}\` of ${id} matches no existing file.`,
							hint: places.find(place => place !== undefined) ?? unmatchedHints[part],
						},
					];
		}),
	);

/** Finds globs that allow files outside the sparse checkout: an agent can't change a file that it doesn't have. */
const beyondCheckout = (
	{id, scope, checkout}: Subtask,
	files: readonly string[],
): readonly PlanFinding[] =>
	scope.allowed.flatMap((glob, index): readonly PlanFinding[] => {
		const read = readGlob(glob);
		const isInside = (steps: readonly string[]) =>
			checkout === undefined || isInCone(checkout, deepestOf(steps, files));
		return 'why' in read || read.alternatives.every(isInside)
			? []
			: [
					{
						level: 'error',
						path: ['scope', 'allowed', index],
						message: `\`${glob}\` in \`scope.allowed\` of ${id} reaches beyond its \`checkout\`.`,
						hint: `Narrow it, or add a folder to \`checkout\`: ${checkout?.join(', ')}.`,
					},
				];
	});

/** Returns a path as deep as any that a glob without braces matches: the hardest case for the sparse checkout. */
const deepestOf = (steps: readonly string[], files: readonly string[]): string => {
	const path = steps.filter(step => step !== '').join('/');
	const isFolder = steps.at(-1) === '' || files.some(file => file.startsWith(`${path}/`));
	const named = steps.filter(step => step !== '').map(step => (step === '**' ? '**/**' : step));
	return [...named, ...(isFolder ? ['**', '**'] : [])].join('/');
};

/** Returns an example path that a glob without braces matches. */
const exampleOf = (steps: readonly string[]): string =>
	steps.map(step => step.replace(/[*?]+/, 'x') || 'x').join('/');

/** Returns `new` if a glob names a folder to be created, and a question if an existing folder has nearly that name; nothing if it matches no file of an existing folder. */
const placeOf =
	(files: readonly string[]) =>
	(steps: readonly string[]): string | undefined => {
		const folderOf = (count: number) =>
			steps
				.slice(0, count)
				.map(step => `${step}/`)
				.join('');
		const isThere = (folder: string) => files.some(file => file.startsWith(folder));
		const missing = steps.findIndex((_, index) => !isThere(folderOf(index + 1)));
		const [name = '', ...below] = steps.slice(missing);
		const above = folderOf(missing);
		if (/[*?]/.test(name)) {
			return undefined;
		}

		const beside = files
			.filter(file => file.startsWith(above) && file.includes('/', above.length))
			.map(file => file.slice(above.length, file.indexOf('/', above.length)));
		const meant = below.length === 0 ? undefined : didYouMean(name, [...new Set(beside)]);
		return meant === undefined ? 'new' : `Did you mean \`${above}${meant}\`?`;
	};

const unmatchedHints = {
	allowed: 'That is fine if the agent is to create such files.',
	forbidden: 'It forbids nothing unless such files are created.',
} as const;

const missingFiles = (
	agent: Subtask,
	agents: readonly Subtask[],
	existing: ReadonlySet<string>,
): readonly PlanFinding[] => {
	const {id, behavior, inputs} = agent;
	const findings: PlanFinding[] = [];
	if (behavior !== undefined && !existing.has(behavior)) {
		const message = `The behavior file \`${behavior}\` of ${id} does not exist.`;
		findings.push({level: 'error', path: ['behavior'], message});
	}

	for (const [index, input] of inputs.entries()) {
		const isMade = agents.some(
			other => other.id !== agent.id && !areRivals(agent, other) && allows(other.scope, input),
		);
		if (!existing.has(input) && !isMade) {
			const message = `The input \`${input}\` of ${id} does not exist, and no other agent may write it.`;
			findings.push({level: 'warning', path: ['inputs', index], message});
		}
	}

	return findings;
};

const unreadableFiles = (
	subtask: Subtask,
	unreadable: CheckOptions['unreadable'] = new Map(),
): readonly PlanFinding[] =>
	placesNamedBy(subtask).flatMap(([path, place]): readonly PlanFinding[] => {
		const why = unreadable.get(path);
		return why === undefined
			? []
			: [
					{
						level: 'error',
						path: place,
						message: `\`${path}\`, which ${subtask.id} is to read, ${why}.`,
					},
				];
	});

const writing = (
	{id, scope, output}: Subtask,
	count: number,
	filesLimit: number,
): readonly PlanFinding[] => {
	const findings: PlanFinding[] = [];
	if (scope.allowed.length === 0) {
		const message = `${id} has no \`scope.allowed\`, so ${reasons.allowed}.`;
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

	if (output !== undefined && !allows(scope, output)) {
		const message = `${id} is to write \`${output}\`, but its scope does not allow that.`;
		findings.push({level: 'warning', path: ['output'], message});
	}

	return findings;
};

const overlaps = (reaches: readonly Reach[]): readonly PlanFinding[] =>
	overlapsAmong(reaches)
		.filter(({first, second}) => !areRivals(first.agent, second.agent))
		.map(overlap => ({
			level: 'warning',
			path: ['agents', overlap.at, 'scope'],
			message: describeOverlap(overlap),
			hint: 'Narrow one of the scopes, or decide at the merge which change is kept.',
		}));

const maximumNamed = 3;

const describeOverlap = ({first, second, files, isNew}: Overlap): string => {
	const agents = `${first.agent.id} and ${second.agent.id} are conflict-prone: both may write`;
	const named = files.map(file => `\`${file}\``);
	return `${agents} ${isNew ? 'new files such as ' : ''}${firstOf(named, maximumNamed)}.`;
};

/** Consequences of what a plan leaves out, to follow "so". */
export const reasons = {
	context: 'each agent has to find out by itself what matters in this repository',
	verify: 'nothing tests the merged result',
	goal: 'its agent decides by itself when it is done',
	metrics: 'nothing says how its result is judged',
	allowed: 'it can only read',
} as const;

/** Lists what a plan as a whole lacks, each with the consequence. */
const missingInPlan = ({context, verify}: Pick<Plan, 'context' | 'verify'>) =>
	[
		...(context === undefined ? [contextMissing] : []),
		...(verify.length === 0 ? [verifyMissing] : []),
	] satisfies readonly PlanFinding[];

/** Warns of a target that does not exist: the person may mean to create it, or mistyped its name. */
const newTarget = (
	{target}: Pick<Plan, 'target'>,
	branches: CheckOptions['branches'],
): readonly PlanFinding[] =>
	target === undefined || branches === undefined || branches.includes(target)
		? []
		: [
				{
					level: 'warning',
					path: ['target'],
					message:
						'The target is no branch yet: the first merge creates it where your checkout is now.',
					hint: 'Correct its name, unless you want a new branch.',
				},
			];

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

/** Lists what a subtask lacks; `success` of the whole plan counts as a metric of each. */
const missingInSubtask = (
	{id, goal, metrics}: Pick<Subtask, 'id' | 'goal' | 'metrics'>,
	success: readonly string[],
): readonly PlanFinding[] => [
	...(goal === undefined ? [goalMissing(id)] : []),
	...(metrics.length === 0 && success.length === 0 ? [metricsMissing(id)] : []),
];

const goalMissing = (id: string): PlanFinding => ({
	level: 'warning',
	path: [],
	message: `The subtask of ${id} is vague: it has no \`goal\`, so ${reasons.goal}.`,
	hint: 'Say what done means for this agent.',
});

const metricsMissing = (id: string): PlanFinding => ({
	level: 'warning',
	path: [],
	message: `${id} has no \`metrics\` and the plan no \`success\`, so ${reasons.metrics}.`,
	hint: 'Name something that can be checked, such as `metrics: [npm test passes]`.',
});
