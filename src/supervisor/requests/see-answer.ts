import {realpath, stat} from 'node:fs/promises';
import {relative, resolve, sep} from 'node:path';
import type {Scope} from '../../events/plan.ts';
import {defined} from '../../lib/defined.ts';
import {ifThere} from '../../lib/files/if-there.ts';
import {type Match, matchPattern} from '../../lib/text/match-pattern.ts';
import type {Question} from '../../signals/index.ts';
import {judge} from '../../state/agent/scope.ts';
import type {SeenAnswer} from '../../state/items/question/answer.ts';
import {isBelow, resolveLinks} from './resolve-links.ts';

/** Looks at an answer for what its question wants to know of it. */
export const seeAnswer = async (
	question: Question,
	text: string,
	{tree, scope}: {readonly tree: string; readonly scope: Scope},
): Promise<SeenAnswer> => {
	return defined({
		match: matchOf(question, text.trim()),
		path: question.type === 'path' ? await judged(text.trim(), tree, scope) : undefined,
	});
};

/** Without a pattern to match, a regular expression need only be one. */
const matchOf = ({type, pattern}: Question, text: string): Match | undefined =>
	pattern === undefined
		? type === 'regex'
			? matchPattern(text, '')
			: undefined
		: matchPattern(pattern, text);

/** Links count for where they lead. An agent without a scope only reads, and may read all of its worktree. */
const judged = async (
	text: string,
	tree: string,
	scope: Scope,
): Promise<NonNullable<SeenAnswer['path']>> => {
	const root = await realpath(tree).catch(() => tree);
	const goal = resolve(root, text);
	const within = relative(root, await resolveLinks(goal));
	if (within !== '' && !isBelow(within)) {
		return 'elsewhere';
	}

	const found = await ifThere(stat(goal)).catch(() => undefined);
	if (found === undefined) {
		return 'missing';
	}

	// A folder is good for an answer when something in it is.
	if (within === '' || found.isDirectory() || scope.allowed.length === 0) {
		return within !== '' && within.split(sep).includes('.git') ? 'global' : 'there';
	}

	const verdict = judge(scope, within);
	return typeof verdict === 'object' ? verdict.outside : 'there';
};
