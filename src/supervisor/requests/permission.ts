import {realpath} from 'node:fs/promises';
import {relative, resolve} from 'node:path';
import type {Scope} from '../../events/plan.ts';
import {judge} from '../../state/agent/scope.ts';
import {mayRead} from './may-read.ts';
import {readingCommand} from './reading-command.ts';
import {remoteCommand} from './remote-command.ts';
import {isBelow, resolveLinks} from './resolve-links.ts';

/** What an agent asks leave for, as far as the ruling depends on it. */
export type Wanted = {
	readonly kind: string;
	/** What its tool does, where leave is asked for something else. */
	readonly about?: string;
	/** As the agent wrote them: absolute, or from its worktree. */
	readonly paths: readonly string[];
	readonly command?: string;
};

/** What can be said without a person; `ask` is for all that a scope can't decide. */
export type Verdict =
	| {readonly kind: 'allow'}
	| {readonly kind: 'ask'}
	| {
			readonly kind: 'refuse';
			/** What is refused, each with the reason in words. */
			readonly refused: readonly {readonly what: string; readonly why: string}[];
	  };

/**
Rules on what an agent asks leave for.

To read in its worktree, the system and toolchains is free, be it by a tool or by a plain command that is known to do nothing else. A write is allowed when every path it names is in the scope, wherever links lead, and refused when one is not; an agent without a scope may write nothing. What is asked about a write without being one is refused likewise, but never allowed. What reaches other machines is refused. The rest, other commands and reading elsewhere above all, is for a person.
*/
export const ruleOn = async (scope: Scope, tree: string, wanted: Wanted): Promise<Verdict> => {
	if (reading.includes(wanted.kind)) {
		return {kind: (await mayReadAll(tree, wanted.paths)) ? 'allow' : 'ask'};
	}

	const remote = wanted.command === undefined ? undefined : remoteCommand(wanted.command);
	if (remote !== undefined) {
		return {kind: 'refuse', refused: [{what: remote, why: 'it reaches beyond this machine'}]};
	}

	if (await onlyReads(tree, wanted)) {
		return {kind: 'allow'};
	}

	const isWrite = writing.includes(wanted.kind);
	if (!isWrite && !writing.includes(wanted.about ?? wanted.kind)) {
		return {kind: 'ask'};
	}

	if (wanted.paths.length === 0) {
		return scope.allowed.length === 0 ? refuse('a write', readOnly) : {kind: 'ask'};
	}

	const root = await realpath(tree);
	const outside = await Promise.all(wanted.paths.map(path => whyOutside(scope, root, path)));
	const refused = outside.filter(one => one !== undefined);
	if (refused.length > 0) {
		return {kind: 'refuse', refused: isWrite ? refused : withoutFolders(root, refused)};
	}

	return {kind: isWrite ? 'allow' : 'ask'};
};

const reading: readonly string[] = ['read', 'search', 'think'];
const writing: readonly string[] = ['edit', 'delete', 'move'];

const mayReadAll = async (tree: string, paths: readonly string[]): Promise<boolean> => {
	const root = await realpath(tree);
	const verdicts = await Promise.all(paths.map(path => mayRead(root, path)));
	return verdicts.every(verdict => verdict);
};

const onlyReads = async (tree: string, wanted: Wanted): Promise<boolean> => {
	const words = readingCommand(commandHere(tree, wanted) ?? '');
	return words !== undefined && mayReadAll(tree, words);
};

/** Returns the command that is wanted, if it is run in the worktree: one in another folder means other files by its words. */
export const commandHere = (
	tree: string,
	{kind, about = kind, paths, command}: Wanted,
): string | undefined => {
	const isHere = paths.every(path => resolve(tree, path) === resolve(tree));
	return kind === 'execute' && about === kind && isHere ? command : undefined;
};

const readOnly = 'its agent may only read';

const refuse = (what: string, why: string): Verdict => ({kind: 'refuse', refused: [{what, why}]});

type Outside = {readonly what: string; readonly why: string};

/** Whoever asks beside a write names the folder as well as the file in it; one trace is enough for both. */
const withoutFolders = (root: string, refused: readonly Outside[]): readonly Outside[] => {
	const paths = refused.map(({what}) => resolve(root, what));
	return refused.filter((_, index) => {
		const folder = paths[index] ?? root;
		return !paths.some(path => isBelow(relative(folder, path)));
	});
};

const whyOutside = async (
	scope: Scope,
	root: string,
	path: string,
): Promise<Outside | undefined> => {
	const within = relative(root, await resolveLinks(resolve(root, path)));
	if (!isBelow(within)) {
		return {what: path, why: 'not in its worktree'};
	}

	const verdict = judge(scope, within);
	return verdict === 'allowed' || verdict === 'private'
		? undefined
		: {what: within, why: verdict.outside};
};
