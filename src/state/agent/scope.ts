import type {Scope} from '../../events/plan.ts';
import {compileGlob, type Matcher, readGlob, whyNotBelowRoot} from '../../lib/glob.ts';
import {foldName} from '../../lib/text/words.ts';
import {oncePer} from '../../lib/values.ts';

/**
Verdict of an agent's scope on a path that the agent wrote or wants to write.

- `allowed`: part of its work, which can be merged
- `private`: below `.delegate`: free to write, never merged
- outside, `global`: forbidden for all agents
- outside, `forbidden`: matches a forbidden glob of the plan
- outside, `not allowed`: matches no allowed glob, or is no path below the root
*/
export type ScopeVerdict = 'allowed' | 'private' | {readonly outside: Outside};

export type Outside = 'not allowed' | 'forbidden' | 'global';

/** Globs that no agent may write, in any scope; `.git` is also forbidden at any depth. */
export const globallyForbidden: readonly string[] = [
	'docs/01_progress.md',
	'docs/00_MASTER_INDEX.md',
	'docs/logs/**',
	'.claude/**',
	'SKIPPED_ITEMS.md',
];

const maximumPathLength = 4096;
const maximumNameLength = 255;

/**
Judges any string as a path against a scope.

Paths and globs start at the root of the repository, with `/` as separator, and names with a leading
dot are ordinary names; `lib/glob.ts` defines globs. Forbidden
wins over allowed. Forbidden globs ignore case and the encoding of accents,
because a file system may ignore them; allowed globs match exactly. An invalid glob
allows nothing, or forbids everything.
*/
export const judge = (scope: Scope, path: string): ScopeVerdict => {
	const steps = path.split('/');
	if (!isPath(path, steps)) {
		return notAllowed;
	}

	const folded = foldName(path).split('/');
	if (folded.includes('.git') || compiled(everywhere).isForbidden(folded)) {
		return global;
	}

	if (folded[0] === '.delegate') {
		return 'private';
	}

	const {isForbidden, isAllowed} = compiled(scope);
	if (isForbidden(folded)) {
		return forbidden;
	}

	return isAllowed(steps) ? 'allowed' : notAllowed;
};

/** Returns whether a scope allows a path. Most paths of a large repository match no allowed glob, so these are matched first. */
export const allows = (scope: Scope, path: string): boolean => {
	const steps = path.split('/');
	return (
		isPath(path, steps) && compiled(scope).isAllowed(steps) && judge(scope, path) === 'allowed'
	);
};

/** Returns the reason why a glob of a scope can't be used, to follow "This glob". */
export const whyBadGlob = (glob: string): string | undefined => {
	const read = readGlob(glob);
	return 'why' in read ? read.why : undefined;
};

/** Returns the reason why no decision can allow a glob for an agent, if so: changes to paths that the plan or the product forbids would be reverted nevertheless. */
export const whyForbidden = (
	agent: string,
	{forbidden}: Scope,
	glob: string,
): string | undefined => {
	const read = readGlob(glob);
	if ('why' in read) {
		return `The glob "${glob}" ${read.why}.`;
	}

	for (const steps of read.alternatives) {
		const path = (steps.at(-1) === '' ? steps.slice(0, -1) : steps).join('/');
		const verdict = judge({allowed: [], forbidden}, path);
		if (verdict !== 'allowed' && verdict !== 'private' && verdict.outside !== 'not allowed') {
			return verdict.outside === 'forbidden'
				? `The plan forbids ${agent} to write ${path}.`
				: `No agent may write ${path}.`;
		}
	}

	return undefined;
};

/** Returns the files and folders that a scope forbids by name, folders with all their contents; globs with `*`, `?` or `[` are left out. */
export const whollyForbidden = (scope: Scope): readonly string[] =>
	[...globallyForbidden, ...scope.forbidden].flatMap(glob => {
		const read = readGlob(glob);
		const paths = 'why' in read ? [] : read.alternatives.map(steps => steps.join('/'));
		return paths
			.map(path => path.replace(/\/(?:\*\*)?$/, ''))
			.filter(path => !/[*?[]/.test(path) && whyForbidden('', scope, path) !== undefined);
	});

/** Returns the reason why a text can't name a file or folder of the repository, to follow "This path". */
export const whyBadPath = (path: string): string | undefined => {
	if (path.includes('\0')) {
		return 'holds a NUL character';
	}

	return path.length > maximumPathLength
		? `is longer than ${maximumPathLength} characters`
		: whyNotBelowRoot(path.split('/'));
};

const notAllowed: ScopeVerdict = {outside: 'not allowed'};
const forbidden: ScopeVerdict = {outside: 'forbidden'};
const global: ScopeVerdict = {outside: 'global'};

/** Returns whether a string is a path within the limits of file systems, which also bound the time of a match. */
const isPath = (path: string, steps: readonly string[]): boolean =>
	path.length <= maximumPathLength &&
	steps.every(
		step => step !== '' && step !== '.' && step !== '..' && step.length <= maximumNameLength,
	);

/** A scope is immutable, so a widened one is a new object. */
const compiled = oncePer(({allowed, forbidden}: Scope) => ({
	isForbidden: anyOf(forbidding(forbidden)),
	isAllowed: anyOf(allowed.map(glob => compileGlob(glob, 'under') ?? (() => false))),
}));

const forbidding = (globs: readonly string[]): readonly Matcher[] =>
	globs.map(glob => compileGlob(foldName(glob), 'itself and under') ?? (() => true));

const anyOf =
	(matchers: readonly Matcher[]): Matcher =>
	steps =>
		matchers.some(matcher => matcher(steps));

const everywhere: Scope = {allowed: [], forbidden: globallyForbidden};
