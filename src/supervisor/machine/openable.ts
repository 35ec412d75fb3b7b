import {existsSync, statSync} from 'node:fs';
import {delimiter, dirname, isAbsolute, join, sep} from 'node:path';
import {profiles} from '../../agents/profiles/profiles.ts';
import {attempt} from '../../lib/failure.ts';
import {isIn} from '../../lib/files/folders.ts';
import {realPath, systemMounts} from '../../lib/process/box.ts';
import type {Denial} from '../../state/agent/agent.ts';
import {isReadable, personHome, type SandboxSpec, wideFolders} from './box-for.ts';

export type Reaching = Pick<SandboxSpec, 'tree' | 'checkout' | 'environment'>;

/**
Returns the path that a person can open to an agent after a denial: the denied path, or the folder in which the agent would create it.

The request comes from a tool's output, which an agent can fake, so paths are refused that could hold secrets or that a person's own programs run: hidden files such as settings, keys and git directories, homes and other wide folders, the state of this program with the worktrees of other agents, and system folders. For writing, also everything in a repository, above all the person's checkout, and folders of programs. For connecting, also sockets of system services.
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
		...['/sys', '/etc', '/boot'],
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

export const isSocket = (path: string): boolean =>
	attempt(() => statSync(path).isSocket()) ?? false;

/** Returns whether a folder is inside a repository or a worktree. */
const isInRepository = (path: string): boolean =>
	existsSync(join(path, '.git')) || (dirname(path) !== path && isInRepository(dirname(path)));

/** Returns the login files of all agents' profiles. */
const logins = (environment: SandboxSpec['environment']): readonly string[] =>
	Object.values(profiles).flatMap(({logins}) =>
		logins.files({home: personHome(environment), environment}),
	);
