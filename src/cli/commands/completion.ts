import type {Command} from 'commander';
import {Failure} from '../../lib/failure.ts';
import {sanitize} from '../../lib/text/sanitize.ts';
import {sessionsOf} from '../../supervisor/folder.ts';
import {candidates, type Names} from '../completion/candidates.ts';
import {completionScripts, type Shell, shells} from '../completion/scripts.ts';
import {scenes} from '../demo/scenes.ts';
import {findHere, isActive, readLastSession} from '../here.ts';
import {print} from '../output.ts';
import {topics} from '../topics/topics.ts';

/** `completion`: what a shell is told so that it completes our commands; and `complete`, which it asks then. */
export const addCompletion = (program: Command): void => {
	program
		.command('completion <shell>')
		.description(`complete commands, items and choices in ${shells.join(', ')}`)
		.action((shell: string) => {
			if (!isShell(shell)) {
				throw new Failure('usage', `There is no completion for "${shell}".`, {
					hint: `shells: ${shells.join(', ')}`,
				});
			}

			print(completionScripts[shell]);
		});
	program.command('complete [words...]', {hidden: true}).action(async (words: string[]) => {
		const offered = candidates(program, words, await namesHere());
		for (const {value, meaning} of offered) {
			process.stdout.write(`${sanitize(value)}\t${sanitize(meaning)}\n`);
		}
	});
};

const isShell = (name: string): name is Shell => shells.some(shell => shell === name);

/** Outside of a repository, and before the first session, there are fewer names. */
const namesHere = async (): Promise<Names> => {
	const here = await findHere().catch(() => undefined);
	const session = here && (await readLastSession(here).catch(() => undefined));
	return {
		state: isActive(session) ? session.state : undefined,
		sessions: here === undefined ? [] : await sessionsOf(here.folder),
		scenes: [...scenes].map(([value, {summary}]) => ({value, meaning: summary})),
		topics: topics.map(({name, help}) => ({value: name, meaning: help})),
		shells,
	};
};
