import {readFile} from 'node:fs/promises';
import {diskFailure} from '../../lib/files/disk-failure.ts';
import {ifThere} from '../../lib/files/if-there.ts';
import {writeAtomically} from '../../lib/files/write-atomically.ts';
import type {Outside} from '../../tui/composer/controller.ts';

/** Writes a plan file; one that stands there is replaced only if it is as it was last seen, or if anything may be. */
export const savePlan: Outside['save'] = async ({path, text}, over) => {
	const there = await readIfThere(path);
	const isKnown =
		there === text ||
		over === 'anything' ||
		(over !== undefined && over.path === path && over.text === there);
	if (there !== undefined && !isKnown) {
		return 'taken';
	}

	await writeAtomically(path, text);
	return 'saved';
};

const readIfThere = (path: string): Promise<string | undefined> =>
	ifThere(readFile(path, 'utf8')).catch(error => {
		throw diskFailure(`${path} could not be written`, error);
	});
