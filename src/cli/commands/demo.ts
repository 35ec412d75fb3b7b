import type {Command} from 'commander';
import {playScene} from '../demo/play.ts';
import {readDemoScene, sceneList, summaries} from '../demo/scenes.ts';
import {print} from '../output.ts';
import {withQuestions} from '../questions.ts';
import {canShowScreen} from '../show-session.ts';

type Options = {headless?: boolean; fast?: boolean};

/** `demo`: the whole story in a throwaway repository. */
export const addDemo = (program: Command): void => {
	program
		.command('demo [scene]')
		.summary('the whole story in a throwaway repository; help demo lists its scenes')
		.description(`the whole story in a throwaway repository (scenes: ${sceneList})`)
		.option('--headless', 'text instead of the screen, and the decisions by a script')
		.option('--fast', 'without pauses to read')
		.action(async (name: string | undefined, {headless, fast = false}: Options) => {
			if (headless || !canShowScreen()) {
				await playScene(await readDemoScene(name ?? first), {fast});
				return;
			}

			const scene = await readDemoScene(name ?? (await chooseScene()));
			const {playOnScreen} = await import('../demo/on-screen.ts');
			await playOnScreen(scene, {fast});
		});
};

const [first = ''] = Object.keys(summaries);

/**
Asks which scene to play; Enter takes the first one.

@throws `Failure` of kind `refused` when the person leaves without an answer.
*/
const chooseScene = async (): Promise<string> => {
	const names = Object.keys(summaries);
	const width = Math.max(...names.map(name => name.length));
	print('Scenes, each in a throwaway repository, with you as the one who decides:\n');
	Object.entries(summaries).forEach(([name, summary], index) => {
		print(`  ${index + 1}  ${name.padEnd(width)}  ${summary}`);
	});
	print('');
	return withQuestions('No scene was chosen.', async ({ask}) => {
		for (;;) {
			const name = chosen(await ask('Which one? [1] '), names);
			if (name !== undefined) {
				return name;
			}
		}
	});
};

/** A scene may be given by its number or its name. */
const chosen = (typed: string, names: readonly string[]): string | undefined =>
	names.includes(typed) ? typed : names[typed === '' ? 0 : Number(typed) - 1];
