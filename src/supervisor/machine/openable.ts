import {existsSync, statSync} from 'node:fs';
import {delimiter, dirname, isAbsolute, join, sep} from 'node:path';
import {profiles} from '../../agents/profiles/profiles.ts';
import {attempt} from '../../lib/failure.ts';
import {realPath, systemMounts} from '../../lib/process/box.ts';
import type {Denial} from '../../state/agent/agent.ts';
import {isIn, isReadable, personHome, type SandboxSpec, wideFolders} from './box-for.ts';

export type Reaching = Pick<SandboxSpec, 'tree' | 'checkout' | 'environment'>;

/**
Returns the path that a person can open to an agent who was denied one: that one, or the folder in which it would make it.

What is asked for comes from what tools print, which an agent can make up, so no path is opened that could hold a secret or that a person's own programs run: nothing hidden, as settings, keys and the folders of a git are, no home or other wide folder, nothing of this program's state with the worktrees of others, and nothing of the system. To be written, nothing in a repository, the person's checkout first of all, and no folder of programs. To be connected to, no socket of a service of the system.
*/
export const openable = (
	{path, to}: Denial,
	{tree, checkout, environment}: Reaching,
): string | undefined => {
	const place = to !== 'write' || existsSync(path) ? path : dirname(path);
	const real = realPath(place);
	const isFit = to === 'connect' ? isSocket : isReadable;
	if (real === undefined || !isFit(real) || isIn(tree, real)) {
		return undefined;
	}

	const system = [
		...systemMounts().map(({path}) => path),
		...['/proc', '/sys', '/dev/pts', '/dev/fd', '/dev/mqueue', '/etc', '/boot'],
		...(to === 'connect' ? ['/run', '/var/run'] : []),
	];
	const own = [...logins(environment), ...(to === 'write' && checkout ? [checkout] : [])];
	const programs = (environment.PATH ?? '').split(delimiter).filter(isAbsolute);
	const isWide = wideFolders(environment);
	const isClosed = (one: string) =>
		one.split(sep).some(name => name.startsWith('.')) ||
		isWide(one) ||
		system.some(folder => isIn(folder, one)) ||
		own.some(other => isIn(other, one) || isIn(one, other)) ||
		(to === 'write' &&
			(isInRepository(one) || programs.some(folder => isIn(folder, one) || isIn(one, folder))));
	return isClosed(place) || isClosed(real) ? undefined : place;
};

/** Returns whether there is a socket of a path. */
export const isSocket = (path: string): boolean =>
	attempt(() => statSync(path).isSocket()) ?? false;

/** Returns whether a folder or one that it lies in is the top of a repository or of a worktree. */
const isInRepository = (path: string): boolean =>
	existsSync(join(path, '.git')) || (dirname(path) !== path && isInRepository(dirname(path)));

/** Returns the login files of all agents' profiles. */
const logins = (environment: SandboxSpec['environment']): readonly string[] =>
	Object.values(profiles).flatMap(({logins}) =>
		logins.files({home: personHome(environment), environment}),
	);
