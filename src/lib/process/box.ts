import {accessSync, constants, lstatSync, readlinkSync, realpathSync} from 'node:fs';
import {platform} from 'node:os';
import {dirname, resolve, sep} from 'node:path';
import {attempt} from '../failure.ts';
import {withoutKeys} from './without-keys.ts';

/**
How a path is seen in a box.

- `seen`: as it is outside, or as `from` is; read-only.
- `own`: likewise, and written through to the disk.
- `empty`: as an empty folder that can't be written.
- `scratch`: as an empty folder whose files go with the box.
*/
export type Mount = {
	readonly path: string;
	readonly as: 'seen' | 'own' | 'empty' | 'scratch';
	readonly from?: string;
};

/** All that a process sees of the files of this machine; nothing else exists there. The deepest path decides, and of equal ones the last. */
export type Box = readonly Mount[];

/** The program that makes boxes here, or why there is none. */
export type FileSandbox =
	| {readonly program: string; readonly by: 'bubblewrap' | 'Seatbelt'}
	| {readonly missing: string /** The command that helps. */; readonly hint?: string};

/** Folder that exists in each box and nowhere else, by which its processes are known. */
export const boxSign = '/.delegate-tui-box';

/** Returns the words of a list. */
export const wordsOf = (list: string): readonly string[] => list.trim().split(/\s+/);

/** Returns the programs, libraries and settings of the system, without what is secret in `/etc` and without folders of sockets. */
export const systemMounts = (): Box => [
	...[...programFolders, ...settings.map(name => `/etc/${name}`)].map(
		path => ({path, as: 'seen'}) as const,
	),
	...(process.getuid?.() === 0 ? kernelFolders : []).map(path => ({path, as: 'seen'}) as const),
	...['/tmp', '/var/tmp'].map(path => ({path, as: 'scratch'}) as const),
	{path: boxSign, as: 'empty'},
	...(platform() === 'darwin' ? macMounts : []),
];

/** What macOS has besides; all of the disk has a second name there. */
const macMounts: Box = [
	...wordsOf(`
		/System /Library /Applications /private/var/select /private/var/db/xcode_select_link
		/private/var/db/timezone /private/var/db/DarwinDirectory/local/recordStore.data
		/private/var/run/resolv.conf /etc/paths /etc/paths.d /etc/zprofile /etc/zshrc /etc/ssl/cert.pem
	`).map(path => ({path, as: 'seen'}) as const),
	{path: '/System/Volumes/Data', as: 'empty'},
];

const programFolders = wordsOf(`
	/usr /bin /sbin /lib /lib32 /lib64 /libx32 /opt /nix /gnu /snap /run/current-system
	/var/lib/ca-certificates /sys
`);

/** Root's files in there can be written without any right, by whoever has root's number. */
const kernelFolders = wordsOf(`
	/proc/sys /proc/sysrq-trigger /proc/irq /proc/bus /proc/fs /proc/acpi /proc/scsi
`);

/** What programs read of `/etc`, and the rules of organisations for agents: where those are missing, they are dropped without a word. */
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
Returns the words that start a command in a box by bubblewrap: with processes of its own, and without any right of root's.

It is started without a terminal, so it needs no session of its own, which would keep a polite signal from it.
*/
export const boxWords = (
	bwrap: string,
	box: Box,
	{ownNetwork = false, variables = {}}: BoxOptions = {},
): readonly string[] => {
	const mounts = laidOut(box);
	const {before, options, descriptorOf} = withoutKeys(
		mounts.filter(isFixedFile).map(({path}) => path),
	);
	return [
		...before,
		bwrap,
		...options,
		...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
		...['--die-with-parent', '--cap-drop', 'ALL'],
		...(ownNetwork ? [ownNetworkOption] : []),
		...Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value]),
		...['--proc', '/proc', '--dev', '/dev'],
		...mounts.flatMap(mount => mountWords(mount, descriptorOf(mount.path))),
		...mounts.filter(({as}) => as === 'empty').flatMap(({path}) => ['--remount-ro', path]),
		// Else a file beside the worktree could be written and would be gone with the box.
		...['--remount-ro', '/'],
		'--',
	];
};

export const ownNetworkOption = '--unshare-net';

type BoxOptions = {
	readonly ownNetwork?: boolean;
	/** Set in its environment. */
	readonly variables?: Readonly<Record<string, string>>;
};

/** Returns one mount for each path, a folder before all that lies in it, without what isn't there and what a folder around it shows anyway. */
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

/** Returns what can be done with a path in a box: whether what is there outside is read or connected to, and whether it is written. */
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

/** Whether what lies outside under that path is seen by it. */
const isSameAs = ({as, path, from = path}: Mount): boolean => {
	const real = realPath(path);
	return (
		(as === 'seen' || as === 'own') &&
		(from === path || (real !== undefined && real === realPath(from)))
	);
};

/** Returns where a path leads through links; nothing where it isn't there. */
export const realPath = (path: string): string | undefined =>
	attempt(() => realpathSync.native(path));

const byDepth = (one: Mount, other: Mount): number => depthOf(one.path) - depthOf(other.path);

/** Whether a mount shows a path as it is outside, with all that lies in it. */
const isPlain = ({as, path, from = path}: Mount): boolean => as === 'seen' && from === path;

/** Whether a mount shows what its path shows, or leads to, outside. */
const isAsOutside = (mount: Mount): boolean =>
	isPlain(mount) || (mount.as === 'seen' && realPath(mount.path) === mount.from);

const depthOf = (path: string): number => path.split(sep).filter(Boolean).length;

/** Returns whether a mount can be made. What is to be empty needs no source; where nothing shows what is in its place, the folder is made. */
export const isPossible = ({as, path, from = path}: Mount): boolean =>
	as === 'empty' || as === 'scratch' || kindOf(from) !== undefined;

/** Whether a mount shows a file of settings that nobody changes while an agent works: each mount takes as long as all before it, so it is copied. */
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
	descriptor: number | undefined,
): readonly string[] => {
	switch (as) {
		case 'seen': {
			if (descriptor !== undefined) {
				return ['--perms', '0444', '--file', `${descriptor}`, path];
			}

			// A link leads on where what it leads to is seen as well, and some read where it leads.
			const isLink =
				kindOf(path) === 'link' &&
				leadsToPrograms(path) &&
				(from === path || from === realPath(path));
			return isLink ? ['--symlink', readlinkSync(path), path] : ['--ro-bind-try', from, path];
		}

		case 'own':
			return ['--bind', from, path];
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
