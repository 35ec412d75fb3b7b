import {readFileSync} from 'node:fs';
import {z} from 'zod';
import {attempt} from '../../lib/attempt.ts';
import {Failure} from '../../lib/failure.ts';
import {writeAtomically} from '../../lib/files/write-atomically.ts';
import {isNested, ownNamespace} from '../../lib/process/process-namespace.ts';
import {ownId, readProcess} from '../../lib/process/process-table.ts';
import type {RepositoryFolder} from '../folder.ts';

/**
Refuses to decide on a repository from inside of the system in which it was supervised last, in a namespace where those we come from can't be seen.

An agent can make such a namespace, and passes for a person there. A container that was started again has a namespace of its own as well, and so has a machine that was: those don't lie inside of another system that runs, and a boot that is over binds nobody.

@throws `Failure` of kind `refused`
*/
export const requireNamespace = (folder: RepositoryFolder): void => {
	const own = ownNamespace();
	const bound = read(folder.namespace);
	if (own && bound?.boot === own.boot && bound.id !== own.id && isNested()) {
		throw new Failure(
			'refused',
			'This repository was supervised in another namespace of processes, and from this one it can’t be seen who asks.',
			{hint: 'decide in a terminal outside of sandboxes, where the session was started'},
		);
	}
};

/** Keeps in which namespace a repository is supervised, and since when; only its supervisor does. */
export const keepNamespace = async (folder: RepositoryFolder): Promise<void> => {
	const kept = {...ownNamespace(), since: supervisedSince(folder) ?? readProcess(ownId())?.ticks};
	await writeAtomically(folder.namespace, `${JSON.stringify(kept)}\n`, {mode: 0o600});
};

/** Returns when the first supervisor of a repository since the boot was started, in clock ticks; nothing where there was none, or the system doesn't tell. */
export const supervisedSince = (folder: RepositoryFolder): number | undefined => {
	const kept = read(folder.namespace);
	return kept?.boot === ownNamespace()?.boot ? kept?.since : undefined;
};

const record = z.object({boot: z.string(), id: z.string(), since: z.number().exactOptional()});

/** What can't be read binds nobody: a person must not be kept from their work by a broken file. */
const read = (path: string): z.infer<typeof record> | undefined =>
	attempt(() => record.parse(JSON.parse(readFileSync(path, 'utf8'))));
