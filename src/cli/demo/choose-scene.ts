import {createInterface} from 'node:readline/promises';
import {Failure} from '../../lib/failure.ts';
import {print} from '../output.ts';
import {scenes} from './scenes.ts';

/**
Asks which scene to play; Enter takes the first one.

@throws `Failure` of kind `refused` when the person leaves without an answer.
*/
export const chooseScene = async (): Promise<string> => {
	const names = [...scenes.keys()];
	const width = Math.max(...names.map(name => name.length));
	print('Scenes, each in a throwaway repository, with you as the one who decides:\n');
	[...scenes].forEach(([name, {summary}], index) => {
		print(`  ${index + 1}  ${name.padEnd(width)}  ${summary}`);
	});
	print('');
	const terminal = createInterface({input: process.stdin, output: process.stdout});
	const left = Promise.withResolvers<never>();
	const leave = (): void => {
		print('');
		left.reject(new Failure('refused', 'No scene was chosen.'));
	};

	terminal.on('close', leave);
	try {
		for (;;) {
			const typed = await Promise.race([terminal.question('Which one? [1] '), left.promise]);
			const name = chosen(typed.trim(), names);
			if (name !== undefined) {
				return name;
			}
		}
	} finally {
		terminal.off('close', leave);
		terminal.close();
	}
};

/** A scene may be given by its number or its name. */
const chosen = (typed: string, names: readonly string[]): string | undefined =>
	names.includes(typed) ? typed : names[typed === '' ? 0 : Number(typed) - 1];
