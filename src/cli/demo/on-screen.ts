import {readLastSession} from '../here.ts';
import {openScreen} from '../show-session.ts';
import {conclude, printTheWayBack} from './conclude.ts';
import {hint} from './hint.ts';
import {makePlayground} from './playground.ts';
import type {Scene} from './scene.ts';
import {enter, startScene} from './start.ts';

/**
Plays a scene in a throwaway repository, on the screen, with the person deciding; the last line says what was merged.

A session that they leave goes on, as any other does, and they are told the way back.

@throws `Failure` of kind `refused` when the session ended and nothing was merged.
*/
export const playOnScreen = async (scene: Scene, {fast}: {fast: boolean}): Promise<void> => {
	const playground = await makePlayground(scene, fast ? 0 : 1);
	const here = await enter(playground);
	const {session, config} = await startScene(scene, playground, here, {demo: false});
	await openScreen(here, session, config, {hint});
	const {state} = (await readLastSession(here)) ?? session;
	if (state.session?.ended) {
		conclude(scene, playground, state);
	} else {
		printTheWayBack(playground);
	}
};
