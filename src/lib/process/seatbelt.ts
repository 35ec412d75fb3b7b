import {lstatSync, readlinkSync, rmSync, symlinkSync} from 'node:fs';
import {devNull} from 'node:os';
import {basename, dirname, join, sep} from 'node:path';
import {attempt} from '../failure.ts';
import {type Box, boxSign, laidOut, type Mount, realPath, wordsOf} from './box.ts';

type SeatbeltOptions = {
	/** Variables to set in its environment. */
	readonly variables?: Readonly<Record<string, string>>;
	/** True to forbid connections to other machines. */
	readonly isOffline?: boolean;
};

/**
Returns the command prefix that runs a command in a box with macOS's Seatbelt.

Seatbelt hides files, but can't show one in place of another. So a variable names a home that is elsewhere, and `linkHomes` puts links into it.
*/
export const seatbeltWords = (
	sandboxExec: string,
	box: Box,
	{variables = {}, isOffline = false}: SeatbeltOptions = {},
): readonly string[] => [
	...['/usr/bin/env', ...Object.entries(variables).map(([name, value]) => `${name}=${value}`)],
	...[sandboxExec, '-p', profileText(box, isOffline)],
];

/** Creates a link for each path of a box that is below a folder shown elsewhere, such as a home. */
export const linkHomes = (box: Box): void => {
	for (const {place, to} of linksIn(box)) {
		if (attempt(() => readlinkSync(place)) !== to) {
			rmSync(place, {recursive: true, force: true});
			symlinkSync(to, place);
		}
	}
};

type Link = {readonly place: string; readonly to: string};

const linksIn = (box: Box): readonly Link[] => {
	const links: (Link & {readonly path: string})[] = [];
	const mounts = laidOut(box).filter(isShown);
	for (const {path, from = path} of mounts) {
		const home = mounts.findLast(home => isBelow(home.path, path) && isElsewhere(home));
		const place = (home?.from ?? '') + path.slice(home?.path.length);
		if (
			home !== undefined &&
			place !== from &&
			!links.some(link => isBelow(link.path, path)) &&
			realPath(dirname(place)) === dirname(place)
		) {
			links.push({path, place, to: from});
		}
	}

	return links;
};

/** Returns whether a mount shows a writable folder at another path. */
const isElsewhere = ({as, path, from}: Mount): boolean =>
	as === 'own' && from !== undefined && from !== path && from !== realPath(path);

const isShown = ({as, from}: Mount): boolean => (as === 'seen' || as === 'own') && from !== devNull;

const isBelow = (folder: string, path: string): boolean => path.startsWith(`${folder}${sep}`);

const isWithin = (folder: string, path: string): boolean =>
	path === folder || isBelow(folder, path);

/** A path of a box, under the kernel's name for it. */
type Place = {readonly as: 'seen' | 'own' | 'closed' | 'empty'; readonly path: string};

const placesIn = (box: Box): readonly Place[] =>
	laidOut(box)
		.flatMap((mount): readonly Place[] => {
			const {as, path, from = path} = mount;
			if (as === 'scratch' || path === boxSign) {
				return [];
			}

			const isThere = isShown(mount) || as === 'closed';
			return [{as: isThere ? as : 'empty', path: kernelPath(isThere ? from : path)}];
		})
		.sort((one, other) => one.path.split(sep).length - other.path.split(sep).length);

/** Resolves the links of a path, even if it doesn't exist. */
const kernelPath = (path: string): string =>
	realPath(path) ?? (path === sep ? path : join(kernelPath(dirname(path)), basename(path)));

/** Returns the path of a link itself, in a folder without links. */
const linkPath = (path: string): string => join(kernelPath(dirname(path)), basename(path));

/** Returns a profile for `sandbox-exec`: among rules about the same operation, the last one decides. */
const profileText = (box: Box, isOffline: boolean): string => {
	const places = placesIn(box);
	const own = places.filter(({as}) => as === 'own').map(({path}) => path);
	const links = linksIn(box).map(({place}) => place);
	const around = [...new Set([...places.map(({path}) => path), ...links].flatMap(ancestry))];
	const named = laidOut(box)
		.filter(isShown)
		.flatMap(({path, from = path}) =>
			[path, linkPath(path), from, kernelPath(from)].flatMap(ancestry),
		);
	return [
		basis,
		...places.flatMap(({as, path}) => rules[as](`(subpath ${quoted(path)})`)),
		// Programs may traverse the folders of a path and read links in it; other entries there stay hidden.
		...[...new Set(named)].map(path => `(allow file-read-metadata (literal ${quoted(path)}))`),
		// Rules refer to paths: moving an entry, or a folder around it, would change the rules for it.
		...around
			.filter(path => own.some(folder => isWithin(folder, path)))
			.map(path => `(deny file-write-unlink (literal ${quoted(path)}))`),
		isOffline ? '(allow network-outbound (remote ip "localhost:*"))' : online,
		...places.filter(place => takesConnections(place, places)).flatMap(socketRules),
	].join('\n');
};

const rules: Readonly<Record<Place['as'], (filter: string) => readonly string[]>> = {
	seen: filter => [`(allow file-read* ${filter})`, `(deny file-write* ${filter})`],
	own: filter => [`(allow file-read* file-write* ${filter})`],
	closed: filter => [`(deny file-write* ${filter})`],
	empty: filter => [`(deny file-read* file-write* ${filter})`],
};

/** Returns whether programs inside may connect to sockets in this place. A read-only folder may still hold sockets of other programs. */
const takesConnections = ({as, path}: Place, places: readonly Place[]): boolean => {
	const around = places.findLast(other => isBelow(other.path, path));
	return (
		as === 'own' ||
		(as === 'seen' &&
			(around?.as === 'empty' || attempt(() => lstatSync(path).isSocket()) === true))
	);
};

const socketRules = ({path}: Place): readonly string[] => [
	`(allow network-bind (local unix-socket (subpath ${quoted(path)})))`,
	`(allow network-outbound (remote unix-socket (subpath ${quoted(path)})))`,
];

/** Returns a path and its parents. */
const ancestry = (path: string): readonly string[] =>
	path === dirname(path) ? [path] : [path, ...ancestry(dirname(path))];

const quoted = (text: string): string => JSON.stringify(text);

/** Returns filters of one kind. */
const each = (kind: string, names: string): string =>
	wordsOf(names)
		.map(name => `(${kind} ${quoted(name)})`)
		.join(' ');

const services = wordsOf(`
	bsd.dirhelper logd PowerManagement.control SecurityServer securityd.xpc system.logger
	system.notification_center system.opendirectoryd.libinfo system.opendirectoryd.membership
`);

const networkServices = wordsOf(`
	networkd ocspd trustd trustd.agent SystemConfiguration.configd SystemConfiguration.DNSConfiguration
`);

const lookUp = (names: readonly string[]): string =>
	`(allow mach-lookup ${each('global-name', names.map(name => `com.apple.${name}`).join(' '))})`;

const kernelSettings = `
	kern.argmax kern.bootargs kern.boottime kern.hostname kern.maxfiles kern.maxfilesperproc kern.maxproc
	kern.ngroups kern.osproductversion kern.osrelease kern.ostype kern.osvariant_status kern.osversion
	kern.secure_kernel kern.tcsm_available kern.tcsm_enable kern.usrstack64 kern.version
	kern.willshutdown security.mac.lockdown_mode_state sysctl.proc_cputype
`;

const devices = '/dev/null /dev/zero /dev/random /dev/urandom /dev/dtracehelper /dev/ptmx';

/** Rules for what programs need besides files, similar to sandboxes that run Node.js, git and compilers on macOS: a program can't signal or examine processes outside, send Apple events, or open terminals that it didn't create. */
const basis = `(version 1)
(deny default)
(allow process-exec)
(allow process-fork)
(allow process-info* (target same-sandbox))
(allow signal (target same-sandbox))
(allow mach-priv-task-port (target same-sandbox))
(allow file-map-executable)
(allow file-read* (literal "/"))
(allow file-read-metadata (literal "/etc") (literal "/tmp") (literal "/var"))
(allow file-read-metadata (subpath "/dev"))
(allow file-read* file-write* (subpath "/dev/fd"))
(allow file-read* file-write* file-ioctl ${each('literal', devices)})
(allow file-read* file-write* file-ioctl (require-all (regex #"^/dev/ttys[0-9]+$") (extension "com.apple.sandbox.pty")))
(allow pseudo-tty)
(allow ipc-posix-sem)
(allow ipc-posix-shm* (ipc-posix-name-regex #"^/(psm_|torch_|__KMP_REGISTERED_LIB_)"))
(allow ipc-posix-shm-read* (ipc-posix-name "apple.shm.notification_center"))
(allow iokit-get-properties)
(allow iokit-open (iokit-registry-entry-class "RootDomainUserClient"))
${lookUp(services)}
(allow sysctl-read ${each('sysctl-name-prefix', 'hw. machdep. vm. net.routetable. kern.proc.all kern.proc.pgrp. kern.proc.pid.')})
(allow sysctl-read ${each('sysctl-name', kernelSettings)})
(allow sysctl-write ${each('sysctl-name', 'kern.grade_cputype kern.tcsm_enable')})
(allow system-socket)
(allow network-bind network-inbound (local ip "*:*"))`;

const online = `(allow network-outbound (remote ip "*:*"))
(allow network-outbound (remote unix-socket (literal "/private/var/run/mDNSResponder")))
${lookUp(networkServices)}`;
