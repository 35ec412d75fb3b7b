import {mkdir} from 'node:fs/promises';
import {socketPath} from '../control/path.ts';
import {serve} from '../control/socket.ts';
import type {Asker} from '../events/event.ts';
import {openRepository} from '../git/repository/repository.ts';
import {openStore, type Store} from '../git/store/store.ts';
import {takeLock} from '../journal/lock.ts';
import {Failure} from '../lib/failure.ts';
import {findContainment} from '../lib/process/containment.ts';
import {orphansParent} from '../lib/process/orphans-parent.ts';
import {ownId} from '../lib/process/process-table.ts';
import {type RepositoryFolder, repositoryFolder, stateFolder} from './folder.ts';
import {clearUpEnded} from './past/clear-up-ended.ts';
import {readLastSession} from './past/last-session.ts';
import {isStuck} from './past/read-session.ts';
import {removeUnstarted} from './past/remove-unstarted.ts';
import {answerRequest} from './requests/answer-request.ts';
import {askerOf} from './requests/asker.ts';
import {requireAuthority} from './requests/decision-tokens.ts';
import {keepNamespace, requireNamespace} from './requests/namespace.ts';
import {readRequest, tokenIn} from './requests/read-request.ts';
import type {SupervisorRequest} from './requests/request.ts';
import {requirePerson} from './requests/require-person.ts';
import {type RunningSession, runSession} from './session.ts';
import {type StartParts, startSession} from './start-session.ts';
import {answerUndo, finishUndo} from './undo/answer-undo.ts';

/** How long a supervisor waits to be given a session before it goes again, in milliseconds. */
const idleMs = 30_000;

/** How long it waits for the next request once it was asked for an undo, in milliseconds. */
const idleAfterUndoMs = 1000;

export type SuperviseParts = {
	/** A folder of the repository. */
	readonly directory: string;
	readonly version: string;
	/** The command that starts this program, for agents to start the server of their tools by. */
	readonly program: readonly string[];
	readonly log: (message: string) => void;
	/** Whether to go again at once when no session is under way, instead of waiting to be given one. */
	readonly wake: boolean;
};

/**
Runs the one supervisor of a repository until its session has ended.

The lock is taken before anything else, by the kernel, so there is never a second one; whoever comes too late leaves without a word. A session that was under way is taken up again.

@throws why it can't go on. It still has the lock then, since part of a session may be at work already: the process must end at once.
*/
export const supervise = async ({
	directory,
	version,
	program,
	log,
	wake,
}: SuperviseParts): Promise<void> => {
	const repository = await openRepository(directory);
	const state = stateFolder(process.env);
	requirePerson({kind: 'process', pid: ownId()});
	const folder = repositoryFolder(state, repository.id);
	requireNamespace(folder);
	await mkdir(folder.path, {recursive: true, mode: 0o700});
	const lock = takeLock(folder.lock);
	if (!lock) {
		return;
	}

	await keepNamespace(folder);
	const store: Store = await openStore(folder.store, repository);
	const containment = await findContainment(process.env.DELEGATE_TUI_PROCESSES);
	const parts: StartParts = {repository, store, version, program, containment, log, folder};
	await removeUnstarted(parts);
	const active = await activeSession(folder);
	await finishUndo(parts);
	await clearUpEnded(parts);
	if (wake && active === undefined) {
		lock.release();
		return;
	}

	const holder = holdSession(parts, active);
	const path = socketPath(`${state}:${repository.id}`);
	const server = await serve({
		path,
		pointer: folder.socket,
		version,
		session: () => holder.current()?.id,
		askWho: true,
		handle: async (request, _reply, _gone, caller) => {
			const asked = readRequest(request);
			if (asked.do === 'show' || asked.do === 'wait') {
				return holder.handle(asked);
			}

			requirePerson(caller());
			if (asked.do === 'capture') {
				return holder.handle(asked);
			}

			const token = requireAuthority(caller(), {
				shown: tokenIn(request),
				folder,
				adopters: [await orphansParent()],
			});
			return holder.handle(asked, askerOf(caller(), token));
		},
	});
	process.once('SIGTERM', () => void holder.abandon());
	try {
		await holder.over;
	} finally {
		await server.close();
	}

	lock.release();
};

/**
Returns the session that has not ended, if there is one.

@throws the reason why nobody can go on with it, so that none is started beside it.
*/
const activeSession = async (folder: RepositoryFolder): Promise<string | undefined> => {
	const last = await readLastSession(folder);
	if (last?.fault !== undefined && isStuck(last)) {
		throw last.fault;
	}

	return last?.state.session?.ended === undefined ? last?.id : undefined;
};

type Holder = {
	readonly current: () => RunningSession | undefined;
	readonly handle: (request: SupervisorRequest, asker?: Asker) => Promise<unknown>;
	readonly abandon: () => Promise<void>;
	/** Settles when there is nothing more to supervise. */
	readonly over: Promise<void>;
};

const holdSession = (parts: StartParts, active: string | undefined): Holder => {
	const over = Promise.withResolvers<void>();
	// It may fail before anybody waits for it.
	over.promise.catch(() => {});
	let running: Promise<RunningSession> | undefined;
	let current: RunningSession | undefined;
	let idle = setTimeout(() => over.resolve(), idleMs);
	let undoing: Promise<unknown> = Promise.resolve();
	const hold = async (session: Promise<RunningSession>): Promise<RunningSession> => {
		clearTimeout(idle);
		running = session;
		try {
			current = await session;
			current.over.then(() => undoing.finally(over.resolve), over.reject);
			return current;
		} catch (error) {
			running = undefined;
			throw error;
		}
	};

	if (active !== undefined) {
		hold(runSession(parts, active)).catch(over.reject);
	}

	const begin = async (
		request: Parameters<typeof startSession>[1],
		asker: Asker | undefined,
	): Promise<unknown> => {
		if (running) {
			const {id} = await running;
			throw new Failure('refused', `Session ${id} is active in this repository; one at a time.`, {
				hint: 'see "delegate-tui status"; "delegate-tui stop" ends it and keeps its work',
			});
		}

		const starting = undoing.then(() => startSession(parts, request, asker));
		await hold(starting.then(started => started.running)).catch(error => {
			over.resolve();
			throw error;
		});
		return {event: (await starting).event};
	};

	/** One after the other: each undo turns round what the one before has done. */
	const turnRound = async (
		request: Extract<SupervisorRequest, {do: 'undo'}>,
		asker: Asker | undefined,
	): Promise<unknown> => {
		clearTimeout(idle);
		const answer = undoing.then(async () => answerUndo(parts, await running, request, asker));
		undoing = answer.catch(() => {});
		try {
			return await answer;
		} finally {
			if (!running) {
				idle = setTimeout(() => over.resolve(), idleAfterUndoMs);
			}
		}
	};

	return {
		current: () => current,
		over: over.promise,
		abandon: async () => {
			await current?.abandon();
			over.resolve();
		},
		handle: async (request, asker) => {
			if (request.do === 'start') {
				return begin(request, asker);
			}

			if (request.do === 'undo') {
				return turnRound(request, asker);
			}

			if (!running) {
				throw new Failure('refused', 'No session is active in this repository.', {
					hint: 'delegate-tui run PLAN.yaml starts one',
				});
			}

			return answerRequest(await running, request, asker);
		},
	};
};
