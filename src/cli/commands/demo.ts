import type {Command} from 'commander';
import {playScene} from '../demo/play.ts';
import {readScene, sceneList, summaries} from '../demo/scenes.ts';
import {canShowScreen} from '../show-session.ts';

type Options = {headless?: boolean; fast?: boolean};

/** `demo`: the whole story in a throwaway repository. */
export const addDemo = (program: Command): void => {
	program
		.command('demo [scene]')
		.description(`the whole story in a throwaway repository (scenes: ${sceneList})`)
		.option('--headless', 'text instead of the screen, and the decisions by a script')
		.option('--fast', 'without pauses to read')
		.action(async (name: string | undefined, {headless, fast = false}: Options) => {
			if (headless || !canShowScreen()) {
				await playScene(await readScene(name ?? first), {fast});
				return;
			}

			const scene = await readScene(name ?? (await choose()));
			const {playOnScreen} = await import('../demo/on-screen.ts');
			await playOnScreen(scene, {fast});
		});
};

const [first = ''] = Object.keys(summaries);

const choose = async (): Promise<string> => {
	const {chooseScene} = await import('../demo/choose-scene.ts');
	return chooseScene();
};
