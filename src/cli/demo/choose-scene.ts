import {print} from '../output.ts';
import {withQuestions} from '../questions.ts';
import {summaries} from './scenes.ts';

/**
Asks which scene to play; Enter takes the first one.

@throws `Failure` of kind `refused` when the person leaves without an answer.
*/
export const chooseScene = async (): Promise<string> => {
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
