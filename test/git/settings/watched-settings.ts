import {renameSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect} from 'vitest';
import {changedSince, readSettings} from '../../../src/git/read-settings.ts';
import {openRepository} from '../../../src/git/repository/repository.ts';
import {git, hermeticHome, makeRepository} from '../../helpers/repository.ts';

/** A repository of a person whose own configuration lies where git looks for it, and what is told of each change to what git goes by. */
export const makeWatched = async () => {
	const home = dirname(hermeticHome());
	renameSync(join(home, 'gitconfig'), join(home, '.gitconfig'));
	delete process.env.GIT_CONFIG_GLOBAL;
	const root = makeRepository();
	const repository = await openRepository(root);
	let reading = await readSettings(repository);
	const told = async (act: () => unknown): Promise<readonly string[]> => {
		act();
		const before = reading;
		reading = await readSettings(repository);
		const changed = changedSince(reading, before);
		expect(reading.digest === before.digest).toBe(changed.length === 0);
		return changed;
	};

	const hook = (name: string) => join(root, '.git/hooks', name);
	const set = (...words: readonly string[]) => git(root, 'config', ...words);
	return {root, home, told, hook, set};
};
