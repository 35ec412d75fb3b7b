import {appendFileSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {z} from 'zod';

/** A seed with which a random test failed once, to be tried again in every run. */
export type KeptSeed = {
	/** Name of the test. */
	readonly what: string;
	readonly seed: number;
	/** Path of one try of the seed, as fast-check names it. */
	readonly path?: string | undefined;
};

export type SeedFile = {
	readonly path: string;
	/** True if failing seeds are stored: not in the check, which must change no file. */
	readonly keeps: boolean;
};

const own: SeedFile = {
	path: join(import.meta.dirname, '../safety/seeds.ndjson'),
	keeps: process.env.SAFETY_FIGURES !== undefined,
};

/** Returns the failed seeds of a test. */
export const keptSeeds = (what: string, {path}: SeedFile = own): readonly KeptSeed[] =>
	readFileSync(path, 'utf8')
		.split('\n')
		.filter(line => line !== '')
		.map(line => schema.parse(JSON.parse(line)))
		.filter(kept => kept.what === what);

/** Stores a failed seed, without duplicates. */
export const keepSeed = (failed: KeptSeed, file: SeedFile = own): void => {
	const isKept = keptSeeds(failed.what, file).some(
		({seed, path}) => seed === failed.seed && path === failed.path,
	);
	if (file.keeps && !isKept) {
		appendFileSync(file.path, `${JSON.stringify(failed)}\n`);
	}
};

/** Runs a random test with this seed and with all stored ones; stores a failing one. */
export const fromSeeds = async (
	what: string,
	seed: number,
	act: (seed: number) => Promise<void>,
	file: SeedFile = own,
): Promise<void> => {
	for (const one of new Set([...keptSeeds(what, file).map(kept => kept.seed), seed])) {
		try {
			await act(one);
		} catch (error) {
			keepSeed({what, seed: one}, file);
			throw error;
		}
	}
};

const schema = z.strictObject({
	what: z.string(),
	seed: z.number(),
	path: z.string().optional(),
});
