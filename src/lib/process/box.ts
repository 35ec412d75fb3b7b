import {accessSync, constants, lstatSync, readlinkSync, realpathSync} from 'node:fs';
import {platform} from 'node:os';
import {dirname, resolve, sep} from 'node:path';
import {attempt} from '../failure.ts';
import {noDescriptors, withoutKeys} from './without-keys.ts';

/**
How a box shows a path.

- `seen`: the path outside, or `from`; read-only.
- `own`: likewise, but writable.
- `closed`: read-only within an `own` folder. Its processes may replace the path by a link, so it is mounted only if it leads to `from` itself.
- `empty`: an empty, read-only folder.
- `scratch`: an empty folder whose files disappear with the box.
*/
export type Mount = {
	readonly path: string;
	readonly as: 'seen' | 'own' | 'closed' | 'empty' | 'scratch';
	readonly from?: string;
};

/** All files that a process can see; nothing else exists for it. The deepest path decides, and among equal ones the last. */
export type Box = readonly Mount[];

/** Program that makes boxes on this machine, or the reason why there is none. */
export type FileSandbox =
	| {
			readonly program: string;
			readonly by: 'bubblewrap' | 'Seatbelt';
			/** Whether it can't mount a descriptor, and so leaves out `closed` paths. */
			readonly closesNothing?: true;
	  }
	| {readonly missing: string /** Command that fixes that. */; readonly hint?: string};

/** Folder that exists only in boxes, which identifies their processes. */
export const boxSign = '/.delegate-tui-box';

/** Splits a list into words. */
export const wordsOf = (list: string): readonly string[] => list.trim().split(/\s+/);

/** Returns mounts of the system's programs, libraries and settings, without secrets in `/etc` and without folders of sockets. */
export const systemMounts = (): Box => [
	...[...programFolders, ...settings.map(name => `/etc/${name}`)].map(
		path => ({path, as: 'seen'}) as const,
	),
	...(process.getuid?.() === 0 ? kernelFolders : []).map(path => ({path, as: 'seen'}) as const),
	...['/tmp', '/var/tmp'].map(path => ({path, as: 'scratch'}) as const),
	{path: boxSign, as: 'empty'},
	...(platform() === 'darwin' ? macMounts : []),
];

/** Further folders of macOS, where all of the disk also has a second path. */
const macMounts: Box = [
	...wordsOf(`
		/System /Library /Applications /private/var/select /private/var/db/xcode_select_link
		/private/var/db/timezone /private/var/db/DarwinDirectory/local/recordStore.data
		/private/var/run/resolv.conf /etc/paths /etc/paths.d /etc/zprofile /etc/zshrc /etc/ssl/cert.pem
	`).map(path => ({path, as: 'seen'}) as const),
	{path: '/System/Volumes/Data', as: 'empty'},
];

export const programFolders = wordsOf(`
	/usr /bin /sbin /lib /lib32 /lib64 /libx32 /opt /nix /gnu /snap /run/current-system
	/var/lib/ca-certificates /sys
`);

/** Folders in which root's files can be written without capabilities by a process with root's user id. */
const kernelFolders = wordsOf(`
	/proc/sys /proc/sysrq-trigger /proc/irq /proc/bus /proc/fs /proc/acpi /proc/scsi
`);

/** Settings in `/etc` that programs read, and organizations' rules for agents: an agent that can't find these would silently ignore them. */
const settings = wordsOf(`
	passwd group hosts host.conf hostname resolv.conf nsswitch.conf gai.conf services protocols
	localtime timezone locale.conf locale.alias machine-id os-release debian_version lsb-release
	redhat-release ld.so.cache ld.so.conf ld.so.conf.d ld.so.preload alternatives static
	shells profile profile.d bash.bashrc bashrc inputrc terminfo mime.types magic fonts vim nanorc
	ssl/certs ssl/openssl.cnf ca-certificates ca-certificates.conf crypto-policies
	pki/tls pki/ca-trust pki/nssdb gitconfig gitattributes npmrc python python3 perl java maven gradle
	php ruby emacs R julia claude-code codex gemini-cli opencode qwen-code github-copilot
`);

/**
Returns the command prefix that runs a command in a bubblewrap box: with its own process namespace, and, unless it is ours, without capabilities and keyrings.

The box has no terminal, so it doesn't need a new session, in which polite signals wouldn't reach it.
*/
export const boxWords = (
	bwrap: string,
	box: Box,
	{ownNetwork = false, variables = {}, isOurs = false}: BoxOptions = {},
): readonly string[] => {
	const mounts = laidOut(box);
	const closed = mounts.filter(({as}) => as === 'closed');
	const {before, options, descriptorOf} = isOurs
		? noDescriptors
		: withoutKeys(
				mounts.filter(isFixedFile).map(({path}) => path),
				{real: new Map(closed.map(({path, from = path}) => [path, from]))},
			);
	const wordsFor = (mount: Mount): readonly string[] => mountWords(mount, descriptorOf);
	return [
		...before,
		bwrap,
		...options,
		...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
		...['--die-with-parent', ...(isOurs ? [] : ['--cap-drop', 'ALL'])],
		...(ownNetwork ? [ownNetworkOption] : []),
		...Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value]),
		...['--proc', '/proc', '--dev', '/dev'],
		...mounts.filter(({as}) => as !== 'closed').flatMap(wordsFor),
		...mounts.filter(({as}) => as === 'empty').flatMap(({path}) => ['--remount-ro', path]),
		// They come last, so that a link on the way to one can't redirect another mount.
		...closed.flatMap(wordsFor),
		// Otherwise a process could write a file beside the worktree, which would disappear with the box.
		...['--remount-ro', '/'],
		'--',
	];
};

export const ownNetworkOption = '--unshare-net';

type BoxOptions = {
	readonly ownNetwork?: boolean;
	/** Variables to set in its environment. */
	readonly variables?: Readonly<Record<string, string>>;
	/** True for a program of which only the paths that it follows are not trusted; it starts faster. */
	readonly isOurs?: boolean;
};

/** Returns one mount per path, parents first, without missing paths and without those that a parent's mount shows anyway. */
export const laidOut = (box: Box): readonly Mount[] => {
	const byPath = new Map(box.filter(isPossible).map(mount => [mount.path, mount] as const));
	const laid: Mount[] = [];
	for (const mount of [...byPath.values()].sort(byDepth)) {
		const around = laid.findLast(({path}) => mount.path.startsWith(`${path}${sep}`));
		if (!(around && isPlain(around) && isAsOutside(mount))) {
			laid.push(mount);
		}
	}

	return laid;
};

/** Returns how a process in a box can use a path: whether it can read or connect to the entry outside, and whether it can write. */
export const reachIn = (
	box: Box,
	path: string,
): Readonly<Record<'read' | 'write' | 'connect', boolean>> => {
	const around = laidOut(box).findLast(
		mount => mount.path === path || path.startsWith(`${mount.path}${sep}`),
	);
	const isOutside = around !== undefined && isSameAs(around);
	return {
		...{read: isOutside, connect: isOutside},
		write: around?.as === 'own' || around?.as === 'scratch',
	};
};

/** Returns whether a mount shows the entry that its path has outside. */
const isSameAs = ({as, path, from = path}: Mount): boolean => {
	const real = realPath(path);
	return (
		(as === 'seen' || as === 'own' || as === 'closed') &&
		(from === path || (real !== undefined && real === realPath(from)))
	);
};

/** Resolves the links of a path; `undefined` if it doesn't exist. */
export const realPath = (path: string): string | undefined =>
	attempt(() => realpathSync.native(path));

const byDepth = (one: Mount, other: Mount): number => depthOf(one.path) - depthOf(other.path);

/** Returns whether a mount shows a path as it is outside, with all of its content. */
const isPlain = ({as, path, from = path}: Mount): boolean => as === 'seen' && from === path;

/** Returns whether a mount shows the entry at its path, or at its link's target, outside. */
const isAsOutside = (mount: Mount): boolean =>
	isPlain(mount) || (mount.as === 'seen' && realPath(mount.path) === mount.from);

const depthOf = (path: string): number => path.split(sep).filter(Boolean).length;

/** Returns whether a mount's source exists. Empty mounts need none; bubblewrap creates their mount point if necessary. */
export const isPossible = ({as, path, from = path}: Mount): boolean =>
	as === 'empty' || as === 'scratch' || kindOf(from) !== undefined;

/** Returns whether a mount is a settings file that doesn't change while an agent works. It is copied, since a mount takes longer the more mounts there are. */
const isFixedFile = (mount: Mount): boolean =>
	isPlain(mount) &&
	mount.path.startsWith('/etc/') &&
	!/\/(?:resolv\.conf|hosts)$/.test(mount.path) &&
	attempt(() => {
		accessSync(mount.path, constants.R_OK);
		return lstatSync(mount.path).isFile();
	}) === true;

const mountWords = (
	{as, path, from = path}: Mount,
	descriptorOf: (path: string) => number | undefined,
): readonly string[] => {
	const descriptor = descriptorOf(path);
	switch (as) {
		case 'seen': {
			if (descriptor !== undefined) {
				return ['--perms', '0444', '--file', `${descriptor}`, path];
			}

			// A link works if its target is visible too, and some programs read the link's target.
			const isLink =
				kindOf(path) === 'link' &&
				leadsToPrograms(path) &&
				(from === path || from === realPath(path));
			return isLink ? ['--symlink', readlinkSync(path), path] : ['--ro-bind-try', from, path];
		}

		case 'own':
			return ['--bind', from, path];
		case 'closed':
			return descriptor === undefined ? [] : ['--ro-bind-fd', `${descriptor}`, path];
		case 'empty':
			return ['--tmpfs', path];
		case 'scratch':
			return ['--perms', '1777', '--tmpfs', path];
	}
};

const leadsToPrograms = (path: string): boolean =>
	/^\/(?:usr|etc\/alternatives|etc\/static)(?:\/|$)/.test(
		resolve(dirname(path), readlinkSync(path)),
	);

const kindOf = (path: string): 'link' | 'other' | undefined => {
	const found = attempt(() => lstatSync(path, {throwIfNoEntry: false}));
	return found && (found.isSymbolicLink() ? 'link' : 'other');
};
