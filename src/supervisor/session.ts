import {mkdir} from 'node:fs/promises';
import type {AgentState, Body, Event} from '../events/event.ts';
import {pinBase} from '../git/repository/base-ref.ts';
import {removeCheckout} from '../git/store/checkout-tree.ts';
import type {Journal} from '../journal/writer.ts';
import {asFailure} from '../lib/failure.ts';
import {endThroughContainment} from '../lib/process/containment.ts';
import {createFreezer} from '../lib/process/freezer.ts';
import {killStragglers} from '../lib/process/kill-stragglers.ts';
import {fold} from '../state/apply/apply.ts';
import {keepBudgets} from './budgets.ts';
import {createChecks} from './checks.ts';
import {createConversations} from './conversations.ts';
import {keepDocuments} from './documents/documents.ts';
import {keepSharedFiles} from './documents/shared-files.ts';
import {failpoint} from './failpoint.ts';
import {createLoop, type Loop} from './loop.ts';
import {keepEnvironments} from './machine/environments.ts';
import {watchHealth} from './machine/health.ts';
import {keepHealthRecord, lastRecordedMs} from './machine/health-record.ts';
import {createDesktopNotifier} from './machine/notify-on-desktop.ts';
import {openLiveOracles} from './merging/live-oracles.ts';
import {planCheck} from './merging/plan-check.ts';
import {createRadar} from './merging/radar.ts';
import {createNotices} from './notices.ts';
import {openSessionJournal} from './past/open-journal.ts';
import {requireEvent} from './past/require-event.ts';
import {removeChecks} from './perform/verify.ts';
import {perform} from './perform.ts';
import {probe} from './probe.ts';
import {answerFromFile} from './questions/answer-from-file.ts';
import {keepQuestions} from './questions/keep-questions.ts';
import type {StartParts} from './start-session.ts';
import {createStarts} from './starts.ts';
import {supervisorStarted} from './supervisor-started.ts';
import {openTelemetry} from './telemetry.ts';
import {createTools} from './tools/tools.ts';
import {carryOut} from './undo/undo.ts';
import {watch} from './worktree/watch.ts';
import {serially, sessionMark, snapshotCounter, type World} from './world.ts';

/** A session that is being supervised in this process. */
export type RunningSession = {
	readonly id: string;
	readonly world: World;
	readonly loop: Loop;
	/** Settles when the session has ended and its documents are written, or when it can't go on. */
	readonly over: Promise<void>;
	/** Ends the agents and leaves the session to be resumed. */
	readonly abandon: () => Promise<void>;
};

/**
Runs a session: opens its journal, believes it, compares it with the world, and goes on from there.

For a session that is new and for one whose supervisor was killed this is the same path.
*/
export const runSession = async (parts: StartParts, id: string): Promise<RunningSession> => {
	const {log} = parts;
	const folder = parts.folder.session(id);
	await mkdir(folder.path, {recursive: true, mode: 0o700});
	await removeCheckout(folder.scratch);
	const environments = await keepEnvironments(folder.environments, () => loop.state());
	const journal = await openSessionJournal(parts, id);
	const past = journal.entries.map(requireEvent);
	const before = fold(past);
	const tell = (
		kind: 'machine.documents' | 'machine.questions',
		troubles: readonly string[],
	): void => {
		troubles.forEach(log);
		world.report({kind, troubles});
	};
	const documents = keepDocuments({
		// Where the session was started; this supervisor may have been started in another worktree.
		root: before.session?.repository.root ?? parts.repository.root,
		onTrouble: troubles => tell('machine.documents', troubles),
	});
	documents.add(past);
	const sharedFiles = keepSharedFiles(folder, error => log(asFailure(error).message));
	sharedFiles.add(past, before);

	const notices = createNotices(past);
	const notifier = createDesktopNotifier({
		state: before,
		now: () => new Date(),
		onTrouble: error => log(`no notification on the desktop: ${String(error)}`),
	});
	const questions = keepQuestions({
		session: id,
		folder,
		past,
		state: () => loop.state(),
		append: bodies => loop.append(bodies),
		answer: (item, text, owner) => answerFromFile(world, loop, {item, text, owner}),
		onTrouble: troubles => tell('machine.questions', troubles),
	});
	const budgets = await keepBudgets(folder.telemetry, {
		state: () => loop.state(),
		report: body => world.report(body),
	});
	const over = Promise.withResolvers<void>();
	const now = () => new Date().toISOString();
	const world: World = {
		repository: parts.repository,
		store: parts.store,
		session: id,
		folder,
		containment: parts.containment,
		freezer: createFreezer(),
		environments,
		state: () => loop.state(),
		turns: new Map(),
		conversations: createConversations(),
		starts: createStarts(),
		checks: createChecks(),
		tools: createTools({
			folder,
			version: parts.version,
			program: parts.program,
			state: () => loop.state(),
			append: bodies => loop.append(bodies),
			notices,
			onResult: agent => world.turns.get(agent)?.told(),
		}),
		notices,
		questions,
		budgets,
		telemetry: openTelemetry(folder.telemetry, {
			now,
			onTrouble: error => log(`telemetry could not be written: ${String(error)}`),
		}),
		append: bodies => loop.append(bodies),
		report: body => void loop.append([body]).catch(error => log(String(error))),
		oracles: openLiveOracles(
			parts.store,
			planCheck(() => world),
		),
		now,
		serially: serially(),
		nextSnapshot: snapshotCounter(parts.store, id),
	};
	const loop = createLoop({
		state: before,
		recordedMs: await lastRecordedMs(folder.telemetry),
		append: bodies => appendEvents(journal, bodies),
		perform: (effect, state) => perform(world, effect, state),
		now,
		onChange: (state, events) => {
			documents.add(events);
			sharedFiles.add(events, state);
			notices.hear(events);
			questions.add(events);
			notifier.hear(state);
			endConversations(world, events);
			world.tools.letGo(state);
			world.checks.letGo(state);
			world.freezer.set(state.disk?.level === 'full');
			radar.look();
			if (events.some(isCauseToLook)) {
				void health.look();
			}

			if (state.session?.ended) {
				void finish();
			}
		},
		onBroken: failure => {
			log(failure.message);
			void abandon().finally(() => over.reject(failure));
		},
	});
	const stopWatching = watch({world, state: loop.state, onGone: () => void abandon()});
	const health = watchHealth({world, state: loop.state});
	const stopRecord = keepHealthRecord(world.telemetry, loop);
	const radar = createRadar({
		store: parts.store,
		state: loop.state,
		oracles: world.oracles,
		append: world.append,
		onTrouble: error => log(`work could not be compared: ${String(error)}`),
	});

	/** Lets nothing of it run on. */
	const halt = async (): Promise<void> => {
		stopWatching();
		health.stop();
		stopRecord();
		loop.close();
		await radar.close();
		await endProcesses(world);
	};

	const finish = async (): Promise<void> => {
		await halt();
		await removeChecks(world);
		await removeCheckout(folder.scratch);
		await world.telemetry.close();
		await documents.flush();
		await sharedFiles.flush();
		await questions.close();
		await notifier.close();
		await journal.close();
		over.resolve();
	};

	const abandon = async (): Promise<void> => {
		await halt();
		await questions.close();
		over.resolve();
	};

	await greet(world, loop, parts, journal.tornTail);
	await health.look();
	return {id, world, loop, over: over.promise, abandon};
};

/** What a machine is looked at for at once, and after that more often. */
const isCauseToLook = (event: Event): boolean =>
	event.kind === 'session.started' ||
	(event.kind === 'machine.survivors' && event.processes.length > 0);

/** Nothing of a session runs on after it: not a turn that was just starting, nor what an agent left behind. */
const endProcesses = async (world: World): Promise<void> => {
	world.starts.close();
	await Promise.all([
		world.conversations.endAll(),
		world.tools.close(),
		...[...world.turns.values()].map(turn => endThroughContainment(world.containment, turn, 1000)),
	]);
	await killStragglers({mark: sessionMark(world.session)});
};

/** The agent states in which no next turn is near. */
const restful: readonly AgentState[] = ['COMPLETE', 'FAILED', 'MERGED', 'ABORTED'];

/** A process that is kept for a next turn is of no use once its agent is done, and could still write. */
const endConversations = ({conversations}: World, events: readonly Event[]): void => {
	for (const event of events) {
		if (event.kind === 'agent.moved' && restful.includes(event.to)) {
			void conversations.end(event.agent);
		}
	}
};

/** The first words of a supervisor: that it is here, and what it found. */
const greet = async (
	world: World,
	loop: Loop,
	{version, log}: StartParts,
	tornTail: string | undefined,
): Promise<void> => {
	const {session} = loop.state();
	if (!session) {
		return;
	}

	await pinBase(world.repository, world.session, session.base);
	const {found, news} = await probe(world, loop.state(), tornTail);
	await loop.append([supervisorStarted(world.containment, version, found), ...news]);
	await carryOut(world).catch(error => log(`the undo was not finished: ${String(error)}`));
};

/** Writes events into a journal and returns them with their numbers. */
export const appendEvents = async (
	journal: Journal,
	bodies: readonly (Body & {at: string})[],
): Promise<readonly Event[]> => {
	failpoint('before', bodies);
	const events = (await journal.append(bodies)).map(requireEvent);
	failpoint('after', events);
	return events;
};
