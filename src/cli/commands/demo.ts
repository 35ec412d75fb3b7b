import type {Command} from 'commander';
import {playScene} from '../demo/play.ts';
import {readDemoScene, sceneList, summaries} from '../demo/scenes.ts';
import {canShowScreen} from '../show-session.ts';

type Options = {headless?: boolean; fast?: boolean};

export const addDemo = (program: Command): void => {
	program
		.command('demo [scene]')
		.summary('the whole story in a throwaway repository; help demo lists its scenes')
		.description(`the whole story in a throwaway repository (scenes: ${sceneList})`)
		.option('--headless', 'text instead of the screen, and the decisions by a script')
		.option('--fast', 'without pauses to read')
		.action(async (name: string | undefined, {headless, fast = false}: Options) => {
			const scene = await readDemoScene(name ?? first);
			if (headless || !canShowScreen()) {
				await playScene(scene, {fast});
				return;
			}

			const {playOnScreen} = await import('../demo/on-screen.ts');
			await playOnScreen(scene, {fast});
		});
};

const [first = ''] = Object.keys(summaries);
