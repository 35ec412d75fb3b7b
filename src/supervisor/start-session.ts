import {realpath} from 'node:fs/promises';
import {dirname} from 'node:path';
import type {Asker, Event} from '../events/event.ts';
import {readSettings} from '../git/read-settings.ts';
import {pinBase} from '../git/repository/base-ref.ts';
import {
	currentBranch,
	gitLocationOf,
	identity,
	type Repository,
	resolveCommit,
	tipOf,
} from '../git/repository/repository.ts';
import {isBranchName, requireCreatable} from '../git/target/new-target.ts';
import {diskFiles} from '../journal/files.ts';
import {Failure} from '../lib/failure.ts';
import {defined} from '../lib/values.ts';
import {type RepositoryFolder, sessionsOf} from './folder.ts';
import {requireFileSandbox} from './machine/sandbox.ts';
import {requireMovable} from './merging/target-move.ts';
import type {StartRequest} from './requests/request.ts';
import {type RunningSession, runSession, supervisorStarted} from './session.ts';
import type {StartParts} from './world.ts';

/** Starts a session. It first checks all that the session will need at its end, so that finished work can be merged. */
export const startSession = async (
	parts: StartParts,
	request: StartRequest,
	asker?: Asker,
): Promise<{running: RunningSession; event: Event}> => {
	if (request.demo) {
		await requireDemoRepository(parts);
	}

	requireFileSandbox(parts.containment, request.settings.sandbox);
	const target = request.plan.target ?? (await requireBranch(parts.repository));
	const {base, newTarget} = await startingCommit(parts.repository, target);
	await requireMovable(parts.repository, target);
	await identity(parts.repository);
	const settings = await readSettings(parts.repository);
	const id = newSessionId(parts.folder);
	// If this process dies before the session starts, the folder tells the next supervisor which session owns the ref.
	await diskFiles.makeFolder(parts.folder.session(id).path);
	await pinBase(parts.repository, id, base);
	const running = await runSession(parts, id);
	await running.world.environments.keep(request.plan, request.environments);
	const event = await running.loop.ask(
		{
			kind: 'start',
			approved: request.approved,
			event: {
				kind: 'session.started',
				session: id,
				repository: {id: parts.repository.id, root: parts.repository.root},
				...{target, ...defined({newTarget})},
				base,
				plan: request.plan,
				settings: request.settings,
				gitSettings: settings,
				warnings: request.warnings,
				demo: request.demo,
			},
		},
		asker,
	);
	await running.loop.append([
		supervisorStarted(parts.containment, parts.version, request.settings),
	]);
	return {running, event};
};

/** Throws unless this is the demo's own repository, which lies beside its state: only there are scripted decisions allowed. */
const requireDemoRepository = async ({folder, repository}: StartParts): Promise<void> => {
	const [beside, checkout] = await Promise.all([realpath(folder.path), realpath(repository.root)]);
	if (dirname(dirname(beside)) !== dirname(checkout)) {
		throw new Failure('refused', 'Scripted decisions work only in the demo’s repository.');
	}
};

/** Returns an id that sorts after all earlier ones, even if the clock was set back since; `PROTOCOL, From review to merge`. */
const newSessionId = (folder: RepositoryFolder): string => {
	const last = sessionsOf(folder).at(-1) ?? '';
	const time = last.replace(/^DEL-(....)(..)(..T..)(..)(..)(...Z)$/, '$1-$2-$3:$4:$5.$6');
	// `NaN` if that is no time.
	const at = new Date(Math.max(Date.now(), (Date.parse(time) || 0) + 1));
	return `DEL-${at.toISOString().replaceAll(/[-:.]/g, '')}`;
};

const requireBranch = async (repository: Repository): Promise<string> => {
	const branch = await currentBranch(repository);
	if (branch === undefined) {
		throw new Failure(
			'refused',
			'Your checkout is on no branch (detached HEAD), so there is nothing to merge into.',
			{
				hint: 'switch to a branch, or name one in the plan: "target: main"',
			},
		);
	}

	return branch;
};

/**
Returns the target's tip, or the commit of HEAD for a branch that the first merge will create.

@throws `Failure` of kind `missing` if there is no commit to start from, and of kind `refused` if no branch can have that name.
*/
const startingCommit = async (
	repository: Repository,
	target: string,
): Promise<{readonly base: string; readonly newTarget?: true}> => {
	// A name that git reads in another way resolves to a commit, but not to a branch that can be moved.
	const tip = (await isBranchName(repository, target))
		? await tipOf(repository, target)
		: undefined;
	if (tip !== undefined) {
		return {base: tip};
	}

	const head = await resolveCommit(gitLocationOf(repository), 'HEAD');
	if (head === undefined) {
		throw new Failure('missing', 'HEAD of your checkout no longer resolves to a commit.');
	}

	await requireCreatable(repository, target);
	return {base: head, newTarget: true};
};
