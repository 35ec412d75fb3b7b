import {createHash} from 'node:crypto';
import {readFile} from 'node:fs/promises';
import {z} from 'zod';
import {makeStateFolder} from '../../client/supervisor/start-supervisor.ts';
import {ifThere} from '../../lib/files/reading.ts';
import {writeAtomically} from '../../lib/files/write-atomically.ts';
import {plainJson, readJson} from '../../lib/text/json.ts';
import {quotedBelow} from '../../lib/text/quoted-block.ts';
import type {Here} from '../here.ts';
import {columnsHere} from '../output.ts';
import {requirePerson} from '../reach-supervisor.ts';
import type {AskedSetting} from './trust-rules.ts';

/** The person's verdict on a repository's settings: they apply, or only the person's own config does. */
export type TrustVerdict = 'yes' | 'no';

/** Returns a digest of exactly these settings, as written. */
export const settingsDigest = (asked: readonly AskedSetting[]): string =>
	createHash('sha256')
		.update(JSON.stringify(asked.map(({path, written}) => [path, written])))
		.digest('hex')
		.slice(0, 40);

/** Returns each setting in full, with its effect. */
export const askedLines = (asked: readonly AskedSetting[]): readonly string[] =>
	asked.map(({path, written, does}) =>
		quotedBelow(`  ${path}: ${plainJson(written)}\n    ${does}`, {
			indent: '    ',
			columns: columnsHere(),
		}),
	);

/** Returns the person's verdict on these settings of this repository, if any. */
export const verdictOn = async (
	{folder}: Here,
	asked: readonly AskedSetting[],
): Promise<TrustVerdict | undefined> => (await verdictsIn(folder.trust))[settingsDigest(asked)];

/**
Stores the person's verdict on these settings of this repository: in the state folder, which no clone can bring along.

@throws `Failure` of kind `refused` if the caller is not the person.
*/
export const keepVerdict = async (
	here: Here,
	asked: readonly AskedSetting[],
	verdict: TrustVerdict,
): Promise<void> => {
	requirePerson(here);
	const {path, trust} = here.folder;
	await makeStateFolder(path);
	const verdicts = {...(await verdictsIn(trust)), [settingsDigest(asked)]: verdict};
	await writeAtomically(trust, `${JSON.stringify(verdicts)}\n`, {mode: 0o600});
};

const record = z.record(z.string(), z.enum(['yes', 'no']));

/** Returns the stored verdicts; an unreadable file contains none, so the person is asked again. */
const verdictsIn = async (file: string): Promise<Readonly<Record<string, TrustVerdict>>> =>
	record.safeParse(readJson((await ifThere(readFile(file, 'utf8'))) ?? '')).data ?? {};
