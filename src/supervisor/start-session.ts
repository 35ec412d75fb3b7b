import {realpath} from 'node:fs/promises';
import {dirname} from 'node:path';
import type {Asker, BodyOf, Event} from '../events/event.ts';
import type {RestartFinding, Sandbox} from '../events/kinds/machine-event.ts';
import {readSettings} from '../git/read-settings.ts';
import {pinBase} from '../git/repository/base-ref.ts';
import {currentBranch, identity, type Repository, tipOf} from '../git/repository/repository.ts';
import type {Store} from '../git/store/store.ts';
import {diskFiles} from '../journal/files.ts';
import {Failure} from '../lib/failure.ts';
import type {Containment} from '../lib/process/containment.ts';
import {defined} from '../lib/values.ts';
import type {RepositoryFolder} from './folder.ts';
import {requireMovable} from './merging/target-move.ts';
import type {StartRequest} from './requests/request.ts';
import {type RunningSession, runSession} from './session.ts';

/** What every session of a repository stands on. */
export type StartParts = {
	readonly folder: RepositoryFolder;
	readonly repository: Repository;
	readonly store: Store;
	readonly version: string;
	/** The command that starts this program. */
	readonly program: readonly string[];
	readonly containment: Containment;
	readonly log: (message: string) => void;
};

/** Starts a session: everything it will need at its end is looked for first, so that no work ends in a dead end. */
export const startSession = async (
	parts: StartParts,
	request: StartRequest,
	asker?: Asker,
): Promise<{running: RunningSession; event: Event}> => {
	if (request.demo) {
		await requireDemoRepository(parts);
	}

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
	await running.loop.append([supervisorStarted(parts.containment, parts.version)]);
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

/** Returns the first words of this supervisor: that it is here, what its machine allows, and what a crash had left. */
export const supervisorStarted = (
	containment: Containment,
	version: string,
	found?: RestartFinding,
): BodyOf<'supervisor.started'> => ({
	kind: 'supervisor.started',
	pid: process.pid,
	version,
	sandbox: sandboxOf(containment),
	...defined({found}),
});

/**
Returns how far an agent is kept from what is not its business, by what this machine allows.

Files are not shut off at any level, and it must not sound as if they were.
*/
export const sandboxOf = ({level, why}: Containment): Sandbox =>
	level === 'namespace'
		? {
				level: 'processes',
				why: `All that an agent starts ends with it (${why}). Its files are not shut off: it runs with your rights, and what leaves a scope is reverted.`,
			}
		: {
				level: 'none',
				why: `Agents run with your rights; what leaves a scope is reverted. What an agent starts is looked for and ended, but can hide: ${why}.`,
			};
