import {setTimeout as wait} from 'node:timers/promises';
import type {Event} from '../../events/event.ts';
import {Failure} from '../../lib/failure.ts';
import {defined} from '../../lib/values.ts';
import {inbox} from '../../rules/inbox.ts';
import {agentOfItem, type Item} from '../../state/item.ts';
import {checkedIn} from '../../state/items/conflict/outcome-check.ts';
import {kindOf, readChoice} from '../../state/items.ts';
import type {State} from '../../state/state.ts';
import {sessionPrinter} from '../commands/run.ts';
import {type Config, mergeSettings} from '../config/config.ts';
import {followUntilEnd} from '../follow-session.ts';
import {findHere, type Here, isActive, type LastSession, readLastSession} from '../here.ts';
import {print} from '../output.ts';
import {readPlanText} from '../plan/read-plan.ts';
import {startPlan} from '../plan/start-plan.ts';
import {askSupervisor, reachSupervisor} from '../reach-supervisor.ts';
import {makePlayground, type Playground} from './playground.ts';
import {type DemoDecision, type DemoScene, isTooEarly} from './scenes.ts';

/** Pace of the agents; they need not wait for the reader, who sees the events later. */
const agentsPace = 0.5;

/**
Plays a scene in a throwaway repository, as text and without a person; the last line names the merge.

Nothing of the person's state or config is read or written. In any case no session is left running.

@throws `Failure` of kind `refused` if it was interrupted, or nothing was merged.
*/
export const playScene = async (scene: DemoScene, {fast}: {fast: boolean}): Promise<void> => {
	const interruption = catchInterruption();
	const playground = await makePlayground(scene, fast ? 0 : agentsPace);
	interruption.signal.throwIfAborted();
	const here = await enter(playground);
	print(`${scene.opening}\n\nEverything of it is in ${playground.folder}`);
	const supervisor = await reachSupervisor(here);
	const {session} = await startScene(scene, playground, here, {demo: true});
	const play = createPlayer(scene, {
		...{here, session, paceMs: fast ? 0 : 1500},
		signal: interruption.signal,
	});
	const followed = follow(here, session, play, interruption);
	const state = await Promise.race([followed, interruption.happened]).catch(async error => {
		await end(here);
		await supervisor.closed;
		print(`\nThe session has ended; its work is kept in ${playground.folder}`);
		throw error;
	});
	await supervisor.closed;
	conclude(scene, playground, state);
};

/** Prints batches one after the other, at the reader's pace, while the session continues at its own. */
const follow = async (
	here: Here,
	{folder}: LastSession,
	play: Play,
	{interrupt}: Interruption,
): Promise<State> => {
	let told = Promise.resolve();
	const onEvents = (events: readonly Event[], state: State): void => {
		told = told.then(() => play(events, state));
		told.catch(interrupt);
	};

	const state = await followUntilEnd(here, folder, onEvents);
	await told;
	return state;
};

/** Ends the session if it still runs, and waits for its end; one that is being merged ends by itself. */
const end = async (here: Here): Promise<void> => {
	const session = await readLastSession(here);
	if (isActive(session)) {
		await askSupervisor(here, {do: 'stop'}).catch(() => {});
		await followUntilEnd(here, session.folder);
	}
};

/** A session of a demo. */
type Started = {
	readonly here: Here;
	readonly session: LastSession;
	readonly config: Config;
};

/** Changes to the place of a demo: from here on, this process and its children use only that. */
export const enter = async ({repository, environment}: Playground): Promise<Here> => {
	Object.assign(process.env, environment);
	return findHere(repository);
};

/**
Starts the session of a scene, with its plan waiting for a decision; `demo` allows scripted ones.

The person's config does not apply, since the story must go as it was written.
*/
export const startScene = async (
	{plan}: DemoScene,
	{folder, profiles}: Playground,
	here: Here,
	{demo}: {demo: boolean},
): Promise<Started> => {
	const config = mergeSettings(
		[
			{
				settings: {agents: profiles, limits: {stagger: 0}, notify: {desktop: false}},
				by: 'built in',
			},
		],
		folder,
	);
	const read = await readPlanText(plan, {
		file: 'plan.yaml',
		repository: here.repository,
		config,
	});
	const session = await startPlan(here, config, read, {approved: false, demo});
	return {here, session, config};
};

/**
Prints what a scene has shown and the paths of its parts; the last line names the merge.

@throws `Failure` of kind `refused` if nothing was merged.
*/
export const conclude = (
	{closing}: DemoScene,
	playground: Playground,
	{session, publications}: State,
): void => {
	const last = publications.at(-1);
	if (!session || last === undefined) {
		throw new Failure(
			'refused',
			`Nothing was merged: ${session?.ended?.why ?? 'no reason given'}.`,
			{hint: `its work is kept in ${playground.folder}`},
		);
	}

	print(`\n${closing}\n
The repository is kept. Its docs/ folder is the session’s own record and never
part of a merge. To look at it, and at every event of the session:
  cd ${playground.repository}
  git log --stat
  ${programAt(playground)} log\n
merged ${last.built.commit} into ${session.target}`);
};

/** Prints how to come back to a session that continues without its screen. */
export const printTheWayBack = (playground: Playground): void => {
	const program = programAt(playground);
	print(`The session goes on without the screen; what needs you waits for you.
Come back to it:
  cd ${playground.repository} && ${program}
Or end it; all work is kept:
  cd ${playground.repository} && ${program} stop`);
};

/** Returns our program as a shell command with the state of this playground. */
const programAt = ({environment}: Playground): string =>
	`DELEGATE_TUI_STATE=${environment.DELEGATE_TUI_STATE} ${process.argv[1] ?? 'delegate-tui'}`;

/** Early end of the demo: by Ctrl-C or another signal, a closed pipe, or a failure of the story. */
type Interruption = {
	/** Aborted with a `Failure` as its reason. */
	readonly signal: AbortSignal;
	readonly interrupt: (reason: unknown) => void;
	/** Rejects with the reason; never settles otherwise. */
	readonly happened: Promise<never>;
};

/** Catches signals that would end this process, so that the session can be ended first: its supervisor runs in the background and would wait for decisions forever. */
const catchInterruption = (): Interruption => {
	const controller = new AbortController();
	const {promise, reject} = Promise.withResolvers<never>();
	promise.catch(() => {});
	const interrupt = (reason: unknown): void => {
		controller.abort(reason);
		reject(controller.signal.reason);
	};

	for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(name, () => interrupt(new Failure('refused', 'The demo was interrupted.')));
	}

	process.stdout.removeAllListeners('error');
	process.stdout.on('error', () =>
		interrupt(new Failure('refused', 'The demo’s output has no reader any more.')),
	);
	return {signal: controller.signal, interrupt, happened: promise};
};

/** Prints events that came together, like a headless session, then decides the items that wait after them. */
type Play = (events: readonly Event[], state: State) => Promise<void>;

/**
Returns the player of a scene's person.

Batches must be passed one after the other. Its output may lag behind the events: agents don't wait for the reader, except those that asked something and wait for its decision.
*/
const createPlayer = (
	scene: DemoScene,
	parts: {
		readonly here: Here;
		readonly session: LastSession;
		/** Time for a reader to read a waiting item, in milliseconds. */
		readonly paceMs: number;
		/** Aborted to end the story. */
		readonly signal: AbortSignal;
	},
): Play => {
	const {here, session, paceMs, signal} = parts;
	const tell = sessionPrinter({}, here, session.folder);
	const script = createScript(scene.decisions);
	const decided = new Set<string>();

	return async (events, state) => {
		signal.throwIfAborted();
		await tell(events, state);
		const waiting = inbox(state).map(({id}) => id);
		for (const item of state.items.filter(({id}) => waiting.includes(id) && !decided.has(id))) {
			const decision = script.next(item, state);
			if (decision === undefined) {
				continue;
			}

			if (!staysOpen(item, state, decision) || !script.hasMore(item)) {
				decided.add(item.id);
			}

			await wait(paceMs, undefined, {signal});
			print(decisionText(item, decision));
			await decide(here, item, decision);
		}
	};
};

/** Returns whether an item stays open after a choice, and is decided in another way then. */
const staysOpen = (item: Item, state: State, {choice}: DemoDecision): boolean => {
	const read = readChoice(state, item, choice);
	return read !== undefined && kindOf(item).staysOpen(read);
};

/** Returns the remaining decisions of a script, each to be taken once. */
const createScript = (decisions: readonly DemoDecision[]) => {
	const open = [...decisions];
	const isFor = (item: Item) => (decision: DemoDecision) =>
		decision.kind === item.kind && decision.agent === agentOfItem(item);
	return {
		hasMore: (item: Item): boolean => open.some(isFor(item)),
		/** Returns the decision on an item; nothing while the person would still wait. */
		next: (item: Item, state: State): DemoDecision | undefined => {
			const position = open.findIndex(isFor(item));
			const decision = open[position];
			if (!decision) {
				throw new Failure(
					'refused',
					`The story took another turn: the script has no answer for ${item.id}.`,
					{hint: 'what happened is shown above'},
				);
			}

			if (isTooEarly(decision, state)) {
				return undefined;
			}

			open.splice(position, 1);
			return decision;
		},
	};
};

/** Returns the reason of a decision, and the command that makes it. */
const decisionText = ({id}: Item, {choice, note, why}: DemoDecision): string =>
	`${why}\n$ delegate-tui answer ${id} ${typed(choice)}${note === undefined ? '' : ` --note "${note}"`}\n`;

/** Returns a choice as typed; a check of its result is typed as a preview. */
const typed = (choice: string): string => {
	const checked = checkedIn(choice);
	return checked ? `${checked} --preview --verify` : choice;
};

/** Sends a decision over the socket, as the demo's person. */
const decide = async (here: Here, {id}: Item, {choice, note}: DemoDecision): Promise<void> => {
	await askSupervisor(here, {do: 'decide', item: id, choice, by: 'demo', ...defined({note})});
};
