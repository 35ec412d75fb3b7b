import {appendFileSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {z} from 'zod';

/** Where something that draws its way failed once, to be gone again in every run from then on. */
export type KeptSeed = {
	/** What was tried. */
	readonly what: string;
	readonly seed: number;
	/** The way of one try among those of the seed, as fast-check names it. */
	readonly path?: string | undefined;
};

export type SeedFile = {
	readonly path: string;
	/** Whether what fails is to be kept: not in the check, which must change no file. */
	readonly keeps: boolean;
};

const own: SeedFile = {
	path: join(import.meta.dirname, '../safety/seeds.ndjson'),
	keeps: process.env.SAFETY_FIGURES !== undefined,
};

/** Returns where this failed before. */
export const keptSeeds = (what: string, {path}: SeedFile = own): readonly KeptSeed[] =>
	readFileSync(path, 'utf8')
		.split('\n')
		.filter(line => line !== '')
		.map(line => schema.parse(JSON.parse(line)))
		.filter(kept => kept.what === what);

/** Keeps where it failed, once. */
export const keepSeed = (failed: KeptSeed, file: SeedFile = own): void => {
	const isKept = keptSeeds(failed.what, file).some(
		({seed, path}) => seed === failed.seed && path === failed.path,
	);
	if (file.keeps && !isKept) {
		appendFileSync(file.path, `${JSON.stringify(failed)}\n`);
	}
};

/** Tries something that draws, from this seed and from all where it failed before; keeps the one where it fails. */
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
