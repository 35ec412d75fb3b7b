import type {Event} from '../../events/event.ts';
import type {State} from '../../state/state.ts';
import {followUntilEnd} from '../follow-session.ts';
import {type Here, isActive, type LastSession, readLastSession} from '../here.ts';
import {print} from '../output.ts';
import {askSupervisor, reachSupervisor} from '../reach-supervisor.ts';
import {conclude} from './conclude.ts';
import {catchInterruption, type Interruption} from './interruption.ts';
import {makePlayground} from './playground.ts';
import type {Scene} from './scene.ts';
import {enter, startScene} from './start.ts';
import {createNarrator, type Narrator} from './story/narrator.ts';

/** The agents need not wait for each thing that they do to be seen: what is told is read behind them. */
const agentsPace = 0.5;

/**
Plays a scene in a throwaway repository, as text and by itself; the last line says what was merged.

Nothing of the person's is read or written: not their state, not their config. However it ends, no session is left running.

@throws `Failure` of kind `refused` when it was interrupted, or when nothing was merged.
*/
export const playScene = async (scene: Scene, {fast}: {fast: boolean}): Promise<void> => {
	const interruption = catchInterruption();
	const playground = await makePlayground(scene, fast ? 0 : agentsPace);
	interruption.signal.throwIfAborted();
	const here = await enter(playground);
	print(`${scene.opening}\n\nEverything of it is in ${playground.folder}`);
	const supervisor = await reachSupervisor(here);
	const {session} = await startScene(scene, playground, here, {demo: true});
	const narrator = createNarrator({
		stage: {here, session: session.folder, store: {gitDir: here.folder.store}},
		scene,
		paceMs: fast ? 0 : 1500,
		signal: interruption.signal,
	});
	const followed = follow(here, session, narrator, interruption);
	const state = await Promise.race([followed, interruption.happened]).catch(async error => {
		await end(here);
		await supervisor.closed;
		print(`\nThe session has ended; what there is of it is kept in ${playground.folder}`);
		throw error;
	});
	await supervisor.closed;
	conclude(scene, playground, state);
};

/** Batches are told one after the other, at the reader's pace, while the session goes on at its own. */
const follow = async (
	here: Here,
	{folder}: LastSession,
	tell: Narrator,
	{interrupt}: Interruption,
): Promise<State> => {
	let told = Promise.resolve();
	const onEvents = (events: readonly Event[], state: State): void => {
		told = told.then(() => tell(events, state));
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
