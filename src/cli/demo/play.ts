import type {Event} from '../../events/event.ts';
import {Failure} from '../../lib/failure.ts';
import type {State} from '../../state/state.ts';
import {mergeSettings} from '../config/config.ts';
import {followUntilEnd} from '../follow-session.ts';
import {findHere, type Here, isActive, type LastSession, readLastSession} from '../here.ts';
import {print} from '../output.ts';
import {askSupervisor, reachSupervisor} from '../reach-supervisor.ts';
import {readPlanText} from '../read-plan.ts';
import {startPlan} from '../start-plan.ts';
import {catchInterruption, type Interruption} from './interruption.ts';
import {makePlace, type Place} from './place.ts';
import type {Scene} from './scene.ts';
import {createTeller, type Teller} from './teller.ts';

/**
Plays a scene in a throwaway repository; the last line says what was merged.

Nothing of the person's is read or written: not their state, not their config. However it ends, no session is left running.

@throws `Failure` of kind `refused` when it was interrupted, or when nothing was merged.
*/
export const playScene = async (scene: Scene, {fast}: {fast: boolean}): Promise<void> => {
	const interruption = catchInterruption();
	const place = await makePlace(scene, {pauseS: fast ? 0 : 1});
	interruption.signal.throwIfAborted();
	Object.assign(process.env, place.environment);
	print(`${scene.opening}\n\nEverything of it is in ${place.folder}`);
	const here = await findHere(place.repository);
	const supervisor = await reachSupervisor(here);
	const session = await start(here, place);
	const teller = createTeller({
		stage: {here, session: session.folder, store: {gitDir: here.folder.store}},
		scene,
		paceMs: fast ? 0 : 1500,
		signal: interruption.signal,
	});
	const followed = follow(here, session, teller, interruption);
	const state = await Promise.race([followed, interruption.happened]).catch(async error => {
		await end(here);
		await supervisor.closed;
		print(`\nThe session has ended; what there is of it is kept in ${place.folder}`);
		throw error;
	});
	await supervisor.closed;
	conclude(scene, place, state);
};

/** The person's config has no say in a story that must go as it was written. */
const start = async (here: Here, {folder, plan}: Place): Promise<LastSession> => {
	const config = mergeSettings([], folder);
	const read = await readPlanText(plan, {
		file: 'plan.yaml',
		repository: here.repository,
		config,
	});
	return startPlan(here, config, read, {approved: false, demo: true});
};

/** Batches are told one after the other, at the reader's pace, while the session goes on at its own. */
const follow = async (
	here: Here,
	{folder}: LastSession,
	tell: Teller,
	{interrupt}: Interruption,
): Promise<State> => {
	let told = Promise.resolve();
	const onEvents = (events: readonly Event[], state: State): void => {
		told = told.then(() => tell(events, state));
		told.catch(interrupt);
	};

	const state = await followUntilEnd(here, folder, {onEvents});
	await told;
	return state;
};

/** Ends the session if it still runs, and waits for its end; one that is being merged ends by itself. */
const end = async (here: Here): Promise<void> => {
	const session = await readLastSession(here);
	if (isActive(session)) {
		await askSupervisor(here, {do: 'stop'}).catch(() => {});
		await followUntilEnd(here, session.folder, {onEvents: () => {}});
	}
};

const conclude = (
	{closing}: Scene,
	{repository, environment}: Place,
	{session, merge}: State,
): void => {
	if (!session || merge.phase !== 'published') {
		throw new Failure(
			'refused',
			`Nothing was merged: ${session?.ended?.why ?? 'no reason given'}.`,
		);
	}

	const program = process.argv[1] ?? 'delegate-tui';
	print(`\n${closing}\n
The repository is kept. Its docs/ folder is the session's own record and never
part of a merge. To look at it, and at every event of the session:
  cd ${repository}
  git log --stat
  DELEGATE_TUI_STATE=${environment.DELEGATE_TUI_STATE} ${program} log\n
merged ${merge.built.commit} into ${session.target}`);
};
