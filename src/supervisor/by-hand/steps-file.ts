import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {z} from 'zod';
import {ifThere} from '../../lib/files/reading.ts';
import {writeAtomically} from '../../lib/files/write-atomically.ts';
import {readJsonObject} from '../../lib/text/json.ts';
import {type Step, stepSchema} from '../../rules/by-hand/steps.ts';

const schema = z.object({steps: z.array(stepSchema).readonly()});

/**
Returns what a person did to the file of a resolution folder so far.

What can't be read is none: the file itself is what counts, and what was made of it is then seen as one change.
*/
export const readSteps = async (folder: string): Promise<readonly Step[]> => {
	const text = await ifThere(readFile(stepsFile(folder), 'utf8'));
	return text === undefined ? [] : (schema.safeParse(readJsonObject(text)).data?.steps ?? []);
};

/** Keeps them, so that a screen that is opened later goes on with them. */
export const writeSteps = (folder: string, steps: readonly Step[]): Promise<void> =>
	writeAtomically(stepsFile(folder), `${JSON.stringify({steps}, undefined, '\t')}\n`);

const stepsFile = (folder: string): string => join(folder, 'steps.json');
