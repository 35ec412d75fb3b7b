import {realpath} from 'node:fs/promises';
import {relative, resolve} from 'node:path';
import type {Request} from '../../agents/acp/permission/gate.ts';
import type {Detail} from '../../agents/acp/speech/activity.ts';
import type {Scope} from '../../events/plan.ts';
import {wordsBeyond} from '../../state/agent/allowance.ts';
import {judge} from '../../state/agent/scope.ts';
import type {CommandLeave} from '../../state/state.ts';
import {commandHere, isBelow, resolveLinks, type Wanted} from './permission.ts';
import {type Forbidden, forbiddenIn} from './remote-command.ts';

/**
Returns whether a person has allowed a command for the session.

A pattern applies to commands in the worktree. The words that it leaves open may not name paths outside the worktree, or paths that are forbidden to this agent or to all; the scope decides about writes.
*/
export const isAllowed = async (
	allowances: readonly Pick<CommandLeave, 'pattern'>[],
	scope: Scope,
	tree: string,
	wanted: Wanted,
): Promise<boolean> => {
	const command = commandHere(tree, wanted);
	if (command === undefined) {
		return false;
	}

	const root = await realpath(tree);
	for (const {pattern} of allowances) {
		const words = wordsBeyond(pattern, command);
		if (words !== undefined && (await stayInside(scope, root, words))) {
			return true;
		}
	}

	return false;
};

const stayInside = async (
	scope: Scope,
	root: string,
	words: readonly string[],
): Promise<boolean> => {
	const inside = await Promise.all(pathsAmong(words).map(path => isInside(scope, root, path)));
	return inside.every(one => one);
};

/** Returns all possible paths in words: each word, an option's value, a path after a host, each entry of a list. */
const pathsAmong = (words: readonly string[]): readonly string[] =>
	words.flatMap(word => [word, ...word.split(/[=:,@]/).slice(1)]).filter(word => word !== '');

/** Returns whether a word may contain a path attached to an option: the two can't be told apart. */
const hidesPath = (word: string): boolean => /^-[^=]*(?:\/|\.\.|~)/.test(word);

const isInside = async (scope: Scope, root: string, word: string): Promise<boolean> => {
	const within = relative(root, await resolveLinks(resolve(root, word)));
	if (hidesPath(word) || word.startsWith('~') || !(within === '' || isBelow(within))) {
		return false;
	}

	const verdict = within === '' ? 'allowed' : judge(scope, within);
	return typeof verdict === 'string' || verdict.outside === 'not allowed';
};

/** Watch on one turn of an agent for forbidden commands. */
export type StoppedCommands = {
	/** Handles a permission request, whose ruling is recorded elsewhere. */
	readonly asked: (request: Pick<Request, 'command'>) => void;
	readonly hear: (detail: Detail) => void;
	/** Handles a command that is known to have failed. */
	readonly failed: (command: string) => void;
};

/** End of the reason for a forbidden command about which no person was asked. */
export const cameToNothing = '; it had no effect';

/** Reports each forbidden command that failed because of the agent's own rules, those of its repository, or a refusing program; once per turn. */
export const watchForStopped = (onStopped: (stopped: Forbidden) => void): StoppedCommands => {
	const known = new Set<string>();
	const failed = (command: string): void => {
		const forbidden = forbiddenIn(command);
		if (forbidden !== undefined && !known.has(forbidden.what)) {
			known.add(forbidden.what);
			onStopped({...forbidden, why: `${forbidden.why}${cameToNothing}`});
		}
	};

	return {
		asked: ({command = ''}) => {
			const what = forbiddenIn(command)?.what;
			if (what !== undefined) {
				known.add(what);
			}
		},
		hear: detail => {
			if (detail.kind === 'tool' && detail.status === 'failed') {
				failed(detail.command ?? '');
			}
		},
		failed,
	};
};
