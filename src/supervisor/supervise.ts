import {mkdir} from 'node:fs/promises';
import {dirname} from 'node:path';
import {socketPath} from '../control/path.ts';
import {serve} from '../control/socket.ts';
import type {Asker, Body} from '../events/event.ts';
import {requireGitVersion} from '../git/process/version.ts';
import {survivingCheckout} from '../git/repository/checkouts.ts';
import {openRepository} from '../git/repository/repository.ts';
import {openStore, type Store} from '../git/store/store.ts';
import {isBegun} from '../git/target/begun-move.ts';
import {takeLock} from '../journal/lock.ts';
import {asFailure, Failure} from '../lib/failure.ts';
import {findContainment} from '../lib/process/containment.ts';
import {createFreezer} from '../lib/process/freezer.ts';
import {orphansParent} from '../lib/process/kill-stragglers.ts';
import {ownId} from '../lib/process/process-table.ts';
import {atMultiples} from '../lib/timers.ts';
import {defined} from '../lib/values.ts';
import {notClearedText, slowGitText} from '../rules/notices.ts';
import {fold} from '../state/apply/apply.ts';
import {nextToTurn, publicationOf, undoOf} from '../state/merge/publication.ts';
import {keepDocuments} from './documents/documents.ts';
import {type RepositoryFolder, repositoryFolder, stateFolder} from './folder.ts';
import {openSlots} from './machine/slots.ts';
import type {CheckWorld} from './merging/check-tree.ts';
import {lastMerged, lastSessionIn} from './past/last-session.ts';
import {openSessionJournal} from './past/open-journal.ts';
import {isStuck, requireEvent} from './past/read-session.ts';
import {removeUnstarted} from './past/set-aside.ts';
import {clearUp} from './perform/prepare.ts';
import {answerRequest} from './requests/answer-request.ts';
import {requireAuthority} from './requests/decision-tokens.ts';
import {intentOf, readRequest, type SupervisorRequest, tokenIn} from './requests/request.ts';
import {
	askerOf,
	keepNamespace,
	requireNamespace,
	requireNoAgent,
} from './requests/require-person.ts';
import {appendEvents, type RunningSession, runSession, supervisorStarted} from './session.ts';
import {startSession} from './start-session.ts';
import {carryOut, undo} from './undo/undo.ts';
import {findUndo, type UndoContext, withCheck} from './undo/undo-offer.ts';
import {type StartParts, serially} from './world.ts';

/** Time for which an idle supervisor waits for a session before it exits, in milliseconds. */
const idleMs = 30_000;

/** Interval of checks that this process still holds the lock, in milliseconds. */
const keepMs = 1000;

/** Time for which it waits for the next request after an undo, in milliseconds. */
const idleAfterUndoMs = 1000;

export type SuperviseParts = {
	/** A folder of the repository. */
	readonly directory: string;
	readonly version: string;
	/** Command that starts this program; agents start their tool server with it. */
	readonly program: readonly string[];
	readonly log: (message: string) => void;
	/** True if the supervisor exits at once when there is no active session, instead of waiting for one. */
	readonly wake: boolean;
};

/**
Runs the one supervisor of a repository until its session has ended.

It takes the lock, which the kernel guarantees, before anything else, so there is never a second supervisor; a process that comes too late exits silently. It resumes an active session. If the lock file is removed, the supervisor exits before it writes another line, and the next one continues.

@throws the reason why it can't continue. It still holds the lock then, since part of a session may already run: the process must exit at once.
*/
export const supervise = async ({
	directory,
	version,
	program,
	log,
	wake,
}: SuperviseParts): Promise<void> => {
	await requireGitVersion();
	const repository = await openRepository(directory);
	const state = stateFolder(process.env);
	requireNoAgent({kind: 'process', pid: ownId()}, state);
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
	const requireLock = (): void => {
		if (!lock.isHeld()) {
			throw lostLock(folder);
		}
	};
	const parts: StartParts = {
		...{repository, store, version, program, containment, log, folder},
		requireLock,
	};
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
		handle: async (request, _reply, gone, caller) => {
			const asked = readRequest(request);
			if (asked.do === 'show' || asked.do === 'wait') {
				return holder.handle(asked);
			}

			requireNoAgent(caller(), state);
			if (asked.do === 'capture') {
				return holder.handle(asked);
			}

			const token = requireAuthority(caller(), {
				shown: tokenIn(request),
				folder,
				adopters: [await orphansParent()],
				intent: intentOf(asked),
			});
			return holder.handle(asked, {asker: askerOf(caller(), token), gone});
		},
	});
	process.once('SIGTERM', () => void holder.abandon());
	const stopKeeping = atMultiples(keepMs, holder.keepLock);
	try {
		await holder.over;
	} finally {
		stopKeeping();
		await server.close();
	}

	lock.release();
};

const lostLock = ({lock}: RepositoryFolder): Failure =>
	new Failure(
		'refused',
		`The lock ${lock} was removed or replaced, so this supervisor ends and writes nothing more.`,
		{hint: 'The next command starts one that goes on with the session.'},
	);

/**
Returns the session that has not ended, if there is one.

@throws the reason why the session can't be continued, so that the caller doesn't start another beside it.
*/
const activeSession = async (folder: RepositoryFolder): Promise<string | undefined> => {
	const last = await lastSessionIn(folder);
	if (last?.fault !== undefined && isStuck(last)) {
		throw last.fault;
	}

	return last?.state.session?.ended === undefined ? last?.id : undefined;
};

/** Process that sent a request, and a signal that aborts when it is gone. */
type Asking = {readonly asker?: Asker | undefined; readonly gone?: AbortSignal};

type Holder = {
	readonly current: () => RunningSession | undefined;
	readonly handle: (request: SupervisorRequest, asking?: Asking) => Promise<unknown>;
	readonly abandon: () => Promise<void>;
	/** Ends the supervisor if it has lost the lock. */
	readonly keepLock: () => void;
	/** Resolves when there is no session left to supervise. */
	readonly over: Promise<void>;
};

const holdSession = (parts: StartParts, active: string | undefined): Holder => {
	const over = Promise.withResolvers<void>();
	// It may reject before it is awaited.
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

	/** Runs undos one after the other, since each builds on the one before. */
	const turnRound = async (request: UndoRequest, asking: Asking): Promise<unknown> => {
		clearTimeout(idle);
		const answer = undoing.then(async () => answerUndo(parts, await running, request, asking));
		const last = answer.catch(() => {});
		undoing = last;
		try {
			return await answer;
		} finally {
			if (!running && undoing === last) {
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
		keepLock: () => {
			try {
				parts.requireLock();
			} catch (error) {
				// The next supervisor ends the agents.
				over.reject(error);
			}
		},
		handle: async (request, asking = {}) => {
			const {asker} = asking;
			if (request.do === 'start') {
				return begin(request, asker);
			}

			if (request.do === 'undo' || request.do === 'push') {
				return turnRound(request, asking);
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

type UndoRequest = Extract<SupervisorRequest, {do: 'undo' | 'push'}>;

/** Previews an undo or a redo, or performs it once a person has agreed; or records a person's push. */
export const answerUndo = async (
	given: StartParts,
	running: RunningSession | undefined,
	request: UndoRequest,
	{asker, gone = new AbortController().signal}: Asking = {},
): Promise<unknown> => {
	const repository = await survivingCheckout(given.repository);
	const parts = {...given, repository};
	const answer = async (context: UndoContext & CheckWorld) =>
		request.do === 'push'
			? writePush(context, request, asker)
			: request.agreed === undefined
				? {
						offer: await withCheck(
							context,
							await findUndo(context, request.redo ? 'redo' : 'undo'),
							gone,
						),
					}
				: {done: await undo(context, request.agreed, asker)};

	if (running !== undefined && !running.loop.state().session?.ended) {
		await requireOwnMerge(parts, running);
		return answer({...running.world, repository});
	}

	await running?.over;
	const merged = await lastMerged(parts.folder);
	if (merged === undefined) {
		throw nothingYet();
	}

	const {containment, folder, log} = parts;
	return withEndedSession(parts, merged.id, context =>
		answer({
			...context,
			folder: folder.session(merged.id),
			containment,
			freezer: createFreezer(),
			slots: openSlots(dirname(parts.folder.path)),
			report: body => void context.append([body]).catch((error: unknown) => log(String(error))),
		}),
	);
};

/** Records a push as the person's act; the push itself runs in their terminal. */
const writePush = async (
	{state, append}: UndoContext,
	{do: _, ...said}: Extract<SupervisorRequest, {do: 'push'}>,
	asker: Asker | undefined,
): Promise<object> => {
	if (publicationOf(state(), said.commit) === undefined) {
		throw new Failure('refused', 'That merge does not belong to this session.', {
			hint: 'look again: delegate-tui publish',
		});
	}

	await append([{kind: 'push.changed', ...said, ...defined({asker})}]);
	return {};
};

const nothingYet = (): Failure =>
	new Failure('refused', 'Nothing was merged in this repository yet.', {
		hint: 'delegate-tui status shows where the session stands',
	});

/**
Finishes an interrupted undo; every supervisor does so when it starts.

Obstacles, such as the damaged journal of an old session, only go to the log: they must not keep the next session from starting.
*/
export const finishUndo = async (parts: StartParts): Promise<void> => {
	try {
		await finish(parts);
	} catch (error) {
		parts.log(`the last undo could not be examined or finished: ${asFailure(error).message}`);
	}
};

const finish = async (parts: StartParts): Promise<void> => {
	const merged = await lastMerged(parts.folder);
	const session = merged?.state.session;
	if (!(merged && session?.ended) || undoOf(merged.state) === undefined) {
		return;
	}

	await withEndedSession(parts, merged.id, async context => {
		await context.append([supervisorStarted(parts.containment, parts.version, session.settings)]);
		await carryOut({...context, append: appending(context, parts.log)});
	});
};

/** Appends events, and logs slow git commands for people who wait for this supervisor's answer. */
const appending =
	({append}: UndoContext, log: StartParts['log']): UndoContext['append'] =>
	async bodies => {
		for (const body of bodies) {
			if (body.kind === 'machine.waiting' && body.git) {
				log(slowGitText(body.git));
			}
		}

		await append(bodies);
	};

/** Throws unless the running session has merged something: its agents build on earlier merges, which can't be undone meanwhile. */
const requireOwnMerge = async ({folder}: StartParts, {id, loop}: RunningSession): Promise<void> => {
	if (nextToTurn(loop.state()) === undefined) {
		if ((await lastMerged(folder)) === undefined) {
			throw nothingYet();
		}

		throw new Failure(
			'refused',
			`Session ${id} is active, and its agents build on the last merge.`,
			{
				hint: 'undo it when the session has ended; "delegate-tui stop" ends it and keeps its work',
			},
		);
	}
};

/**
Opens the journal of an ended session, for changes to its merge.

The session doesn't continue: no loop runs, and no effect is performed. Its documents are updated if an event was written.
*/
export const withEndedSession = async <Result>(
	{
		repository,
		store,
		log,
		...parts
	}: Pick<StartParts, 'folder' | 'repository' | 'store' | 'log' | 'requireLock'>,
	id: string,
	use: (context: UndoContext) => Promise<Result>,
): Promise<Result> => {
	const journal = await openSessionJournal({...parts, log}, id);
	const past = journal.entries.map(requireEvent);
	let events = past;
	const now = () => new Date().toISOString();
	const append = async (bodies: readonly Body[]): Promise<void> => {
		const at = now();
		const timed = bodies.map(body => ({...body, at}));
		events = [...events, ...(await appendEvents(journal, timed))];
	};

	try {
		const state = () => fold(events);
		return await use({repository, store, session: id, state, append, now, serially: serially()});
	} finally {
		if (events.length > past.length) {
			const root = fold(events).session?.repository.root ?? repository.root;
			const documents = keepDocuments({root, onTrouble: troubles => troubles.forEach(log)});
			documents.add(events);
			await documents.flush();
		}

		await journal.close();
	}
};

/**
Reverts the remains of an interrupted move of the target in the person's checkout, if the last session ended before that was possible or if its journal doesn't mention the move.

A new obstacle is recorded in the journal; all go to the log. They must not keep the next session from starting.
*/
export const clearUpEnded = async (parts: StartParts): Promise<void> => {
	try {
		const last = await lastSessionIn(parts.folder);
		if (last?.fault !== undefined) {
			return;
		}

		if (last === undefined || last.state.interrupted.length === 0) {
			await clearUnknown(parts);
		} else if (last.state.session?.ended) {
			await clear(parts, last.id);
		}
	} catch (error) {
		parts.log(
			`the leftovers of an interrupted merge could not be examined: ${asFailure(error).message}`,
		);
	}
};

const clear = (parts: StartParts, id: string): Promise<void> =>
	withEndedSession(parts, id, async context => {
		const {notCleared} = context.state();
		const outcome = await clearUp(context, {});
		if (outcome.left !== null) {
			parts.log(notClearedText(outcome.left));
		}

		if (outcome.left === null || outcome.left.message !== notCleared?.message) {
			await context.append([outcome]);
		}
	});

/** Cleans up an interrupted move that the journal doesn't mention; a continued session cleans up its own first. */
const clearUnknown = async (parts: StartParts): Promise<void> => {
	const {left} = (await isBegun(parts.repository)) ? await clearUp(parts, {}) : {left: null};
	if (left !== null) {
		parts.log(notClearedText(left));
	}
};
