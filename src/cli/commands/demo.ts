import type {Command} from 'commander';
import {playScene} from '../demo/play.ts';
import {requireScene, sceneList} from '../demo/scenes.ts';

/** `demo`: the whole story in a throwaway repository. */
export const addDemo = (program: Command): void => {
	program
		.command('demo [scene]')
		.description(`the whole story in a throwaway repository (scenes: ${sceneList})`)
		.option('--headless', 'text instead of the screen')
		.option('--fast', 'without pauses to read')
		.action(async (name: string | undefined, {fast}: {fast?: boolean}) => {
			await playScene(requireScene(name ?? 'merge'), {fast: fast ?? false});
		});
};
