import {existsSync} from 'node:fs';
import {mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import {readTelemetry} from '../client/activity/accounts.ts';
import {reportText} from '../client/texts/report/content.ts';
import {gitWithTerminal} from '../git/process/with-terminal.ts';
import {tipOf} from '../git/repository/repository.ts';
import {findPushGoal, type PushGoal, pushedName, pushTrouble} from '../git/target/push.ts';
import {isAncestor, subjectOf} from '../git/tree/commit.ts';
import {Failure} from '../lib/failure.ts';
import {writeAtomically} from '../lib/files/write-atomically.ts';
import {programPath} from '../lib/process/find-program.ts';
import {inShell} from '../lib/text/shell-words.ts';
import {shortOid} from '../lib/text/words.ts';
import {defined} from '../lib/values.ts';
import {commitPage, type PushOffer} from '../rules/push-offer.ts';
import {reportOf} from '../rules/report/report.ts';
import {nextToTurn} from '../state/merge/publication.ts';
import {lastMerged} from '../supervisor/past/last-session.ts';
import {runInShell} from './edit-file.ts';
import {type Here, readNamedSession} from './here.ts';
import {askSupervisor, requirePerson} from './reach-supervisor.ts';

export type PublishOptions = {
	/** Name of the remote branch, if it differs. */
	readonly as?: string;
	/** True to open a pull request, or its base branch. */
	readonly request?: true | string;
};

/**
Finds what the person's own git would push of the newest merge, and the command for a pull request; nothing leaves this machine.

@throws `Failure` of kind `refused` if nothing is merged, or no remote is known.
*/
export const offerPush = async (
	here: Here,
	{as, request}: PublishOptions = {},
): Promise<PushOffer> => {
	const {repository, folder} = here;
	const merged = await lastMerged(folder);
	const target = merged?.state.session?.target;
	const publication = merged && nextToTurn(merged.state);
	if (!merged || target === undefined || publication?.phase !== 'standing') {
		throw new Failure('refused', 'There is no merge to publish.', {
			hint: 'delegate-tui status shows where the session stands',
		});
	}

	const {commit} = publication.built;
	const store = {gitDir: folder.store};
	const tip = await tipOf(repository, target);
	if (tip === undefined || !(await isAncestor(store, publication.last.to, tip))) {
		throw new Failure(
			'refused',
			`${target} no longer holds the merge (${shortOid(commit)}); it was moved or rewritten since.`,
			{hint: `git reflog ${inShell(target)} shows where it went`},
		);
	}

	const subject = await subjectOf(store, commit);
	const {goal, base} = await goalOf(here, {target, subject, commit}, defined({as, request}));
	const {remote, url, branch, commits} = goal;
	const name = await pushedName(repository, target);
	const push = ['push', '--porcelain', remote, branch === target ? name : `${name}:${branch}`];
	const opened = base && (await requestOf(here, merged.id, {goal, base, subject, commit}));
	return {
		...{session: merged.id, commit, subject, target, remote, url, branch, push},
		...defined({commits, request: opened || undefined}),
		...(request || requestProgram(url) === undefined ? {} : {canRequest: true}),
		commands: [shellLine('git', ...push), ...(opened ? [opened.command] : [])],
	};
};

type Merged = {readonly commit: string; readonly subject: string};

/** Returns the destination of the push and, for a pull request, its base branch: a pull request gets a branch of its own unless the push goes to another branch anyway. */
const goalOf = async (
	{repository}: Here,
	{target, ...merge}: Merged & {readonly target: string},
	{as, request}: PublishOptions,
): Promise<{readonly goal: PushGoal; readonly base?: string}> => {
	const goal = await findPushGoal(repository, target, as);
	if (!request) {
		return {goal};
	}

	const base = request === true ? (goal.head ?? target) : request;
	if (goal.branch !== base) {
		return {goal, base};
	}

	const own = as ?? branchFor(merge);
	if (own === base) {
		throw new Failure('usage', `A pull request needs another branch than ${base}.`, {
			hint: 'push it under another name: --as my-branch',
		});
	}

	return {goal: await findPushGoal(repository, target, own), base};
};

/** Returns a unique branch name: subjects may repeat, or have no portable letter. */
const branchFor = ({commit, subject}: Merged): string => {
	const words = subject.toLowerCase().replace(/[^a-z0-9]+/g, '-');
	const slug = words.slice(0, 40).replace(/^-|-$/g, '');
	return `delegate/${slug === '' ? '' : `${slug}-`}${shortOid(commit)}`;
};

type Request = Merged & {readonly goal: PushGoal; readonly base: string};

/** Writes the report once for each merge into a file that can be read and edited before it is sent. */
const requestOf = async (
	here: Here,
	session: string,
	{goal: {url, branch}, base, subject, commit}: Request,
): Promise<NonNullable<PushOffer['request']>> => {
	const {events, folder} = await readNamedSession(here, session);
	const body = join(folder.path, `pull-request-${shortOid(commit)}.md`);
	if (!existsSync(body)) {
		const told = await readTelemetry(folder.telemetry);
		const report = reportOf(events, agent => told[agent]?.spent);
		const text = report === undefined ? '' : reportText(report, new Date().toISOString());
		await mkdir(folder.path, {recursive: true});
		await writeAtomically(body, text, {mode: 0o600});
	}

	return {body, ...requestLine(url, {base, branch, title: subject, body})};
};

type Words = Readonly<Record<'base' | 'branch' | 'title' | 'body', string>>;

const shellLine = (...words: readonly string[]): string => words.map(inShell).join(' ');

type RequestProgram = NonNullable<PushOffer['request']>['program'];

/** Returns the program here that can open a pull request. */
const requestProgram = (url: string): RequestProgram | undefined =>
	(/gitlab/i.test(url) ? (['glab', 'gh'] as const) : (['gh', 'glab'] as const)).find(
		program => programPath(program, process.env.PATH) !== undefined,
	);

const requestLine = (
	url: string,
	{base, branch, title, body}: Words,
): {readonly program: RequestProgram; readonly command: string} => {
	const program = requestProgram(url);
	switch (program) {
		case 'gh': {
			const words = ['pr', 'create', '--base', base, '--head', branch, '--title', title];
			return {program, command: shellLine(program, ...words, '--body-file', body)};
		}

		case 'glab': {
			const words = ['mr', 'create', '--yes', '--target-branch', base, '--source-branch', branch];
			const line = shellLine(program, ...words, '--title', title, '--description');
			return {program, command: `${line} "$(cat ${inShell(body)})"`};
		}

		case undefined:
			throw new Failure(
				'missing',
				'Opening a pull request needs gh or glab, and neither is installed.',
				{
					hint: 'install one and log in to it, or leave out --pull-request',
				},
			);
	}
};

/**
Pushes what the person confirmed, with programs that get the terminal; returns a sentence about the outcome.

The journal records that it is the person's act before anything leaves this machine.
*/
export const push = async (here: Here, offer: PushOffer): Promise<string> => {
	requirePerson(here);
	const {commit, remote, branch, commands, request} = offer;
	const page = defined({page: commitPage(offer.url, commit)});
	const tell = (to: 'begun' | 'done' | 'failed') =>
		askSupervisor(here, {do: 'push', to, commit, remote, branch, commands, ...page});
	await tell('begun');
	const {repository} = here;
	const ended = await gitWithTerminal(repository.root, offer.push, {
		...{settings: [], environment: process.env},
		keeps: true,
	});
	await tell(ended.code === 0 ? 'done' : 'failed');
	if (ended.code !== 0) {
		throw await pushTrouble(repository, offer, {...ended, branch: offer.target});
	}

	if (request !== undefined) {
		await openRequest(repository.root, request);
	}

	return `Pushed to ${remote}/${branch}${request === undefined ? '' : ', and opened a pull request'}.`;
};

/** Does the same from the screen, which returns only after the person has read the error. */
export const pushOnScreen = async (here: Here, offer: PushOffer): Promise<string> => {
	try {
		return await push(here, offer);
	} catch (error) {
		// Another program waits for the key: after a read in this process, the screen would not get its keys.
		const wait = `printf 'Enter goes back to the screen. '; read -r _`;
		await runInShell(wait, here.repository.root).catch(() => {});
		throw error;
	}
};

/** Exit code of `gh` if it is not logged in. */
const loggedOut = 4;

/** Opens the pull request with exactly the command that was shown, through a shell. */
const openRequest = async (
	cwd: string,
	{program, command}: NonNullable<PushOffer['request']>,
): Promise<void> => {
	const code = await runInShell(command, cwd);
	if (code === 0) {
		return;
	}

	const isLoggedOut = program === 'gh' && code === loggedOut;
	const why = isLoggedOut ? ', since it is not logged in' : '';
	throw new Failure('refused', `It is pushed, but ${program} opened no pull request${why}.`, {
		hint: isLoggedOut
			? `gh auth login; then ${command}`
			: `its output is above; to try again: ${command}`,
	});
};
