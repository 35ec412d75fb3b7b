import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {Failure} from '../../lib/failure.ts';
import {type GitResult, lineOf, linesOf} from '../process/result.ts';
import {user} from '../process/user.ts';
import type {GitEnd} from '../process/with-terminal.ts';
import {hooksFolder} from '../read-settings.ts';
import {type Repository, refOf} from '../repository/repository.ts';

/** Destination of a push. */
export type PushGoal = {
	readonly remote: string;
	readonly url: string;
	/** Name of the remote branch. */
	readonly branch: string;
	/** Default branch of the remote, as far as git knows it here. */
	readonly head?: string;
	/** Number of commits that the remote branch lacks, as far as git knows it here. */
	readonly commits?: number;
};

/**
Returns the destination to which the person's settings push a branch; contacts no other machine.

@param as another name for the branch on the remote
@throws `Failure` of kind `refused` if no setting names a single remote
*/
export const findPushGoal = async (
	repository: Repository,
	branch: string,
	as?: string,
): Promise<PushGoal> => {
	const remotes = linesOf(await ask(repository, 'remote'));
	const ref = refOf(branch);
	const format = '--format=%(push:remotename)%0a%(push:remoteref)';
	const [named = '', goal = ''] = linesOf(await ask(repository, 'for-each-ref', format, ref));
	const remote = [named, 'origin', remotes.length === 1 ? remotes[0] : undefined].find(
		name => name !== undefined && remotes.includes(name),
	);
	if (remote === undefined) {
		throw new Failure(
			'refused',
			remotes.length === 0
				? 'This repository has no remote to push to.'
				: `No setting says to which of ${remotes.join(', ')} ${branch} is pushed.`,
			{
				hint:
					remotes.length === 0
						? 'git remote add origin URL'
						: `git config branch.${branch}.pushRemote ${remotes[0]}`,
			},
		);
	}

	const there = as ?? (goal.replace(/^refs\/heads\//, '') || branch);
	const url = lineOf(await ask(repository, 'remote', 'get-url', '--push', remote));
	const tracking = `refs/remotes/${remote}`;
	const head = await ask(repository, 'symbolic-ref', '--quiet', `${tracking}/HEAD`);
	const lacking = await ask(repository, 'rev-list', '--count', `${tracking}/${there}..${ref}`);
	return {
		...{remote, branch: there},
		// Don't show a password in the URL.
		url: url.replace(/\/\/[^@/]*@/, '//'),
		...(head.code === 0 ? {head: lineOf(head).slice(`${tracking}/`.length)} : {}),
		...(lacking.code === 0 ? {commits: Number(lineOf(lacking))} : {}),
	};
};

/** Returns the name of a branch for `git push`: the short one, unless git reads that in another way, as it does `+main`, `tag` and the name of a tag. */
export const pushedName = async (repository: Repository, branch: string): Promise<string> => {
	const named = await ask(repository, 'rev-parse', '--symbolic-full-name', branch);
	const isPlain = lineOf(named) === refOf(branch) && !/^(?:\+|tag$)/.test(branch);
	return isPlain ? branch : refOf(branch);
};

/**
Returns why a push failed, according to the output and exit code of `git push --porcelain`.

@param branch local name of the pushed branch
*/
export const pushTrouble = async (
	repository: Repository,
	{remote, url, branch: there}: Pick<PushGoal, 'remote' | 'url' | 'branch'>,
	{branch, code, said}: GitEnd & {readonly branch: string},
): Promise<Failure> => {
	const [, refused, why = ''] =
		/^!\t.*\t\[(.*rejected|remote failure)\] \((.*)\)$/m.exec(said) ?? [];
	const [message, hint] =
		refused === undefined
			? await stoppedBefore(repository, {remote, url, code})
			: refused === 'rejected' && /^(?:fetch first|non-fast-forward)$/.test(why)
				? [
						`${remote}/${there} has commits that your ${branch} lacks, so git pushed nothing.`,
						`git pull --no-rebase ${remote} ${there} brings them; then publish again`,
					]
				: [
						`The other side refused ${there}: ${why}.`,
						'its output is above; if it refuses pushes to this branch, open a pull request: delegate-tui publish --pull-request',
					];
	return new Failure('refused', message, {hint});
};

const stoppedBefore = async (
	repository: Repository,
	{remote, url, code}: Pick<PushGoal, 'remote' | 'url'> & Pick<GitEnd, 'code'>,
): Promise<readonly [message: string, hint: string]> => {
	if (typeof code === 'string') {
		return [`${code} ended git push.`, 'delegate-tui publish tries again'];
	}

	if (code === noWayIn) {
		return [
			`git could not reach ${url}, or was not let in there; nothing was pushed.`,
			`git’s output is above; git ls-remote ${remote} tries the same way`,
		];
	}

	const hook = join(await hooksFolder(repository), 'pre-push');
	return [
		'git push ended before it sent anything.',
		existsSync(hook)
			? `its output is above; your own pre-push hook may have stopped it: ${hook}`
			: 'its output is above',
	];
};

/** Exit code of a git that dies; if a hook rejects the push, or the branch doesn't exist, it is 1. */
const noWayIn = 128;

const ask = ({root}: Repository, ...words: readonly string[]): Promise<GitResult> =>
	user(root, words, {expect: 'any'});
