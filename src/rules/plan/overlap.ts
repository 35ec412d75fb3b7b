import type {Scope, Subtask} from '../../events/plan.ts';
import {readGlob} from '../../lib/glob.ts';
import {allows} from '../../state/agent/scope.ts';

/** Maximum number of patterns: all pairs are compared, for each pair of agents. */
const maximumPatterns = 50;
const maximumExamples = 1000;

/** An agent with the tracked files that it may write. */
export type Reach = {
	readonly agent: Subtask;
	readonly files: readonly string[];
};

/**
Two agents whose changes may collide, with the files that both may write; `isNew` if none of them
exists yet.
*/
export type Overlap = {
	readonly first: Reach;
	readonly second: Reach;
	readonly files: readonly string[];
	readonly isNew: boolean;
};

/** Lists the tracked files that an agent may write. */
export const reachOf = (agent: Subtask, files: readonly string[]): Reach => ({
	agent,
	files: agent.scope.allowed.length === 0 ? [] : files.filter(isWritable(agent.scope)),
});

/**
Returns the files that two agents may both write, if any.

Existing files are compared exactly. For new files, examples are made from the globs
of both and checked against both scopes, so that a reported overlap is real. An example
fills each wildcard with a plain name; the names after a `**` are also put into the folders of
the other, so that all `.ts` files below `src` meet everything below `src/api`. Globs that meet
only in a name that neither would make up (`a*` and `*b` in `ab`) are not found.
*/
export const reachOverlap = (first: Reach, second: Reach): Overlap | undefined => {
	const known = new Set(first.files);
	const files = second.files.filter(file => known.has(file));
	if (files.length > 0) {
		return {first, second, files, isNew: false};
	}

	const isInFirst = isWritable(first.agent.scope);
	const isInSecond = isWritable(second.agent.scope);
	const example = examples([...patternsOf(first), ...patternsOf(second)]).find(
		path => isInFirst(path) && isInSecond(path),
	);
	return example === undefined ? undefined : {first, second, files: [example], isNew: true};
};

/** Lists the overlaps of each agent with those before it; `at` is the index of the later one. */
export const overlapsAmong = (
	reaches: readonly Reach[],
): readonly (Overlap & {readonly at: number})[] =>
	reaches.flatMap((second, at) =>
		reaches
			.slice(0, at)
			.flatMap(first => reachOverlap(first, second) ?? [])
			.map(overlap => ({...overlap, at})),
	);

const isWritable =
	(scope: Scope) =>
	(path: string): boolean =>
		allows(scope, path);

/** A glob without braces: the folder of all its files, and names for the steps below it. */
type Pattern = {
	readonly folder: readonly string[];
	readonly names: readonly string[];
	/** True if a `**` allows the names in any deeper folder. */
	readonly isDeep: boolean;
};

const patternsOf = ({agent, files}: Reach): readonly Pattern[] => {
	const known = new Set(files);
	const alternatives = agent.scope.allowed.flatMap(glob => {
		const read = readGlob(glob);
		return 'why' in read ? [] : read.alternatives;
	});
	return alternatives.slice(0, maximumPatterns).map(steps => toPattern(steps, known));
};

const toPattern = (steps: readonly string[], files: ReadonlySet<string>): Pattern => {
	const wild = steps.findIndex(step => /[*?]/.test(step));
	const isFile = wild === -1 && (files.has(steps.join('/')) || looksLikeFile(steps.at(-1) ?? ''));
	const start = wild === -1 ? steps.length - (isFile ? 1 : 0) : wild;
	const names = steps
		.slice(start)
		.filter(step => step !== '**')
		.map(step => step.replaceAll(/[*?]/g, 'new'));
	return {folder: steps.slice(0, start), names, isDeep: steps.includes('**')};
};

/**
A glob that ends in a plain name may mean a file or a folder; a folder rarely has a name such as
`index.ts`.
*/
const looksLikeFile = (name: string): boolean => /.\../.test(name);

const examples = (patterns: readonly Pattern[]): readonly string[] =>
	patterns
		.flatMap(({folder, names, isDeep}) => {
			const below = patterns.map(other => other.folder).filter(other => isBelow(other, folder));
			return [folder, ...(isDeep ? below : [])].flatMap(start => [
				toPath([...start, ...names]),
				toPath([...start, ...names, 'new']),
			]);
		})
		.slice(0, maximumExamples);

const isBelow = (inner: readonly string[], outer: readonly string[]): boolean =>
	outer.every((step, index) => inner[index] === step);

const toPath = (steps: readonly string[]): string => steps.filter(step => step !== '').join('/');
