import {realpath} from 'node:fs/promises';
import {dirname} from 'node:path';
import type {Asker, Event} from '../events/event.ts';
import {readSettings} from '../git/read-settings.ts';
import {pinBase} from '../git/repository/base-ref.ts';
import {currentBranch, identity, type Repository, tipOf} from '../git/repository/repository.ts';
import {diskFiles} from '../journal/files.ts';
import {Failure} from '../lib/failure.ts';
import {requireFileSandbox} from './machine/sandbox.ts';
import {requireMovable} from './merging/target-move.ts';
import type {StartRequest} from './requests/request.ts';
import {type RunningSession, runSession, supervisorStarted} from './session.ts';
import type {StartParts} from './world.ts';

/** Starts a session: everything it will need at its end is looked for first, so that no work ends in a dead end. */
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
	const base = await requireTip(parts.repository, target);
	await requireMovable(parts.repository, target);
	await identity(parts.repository);
	const settings = await readSettings(parts.repository);
	const id = sessionId(new Date());
	// The folder tells the next supervisor whose ref that is, should this one die over it.
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
				target,
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

/** A script may decide in the demo's own repository only: the one that lies beside its state. */
const requireDemoRepository = async ({folder, repository}: StartParts): Promise<void> => {
	const [beside, checkout] = await Promise.all([realpath(folder.path), realpath(repository.root)]);
	if (dirname(dirname(beside)) !== dirname(checkout)) {
		throw new Failure('refused', 'Scripted decisions work in the repository of the demo only.');
	}
};

/** Ids sort by time; `PROTOCOL, From review to merge`. */
const sessionId = (now: Date): string => `DEL-${now.toISOString().replaceAll(/[-:.]/g, '')}`;

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

const requireTip = async (repository: Repository, target: string): Promise<string> => {
	const tip = await tipOf(repository, target);
	if (tip === undefined) {
		throw new Failure('missing', `There is no branch ${target}.`, {
			hint: `make it (git branch ${target}), or name another target in the plan`,
		});
	}

	return tip;
};
