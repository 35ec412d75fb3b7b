import {mkdir} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {ownCheck, type RunCheck} from '../conflicts/oracle/command/own-check.ts';
import {type Oracles, openOracles} from '../conflicts/oracle/open-oracles.ts';
import {
	budgetOf,
	type OracleContext,
	type OraclePlugin,
	type ShutIn,
} from '../conflicts/oracle/oracle.ts';
import {typescriptOracle} from '../conflicts/oracle/typescript.ts';
import type {AgentState, Body, BodyOf, Event} from '../events/event.ts';
import type {RestartFinding} from '../events/kinds/machine-event.ts';
import type {Settings} from '../events/settings.ts';
import {pinBase} from '../git/repository/base-ref.ts';
import {removeCheckout} from '../git/store/store.ts';
import type {Journal} from '../journal/writer.ts';
import {asFailure, Failure} from '../lib/failure.ts';
import {keepMemorySmall} from '../lib/memory.ts';
import {type Containment, endThroughContainment} from '../lib/process/containment.ts';
import {type DesktopNotification, notifyDesktop} from '../lib/process/desktop-notifier.ts';
import {inBackground} from '../lib/process/find-program.ts';
import {createFreezer} from '../lib/process/freezer.ts';
import {killStragglers} from '../lib/process/kill-stragglers.ts';
import {defined, omit} from '../lib/values.ts';
import {readDecision} from '../rules/commands/read-decision.ts';
import {whyGone} from '../rules/commands/why-not.ts';
import {asOne, isWanted, type Notification, notificationsSince} from '../rules/notifications.ts';
import {fold} from '../state/apply/apply.ts';
import {itemOf} from '../state/select.ts';
import type {State} from '../state/state.ts';
import {createChecks, createStarts, keepBudgets} from './budgets.ts';
import {createConversations} from './conversations.ts';
import {keepDocuments} from './documents/documents.ts';
import {keepSharedFiles} from './documents/shared-files.ts';
import {failpoint} from './failpoint.ts';
import {createLoop, type Loop} from './loop.ts';
import {createAgentLimits} from './machine/agent-limits.ts';
import {watchCheckout} from './machine/checkout.ts';
import {confined} from './machine/confined-git.ts';
import {keepEnvironments} from './machine/environments.ts';
import {createGates} from './machine/gates.ts';
import {keepHealthRecord, keepLoadRecord, lastRecordedMs, watchHealth} from './machine/health.ts';
import {checkerWords, inWorktree, protectsFiles, sandboxOf} from './machine/sandbox.ts';
import {networkOf, runForSession, shellEnvironment} from './machine/shell.ts';
import {openSlots} from './machine/slots.ts';
import {inCheckout, readLogEnd} from './merging/check-tree.ts';
import {withAnswer} from './merging/gather.ts';
import {createRadar} from './merging/radar.ts';
import {createNotices} from './notices.ts';
import {keepCheckpoint} from './past/checkpoint.ts';
import {openSessionJournal} from './past/open-journal.ts';
import {requireEvent} from './past/read-session.ts';
import {removeChecks} from './perform/checks.ts';
import {perform} from './perform.ts';
import {probe} from './probe.ts';
import {keepQuestions} from './questions/keep-questions.ts';
import {openTelemetry} from './telemetry.ts';
import {createTools} from './tools.ts';
import {carryOut} from './undo/undo.ts';
import {createLookout, watchWorktree} from './worktree/lookout.ts';
import {watch} from './worktree/watch.ts';
import {
	requireSession,
	type StartParts,
	serially,
	sessionMark,
	snapshotCounter,
	type World,
} from './world.ts';

export type RunningSession = {
	readonly id: string;
	readonly world: World;
	readonly loop: Loop;
	/** Settles when the session has ended and its documents are written, or rejects when it can't continue. */
	readonly over: Promise<void>;
	/** Ends the agents; the session can be resumed later. */
	readonly abandon: () => Promise<void>;
};

/**
Runs a session: opens its journal, applies its events, compares the state with the machine, and continues from there.

New sessions and sessions whose supervisor was killed take the same path.
*/
export const runSession = async (parts: StartParts, id: string): Promise<RunningSession> => {
	const {log} = parts;
	const folder = parts.folder.session(id);
	await mkdir(folder.path, {recursive: true, mode: 0o700});
	await removeCheckout(folder.scratch);
	// The entries can be freed once they are folded.
	const {entries, tornTail, ...journal} = await openSessionJournal(parts, id);
	const past = entries.map(requireEvent);
	const before = fold(past);
	const now = () => new Date().toISOString();
	const loop = createLoop({
		state: before,
		recordedMs: await lastRecordedMs(folder.telemetry),
		append: bodies => appendEvents(journal, bodies),
		perform: (effect, state) => perform(world, effect, state),
		now,
		onChange: (state, events) => hear(state, events),
		onBroken: failure => {
			log(failure.message);
			void abandon().finally(() => over.reject(failure));
		},
	});
	const {state, append} = loop;
	const report = (body: Body) => void append([body]).catch(error => log(String(error)));
	const environments = await keepEnvironments(folder.environments, state);
	const tell = (
		kind: 'machine.documents' | 'machine.questions',
		troubles: readonly string[],
		items: Readonly<Record<string, string>> = {},
	): void => {
		[...troubles, ...Object.values(items)].forEach(log);
		report({kind, troubles, ...(Object.keys(items).length === 0 ? {} : {items})});
	};
	const documents = keepDocuments({
		// The session's worktree; this supervisor may have been started in another one.
		root: before.session?.repository.root ?? parts.repository.root,
		onTrouble: troubles => tell('machine.documents', troubles),
	});
	documents.add(past);
	const sharedFiles = keepSharedFiles(folder, error => log(asFailure(error).message));
	sharedFiles.add(past, before);

	const notices = createNotices(past);
	const notifier = createDesktopNotifier({
		state: before,
		onTrouble: error => log(`no notification on the desktop: ${String(error)}`),
	});
	const questions = keepQuestions({
		session: id,
		folder,
		past,
		state,
		append,
		answer: (item, text, owner) => answerFromFile(world, loop, {item, text, owner}),
		onTrouble: (troubles, items) => tell('machine.questions', troubles, items),
	});
	const budgets = await keepBudgets(folder.telemetry, {state, report});
	const slots = openSlots(dirname(parts.folder.path));
	await slots.giveUpOthers(parts.folder.path, folder.path);
	const over = Promise.withResolvers<void>();
	const turns: World['turns'] = new Map();
	const world: World = {
		repository: parts.repository,
		store: confined(parts.store, {containment: parts.containment, state}, log),
		session: id,
		folder,
		containment: parts.containment,
		freezer: createFreezer(),
		environments,
		state,
		turns,
		conversations: createConversations(),
		starts: createStarts(),
		slots,
		checks: createChecks(),
		gates: createGates(folder.path),
		limits: createAgentLimits({state, folder}),
		tools: createTools({
			folder,
			version: parts.version,
			program: parts.program,
			state,
			append,
			notices,
			onResult: agent => turns.get(agent)?.told(),
		}),
		notices,
		checkout: watchCheckout({
			...{repository: parts.repository, state, turns, report},
			areShutIn: () => {
				const {settings, plan} = state().session ?? {};
				return protectsFiles(parts.containment, settings?.sandbox) && !plan?.allow?.write?.length;
			},
		}),
		questions,
		budgets,
		telemetry: openTelemetry(folder.telemetry, {
			now,
			onTrouble: error => log(`telemetry could not be written: ${String(error)}`),
		}),
		append,
		report,
		oracles: openLiveOracles(
			{
				...{store: parts.store, shutIn: shutInOf(() => world)},
				budget: () => budgetOf(state().session?.settings.types ?? {}),
			},
			planCheck(() => world),
		),
		now,
		serially: serially(),
		nextSnapshot: snapshotCounter(parts.store, id),
	};
	const checkpoint = keepCheckpoint(folder);
	const hear = (now: State, events: readonly Event[]): void => {
		void checkpoint(now, journal.position());
		documents.add(events);
		sharedFiles.add(events, now);
		notices.hear(events);
		questions.add(events);
		notifier.hear(now);
		endConversations(world, events);
		world.tools.letGo(now);
		world.checks.letGo(now);
		world.freezer.set(now.disk?.level === 'full');
		radar.look();
		if (events.some(isCauseToLook)) {
			void health.look();
		}

		if (now.session?.ended) {
			void finish();
		}
	};

	const stopWatching = watch({
		...{world, state, onGone: () => void abandon()},
		lookout: createLookout(agent => watchWorktree(world, agent)),
	});
	const health = watchHealth({world, state});
	const records = [
		keepHealthRecord(world.telemetry, loop),
		keepMemorySmall(),
		keepLoadRecord(world.telemetry, {
			...{state, report: world.report},
			...defined({besides: world.limits?.besides}),
		}),
	];
	const radar = createRadar({
		store: parts.store,
		state,
		oracles: world.oracles,
		append,
		onTrouble: error => log(`work could not be compared: ${String(error)}`),
	});

	const halt = async (): Promise<void> => {
		stopWatching();
		world.checkout.close();
		health.stop();
		for (const stop of records) {
			stop();
		}

		loop.close();
		await radar.close();
		await endProcesses(world);
	};

	const finish = async (): Promise<void> => {
		await halt();
		await removeChecks(world);
		await removeCheckout(folder.scratch);
		await slots.giveUp(folder.path);
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
		// A failed disk may be the reason for the halt.
		await journal.close().catch(() => {});
		over.resolve();
	};

	await greet(world, loop, parts, tornTail);
	await health.look();
	return {id, world, loop, over: over.promise, abandon};
};

/** Returns whether an event makes the supervisor look at the machine at once, and more often afterwards. */
const isCauseToLook = (event: Event): boolean =>
	event.kind === 'session.started' ||
	(event.kind === 'machine.survivors' && event.processes.length > 0);

/** Ends all processes of a session: also those of a turn that was just starting, and those that agents left behind. */
const endProcesses = async (world: World): Promise<void> => {
	world.starts.close();
	await Promise.all([
		world.conversations.endAll(),
		world.tools.close(),
		world.gates?.close(),
		...[...world.turns.values()].map(turn => endThroughContainment(world.containment, turn, 1000)),
	]);
	await killStragglers({mark: sessionMark(world.session)});
};

/** Agent states after which no turn follows soon. */
const restful: readonly AgentState[] = ['COMPLETE', 'FAILED', 'MERGED', 'ABORTED'];

/** Ends the kept process of an agent that is done: it has no further use, and could still write. */
const endConversations = ({conversations}: World, events: readonly Event[]): void => {
	for (const event of events) {
		if (event.kind === 'agent.moved' && restful.includes(event.to)) {
			void conversations.end(event.agent);
		}
	}
};

/** Records the start of the supervisor, with its findings. */
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
	await loop.append([
		supervisorStarted(world.containment, version, session.settings, found),
		...news,
	]);
	await carryOut(world).catch(error => log(`the undo was not finished: ${String(error)}`));
};

/** Writes events into a journal and returns them with their numbers. */
export const appendEvents = async (
	journal: Pick<Journal, 'append'>,
	bodies: readonly (Body & {at: string})[],
): Promise<readonly Event[]> => {
	failpoint('before', bodies);
	const events = (await journal.append(bodies)).map(requireEvent);
	failpoint('after', events);
	return events;
};

/**
Opens the type checkers that examine agents' work in progress, and all of that work together.

These are TypeScript, since it reads git objects and needs no files (the others would check out each snapshot again, unasked), in our own version: agents may have written to the project's, and this process decides what they may do. After it come the checks that the plan names, in processes of their own.
*/
export const openLiveOracles = (
	context: Pick<OracleContext, 'store' | 'shutIn' | 'budget'>,
	...named: readonly OraclePlugin[]
): Oracles =>
	openOracles(
		{...context, runsCode: false, kept: join(context.store.gitDir, 'kept', 'import-lines')},
		{plugins: [typescriptOracle, ...named], now: () => performance.now()},
	);

/** Confines TypeScript, which reads files by agents, to the store. */
const shutInOf =
	(world: () => World): ShutIn =>
	async ({command, keeps}) => {
		const {session, folder, store} = world();
		const tree = join(folder.scratch, 'types', 'tree');
		const environment = omit(shellEnvironment(process.env, session, 'types').env, 'TMPDIR');
		const own = keeps === undefined ? [] : [keeps];
		await Promise.all([tree, ...own].map(path => mkdir(path, {recursive: true})));
		const containment = await inWorktree(world(), {
			...{name: 'types', tree, environment, commands: [command]},
			more: [{path: store.gitDir, as: 'seen'}, ...own.map(path => ({path, as: 'own'}) as const)],
		});
		return {words: inBackground(checkerWords(containment, command)), env: environment};
	};

/**
Answers a question with a file; decides nothing else.

@param owner Id of the user who owns the file.
@throws `Failure` with the reason for a refusal
*/
export const answerFromFile = async (
	world: Pick<World, 'state' | 'folder'>,
	loop: Pick<Loop, 'ask'>,
	{item: id, text, owner}: {readonly item: string; readonly text: string; readonly owner: number},
): Promise<void> => {
	const state = world.state();
	const item = itemOf(state, id);
	if (item?.kind !== 'question') {
		throw new Failure('refused', whyGone(state, id));
	}

	const command = readDecision(state, item, {item: id, choice: text, by: 'file', owner});
	if (command?.kind !== 'decide') {
		throw new Failure('usage', `"${text.slice(0, 60)}" is not a choice for ${id}.`);
	}

	await loop.ask(await withAnswer(world, state, item, command));
};

export type DesktopNotifierParts = {
	/** State before this supervisor started; nothing in it is notified again. */
	readonly state: State;
	/** Called with the error when a notification could not be shown. */
	readonly onTrouble: (error: unknown) => void;
	/** Shows a notification; default: on the desktop of this process. */
	readonly show?: (notification: DesktopNotification) => Promise<void>;
	/** Time to wait for others after a first notification, in milliseconds. */
	readonly gatherMs?: number;
};

/** Notifies the person on their desktop, whether a screen is open or not. */
export type DesktopNotifier = {
	readonly hear: (state: State) => void;
	/** Resolves when all notifications are shown. */
	readonly close: () => Promise<void>;
};

/** Creates a notifier that joins the notifications of a short time: three agents that finish together cause one. */
export const createDesktopNotifier = ({
	state: believed,
	onTrouble,
	show = one => notifyDesktop(one, process.env),
	gatherMs = 400,
}: DesktopNotifierParts): DesktopNotifier => {
	let last = believed;
	let gathered: readonly Notification[] = [];
	let timer: NodeJS.Timeout | undefined;
	let shown = Promise.resolve();

	const call = (): void => {
		clearTimeout(timer);
		timer = undefined;
		const notification = asOne(gathered);
		gathered = [];
		if (notification !== undefined) {
			// Show them one after the other, so that the person reads them in order.
			shown = shown.then(() => show(notification)).catch(onTrouble);
		}
	};

	return {
		hear: state => {
			const preferences = state.session?.settings.notify;
			const news = notificationsSince(last, state);
			last = state;
			if (preferences?.desktop !== true) {
				return;
			}

			gathered = [...gathered, ...news.filter(one => isWanted(preferences, one))];
			if (gathered.length > 0) {
				timer ??= setTimeout(call, gatherMs);
			}
		},
		close: async () => {
			call();
			await shown;
		},
	};
};

/**
Turns the plan's own check into a checker of agents' work, both separate and merged.

Its commands are those that a person approved with the plan. They may run an agent's files, so each tree has a checkout of its own, used only for the check, in the environment in which `verify` runs.

@param world Evaluated when a tree is checked, since the checkers are part of the world.
*/
export const planCheck = (world: () => World): OraclePlugin =>
	ownCheck({
		commands: () => requireSession(world().state()).plan.check ?? [],
		run: runIn(world),
		patienceMs: 600_000,
	});

/** Runs all check commands, so that one failure doesn't hide the findings of the next. */
const runIn = (world: () => World): RunCheck => {
	let count = 0;
	return async (commit, signal) => {
		count += 1;
		const purpose = ['check', count] as const;
		const session = requireSession(world().state());
		const {setup, check = []} = session.plan;
		const folder = join(world().folder.scratch, `${count}`);
		await mkdir(world().folder.scratch, {recursive: true});
		return inCheckout(world(), session, {commit, folder}, async cwd => {
			const log = join(folder, 'check.log');
			const first = {cwd, purpose, log: join(folder, 'setup.log'), signal};
			const before = await runForSession(world(), setup, first);
			if (!before.ok) {
				const {command} = before.commands.at(-1) ?? {};
				throw new Failure('refused', `\`${command}\`, which runs before it, failed.`);
			}

			let isGreen = true;
			for (const command of check) {
				const run = {cwd, purpose, log, signal, network: networkOf(session.plan)};
				const {ok} = await runForSession(world(), [command], run);
				isGreen &&= ok;
			}

			const output = (await readLogEnd(log)).replaceAll(`${cwd}/`, '');
			return {ok: isGreen, output};
		});
	};
};

/** Returns the event of this supervisor's start: its version, the machine's containment, and the findings after a crash. */
export const supervisorStarted = (
	containment: Containment,
	version: string,
	settings: Settings | undefined,
	found?: RestartFinding,
): BodyOf<'supervisor.started'> => ({
	kind: 'supervisor.started',
	pid: process.pid,
	version,
	sandbox: sandboxOf(containment, settings?.sandbox),
	...defined({found}),
});
