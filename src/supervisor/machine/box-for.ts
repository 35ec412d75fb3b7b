import {
	accessSync,
	constants,
	existsSync,
	lstatSync,
	mkdirSync,
	readFileSync,
	readlinkSync,
	rmSync,
	statSync,
	symlinkSync,
} from 'node:fs';
import {copyFile} from 'node:fs/promises';
import {devNull, homedir, tmpdir} from 'node:os';
import {basename, delimiter, dirname, isAbsolute, join, relative, resolve, sep} from 'node:path';
import type {Profile} from '../../agents/profiles/profile.ts';
import {socketFolder} from '../../control/path.ts';
import type {Allowance} from '../../events/plan.ts';
import {linkedFolder} from '../../git/store/linked-tree.ts';
import {attempt} from '../../lib/failure.ts';
import {isIn} from '../../lib/files/folders.ts';
import {isThere, unlessThere} from '../../lib/files/reading.ts';
import {
	type Box,
	isPossible,
	laidOut,
	type Mount,
	realPath,
	systemMounts,
	wordsOf,
} from '../../lib/process/box.ts';
import {programPath} from '../../lib/process/find-program.ts';
import {stateFolder} from '../folder.ts';

/** A worktree for processes, and everything else that they may reach. */
export type SandboxSpec = {
	readonly tree: string;
	/** Object directories from which its repository borrows. */
	readonly lenders: readonly string[];
	/** The person's checkout, if it exists. */
	readonly checkout?: string;
	/** Cache folder of package managers, shared by all processes that work on the repository. */
	readonly caches: string;
	/** Commands that will run there; their words name programs and files. */
	readonly commands: readonly (readonly string[])[];
	readonly environment: Readonly<Record<string, string | undefined>>;
	readonly profile?: Profile;
	/** Paths in the worktree that stay read-only. */
	readonly forbidden?: readonly string[];
	/** Further paths that a person has allowed. */
	readonly allow?: Allowance;
	/** Other mounts of the box. */
	readonly more: Box;
	/** True if a process runs in such a box, which could make links on the way to what is created for the next one. */
	readonly isInUse?: boolean;
	/** Opens a gate to hosts that a person named; without it the box reaches none. */
	readonly openGate?: (hosts: readonly string[]) => Promise<string>;
};

/** Returns the path of the worktree's own repository, in which its processes may commit, or of their home or `/tmp`; all lie beside the worktree. */
const besideTree = (tree: string, name: 'hub.git' | 'home' | 'tmp'): string =>
	join(dirname(tree), name);

/** Creates the mount points of a box unless it is in use, and returns its mounts. */
export const prepareBox = async (spec: SandboxSpec): Promise<Box> => {
	const {tree, caches, environment, profile} = spec;
	const {keeps = [], copies = []} = needsOf(profile, environment);
	const homes = homesOf(spec);
	if (spec.isInUse) {
		return boxFor(homes, ownMounts(spec).mounts);
	}

	const hooks = join(besideTree(tree, 'hub.git'), 'hooks');
	for (const path of [hooks, ...homes.map(({from}) => from), caches, ...keeps]) {
		mkdirSync(path, {recursive: true, mode: 0o700});
	}

	const {mounts, links, mounted} = ownMounts(spec);
	const inside = inHomes(homes, [
		...[...laidOut(mounts), ...links, ...mounted],
		...copies.map(path => ({path})),
	]);
	mkdirSync(mountedCaches(caches), {recursive: true, mode: 0o700});
	for (const path of [...inside.folders, ...[...links, ...mounted].map(({from}) => from)]) {
		unlessFolder(path);
		unlessMade(() => mkdirSync(path, {mode: 0o700}));
	}

	const places = links.map(({place}) => place);
	inside.leaves.filter(path => !places.includes(path)).forEach(withoutLink);
	for (const {from, place} of links) {
		if (attempt(() => readlinkSync(place)) !== from) {
			withoutLink(place);
			unlessMade(() => symlinkSync(from, place));
		}
	}

	for (const file of copies) {
		const own = placeIn(homes, file);
		if (own !== undefined && (await isThere(file))) {
			await copyFile(file, own, constants.COPYFILE_EXCL).catch(unlessThere);
		}
	}

	return boxFor(homes, mounts);
};

/** Removes a link that an agent may have made: it would lead a mount out of the home. */
const withoutLink = (path: string): void => {
	if (lstatSync(path, {throwIfNoEntry: false})?.isSymbolicLink()) {
		rmSync(path);
	}
};

const unlessFolder = (path: string): void => {
	if (lstatSync(path, {throwIfNoEntry: false})?.isDirectory() === false) {
		rmSync(path);
	}
};

const unlessMade = (make: () => void): void => {
	try {
		make();
	} catch (error) {
		unlessThere(error);
	}
};

/** Returns the path on disk of a path in a process's home. */
const placeIn = (homes: readonly Required<Mount>[], path: string): string | undefined => {
	const home = homes.findLast(home => home.path !== path && isIn(home.path, path));
	return home && home.from + path.slice(home.path.length);
};

/** Returns the mount points inside a process's own homes, and the folders that contain them, outermost first. */
const inHomes = (homes: readonly Required<Mount>[], mounts: readonly Pick<Mount, 'path'>[]) => {
	const folders = new Set<string>();
	const leaves: string[] = [];
	for (const {path} of mounts) {
		const home = homes.findLast(home => home.path !== path && isIn(home.path, path));
		if (home !== undefined) {
			const names = path.slice(home.path.length + 1).split(sep);
			const places = names.map((_, index) => join(home.from, ...names.slice(0, index + 1)));
			for (const place of places.slice(0, -1)) {
				folders.add(place);
			}

			leaves.push(...places.slice(-1));
		}
	}

	const depth = (path: string) => path.split(sep).length;
	return {
		folders: [...folders].sort((one, other) => depth(one) - depth(other)),
		leaves: leaves.filter(path => !folders.has(path)),
	};
};

const needsOf = (profile: Profile | undefined, environment: SandboxSpec['environment']) =>
	profile?.needs({home: personHome(environment), environment}) ?? {keeps: [], sees: []};

/** Returns a process's own folders, which replace the person's home, `/tmp`, and XDG folders outside the home. They lie where other processes can't see them. */
const homesOf = ({tree, environment, profile}: SandboxSpec): readonly Required<Mount>[] => {
	const home = besideTree(tree, 'home');
	const person = personHome(environment);
	const {folder} = needsOf(profile, environment);
	const apart = [
		...['CACHE', 'CONFIG', 'DATA', 'STATE'].map(name => environment[`XDG_${name}_HOME`]),
		folder,
	];
	return [
		{path: '/tmp', as: 'own', from: besideTree(tree, 'tmp')},
		...(person === sep ? [] : [{path: person, as: 'own', from: home} as const]),
		...apart.flatMap((path, index) =>
			path === undefined || !isAbsolute(path) || isIn(person, path)
				? []
				: [{path, as: 'own', from: `${home}-${index}`} as const],
		),
	];
};

/** Returns variables with the real paths of a process's own folders, for systems that can't mount them over the person's. */
export const homeVariables = (spec: SandboxSpec): Readonly<Record<string, string>> => {
	const {environment} = spec;
	const {TMPDIR = besideTree(spec.tree, 'tmp')} = environment;
	const homes = homesOf(spec);
	const {folder} = needsOf(spec.profile, environment);
	const moved = (path: string) =>
		homes.find(home => home.path === path)?.from ?? placeIn(homes, path) ?? path;
	const named = Object.entries({...environment, HOME: personHome(environment)}).flatMap(
		([name, path]) =>
			path && (/^(?:HOME|XDG_(?:CACHE|CONFIG|DATA|STATE)_HOME)$/.test(name) || path === folder)
				? [[name, moved(path)] as const]
				: [],
	);
	// Package managers put their locks into XDG_RUNTIME_DIR, and zsh its here-documents into TMPPREFIX.
	const temporary = {TMPDIR, XDG_RUNTIME_DIR: TMPDIR, TMPPREFIX: join(TMPDIR, 'zsh')};
	return {...Object.fromEntries(named), ...temporary};
};

export const personHome = ({HOME}: SandboxSpec['environment']): string => HOME || homedir();

/** Caches of package managers, relative to a home. */
const cacheNames = wordsOf(`
	.cache .npm .yarn .bun/install/cache .local/share/pnpm/store .cargo/registry .cargo/git
	go/pkg/mod .m2/repository .gradle/caches .nuget/packages
`);

/** Returns the shared caches of a repository. Each is a folder directly below `caches`: if it were deeper, an agent could replace its parent by a link. */
const cachesOf = ({caches, environment}: Pick<SandboxSpec, 'caches' | 'environment'>) =>
	cacheNames.map(name => ({
		path: join(personHome(environment), name),
		from: join(caches, name.replaceAll(sep, '-')),
	}));

/** Returns the folder of the caches that are mounted singly. No process sees it: otherwise one could replace a cache by a link just before the mount follows it. */
const mountedCaches = (caches: string): string => `${caches}-mounted`;

/** Caches that type checkers read; they don't download packages. */
export const downloads = wordsOf('.cargo/registry .cargo/git go/pkg/mod');

/** Folders with a person's programs, relative to a home. */
const toolNames = wordsOf(`
	.nvm .volta .fnm .asdf .pyenv .rbenv .nodenv .jenv .rustup .cargo/bin .sdkman .bun/bin .deno/bin
	go/bin .local/bin .local/lib .local/pipx .local/share/fnm .local/share/mise
	.local/share/uv/python .local/share/uv/tools .local/share/pnpm .local/share/pipx .npm-global n .dotnet .ghcup .opam .juliaup
	miniconda3 anaconda3 miniforge3
`);

/** The person's git settings for agents, without the files that may hold passwords. */
const gitNames = wordsOf('.gitconfig .config/git/config .config/git/ignore .config/git/attributes');

/** Variables that name certificate files or git settings. */
const namedFiles = wordsOf(`
	GIT_CONFIG_GLOBAL NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE GIT_SSL_CAINFO
	AWS_CA_BUNDLE
`);

const boxFor = (homes: readonly Required<Mount>[], mounts: Box): Box => {
	const hidden = [...as('empty', [stateFolder(process.env), ...privateFolders()]), ...homes];
	// Lay out hidden folders too: a mount inside a visible folder isn't redundant if a hidden folder lies between them.
	const laid = laidOut([...hidden, ...mounts.flatMap(resolved)]);
	const own = laid.filter(mount => !hidden.includes(mount));
	// A process can't replace a mount point by a link. Inside a read-only mount it can't anyway, and a writable mount there would hide files.
	const pins = inHomes(homes, own).folders.flatMap(from => {
		const home = homes.find(home => isIn(home.from, from));
		const path = home === undefined ? from : home.path + from.slice(home.from.length);
		const around = laid.findLast(mount => isIn(mount.path, path));
		return around?.as === 'seen' ? [] : [{path, as: 'own', from} as const];
	});
	return standing([...systemMounts(), ...hidden, ...pins, ...own]);
};

/** Returns the mounts of a process, those of folders to create, and its caches that can be links in its home because nothing is mounted in or around them. Links save time: a mount takes longer the more mounts there are. */
const ownMounts = (spec: SandboxSpec) => {
	const others = mountsOf(spec).filter(isPossible);
	const homes = homesOf(spec);
	const laid = laidOut(others);
	const caches = cachesOf(spec).map(({path, from}) => {
		const place = placeIn(homes, path);
		const isAlone = !laid.some(
			other =>
				isIn(path, other.path) ||
				(isIn(other.path, path) && !isIn(other.path, personHome(spec.environment))),
		);
		return {path, from, place: isAlone ? place : undefined};
	});
	const {apart = []} = needsOf(spec.profile, spec.environment);
	const mounted = [
		...caches
			.filter(({place}) => place === undefined)
			.map(({path, from}) => ({path, from: join(mountedCaches(spec.caches), basename(from))})),
		...apart.flatMap(path => {
			const from = placeIn(homes, path);
			return from === undefined ? [] : [{path, from}];
		}),
	];
	return {
		mounted,
		links: caches.flatMap(({place, ...cache}) => (place === undefined ? [] : [{...cache, place}])),
		mounts: [
			...as('own', [spec.caches]),
			...mounted.map(cache => ({...cache, as: 'own'}) as const),
			...others,
		],
	};
};

const mountsOf = (spec: SandboxSpec): Box => {
	const {tree, lenders, checkout, environment, profile, more} = spec;
	const person = personHome(environment);
	const {keeps, sees} = needsOf(profile, environment);
	const logins = profile?.logins.files({home: person, environment}) ?? [];
	const {read, write, sockets} = allowedBy(spec);
	const named = (names: readonly string[]) => names.map(name => join(person, name));
	const given = (names: readonly string[]) => names.flatMap(name => environment[name] || []);
	const around = [...keeps, ...write].map(path => [path, realPath(path) ?? path] as const);
	// An agent that may write around a path may have made a link of it, or of a folder on the way.
	const isKept = (path: string) =>
		around.every(
			([folder, real]) =>
				folder === path ||
				!isIn(folder, path) ||
				realPath(path) === real + path.slice(folder.length),
		);
	// What a writable folder shows anyway isn't mounted: the mount would follow a link that another agent makes meanwhile.
	const homes = homesOf(spec).map(({path}) => path);
	const unlessShown = (paths: readonly string[]) =>
		paths
			.filter(isKept)
			.filter(path =>
				around.every(
					([folder]) =>
						folder === path ||
						!isIn(folder, path) ||
						homes.some(home => home !== folder && isIn(folder, home) && isIn(home, path)),
				),
			);
	// If the checkout is a home or another wide folder, an agent sees only its worktree.
	const shown = checkout === undefined || wideFolders(environment)(checkout) ? [] : [checkout];
	const seen = [
		...shown,
		...named([...toolNames, ...gitNames]),
		...programsOf(spec),
		...given(namedFiles),
		...sees,
	];
	return [
		...as('seen', seen.filter(isKept)),
		...socketsIn(seen)
			.filter(path => !sockets.includes(path))
			.map(path => ({path, as: 'seen', from: devNull}) as const),
		// The git directory may hold passwords in its config, and stashes that agents shouldn't see.
		...as(
			'empty',
			shown.map(root => join(root, '.git')).filter(path => isFolder(path) && !write.includes(path)),
		),
		...as('seen', lenders),
		// A key in a file of variables is not renewed, and a person's own program sets all variables in it.
		...as('seen', logins.filter(isVariables).filter(isKept)),
		...as('own', unlessShown([...logins.filter(path => !isVariables(path)), ...keeps])),
		...hubMounts(besideTree(tree, 'hub.git')),
		...as('own', [tree, ...given(['TMPDIR'])]),
		...as('seen', [join(tree, '.git')]),
		...more,
		...as('seen', unlessShown([...read, ...sockets])),
		...as('own', unlessShown(write)),
	];
};

/** Returns the paths that a person has allowed. */
const allowedBy = ({
	allow: {read = [], write = [], sockets = []} = {},
	environment,
}: SandboxSpec) => {
	const inHome = (path: string) => path.replace(/^~(?=\/)/, personHome(environment));
	return {read: read.map(inHome), write: write.map(inHome), sockets: sockets.map(inHome)};
};

/** Returns a login that an agent can't follow: a link in a folder of conversations, which other agents can write. */
export const linkedLogin = (
	profile: Profile | undefined,
	environment: SandboxSpec['environment'],
): string | undefined => {
	const {keeps} = needsOf(profile, environment);
	const logins = profile?.logins.files({home: personHome(environment), environment}) ?? [];
	return logins.find(
		path =>
			keeps.some(folder => isIn(folder, path)) &&
			lstatSync(path, {throwIfNoEntry: false})?.isSymbolicLink(),
	);
};

const isVariables = (path: string): boolean => basename(path) === '.env';

/** Returns the listening sockets in folders: even on a read-only mount, any process could connect to them. */
const socketsIn = (folders: readonly string[]): readonly string[] => {
	const table = attempt(() => readFileSync('/proc/net/unix', 'utf8')) ?? '';
	const paths = [...table.matchAll(/^\S+:(?: +\w+){6} (\/.*)$/gm)].map(([, path = '']) => path);
	return [...new Set(paths)].filter(
		path => folders.some(folder => isIn(folder, path)) && existsSync(path),
	);
};

/** Returns folders with sockets of this program and of others. */
const privateFolders = (): readonly string[] =>
	[socketFolder(), process.env.XDG_RUNTIME_DIR ?? ''].filter(existsSync);

const as = (how: Mount['as'], paths: readonly string[]): Box =>
	paths.map(path => ({path, as: how}));

/** Returns the mounts of a worktree's git directory: writable, except for files that name programs to run or other directories. A process can't rename a mounted folder. */
const hubMounts = (hub: string): Box => {
	const linked = linkedFolder(hub);
	const within = (folder: string, names: readonly string[]) =>
		names.map(name => join(folder, name));
	return [
		...as('own', [hub, ...within(hub, ['worktrees', 'objects', 'objects/info']), linked]),
		...as('seen', [
			...within(hub, ['config', 'borrowed.config', 'hooks', 'info', 'objects/info/alternates']),
			...within(linked, ['commondir', 'gitdir', 'locked']),
		]),
	];
};

/** Returns a mount at its real path, and one at the given path, in case the link isn't visible inside. */
const resolved = (mount: Mount): Box => {
	const path = realPath(mount.path);
	if (path === undefined || path === mount.path) {
		return [mount];
	}

	const {from = path} = mount;
	return [
		{...mount, path, from},
		{...mount, from},
	];
};

/** Returns read-only mounts in writable folders: of the forbidden paths in a worktree, and of those that a person has allowed only to be read. */
export const closedIn = (spec: SandboxSpec, box: Box): Box => {
	const {read, write} = allowedBy(spec);
	// These mounts come last, and would cover others.
	const others = [...write, ...box.map(({path}) => path)];
	const readOnly = read.filter(path => !others.some(other => isIn(path, other)));
	return [
		...closedBelow(spec.tree, spec.forbidden ?? []),
		...write.flatMap(folder =>
			closedBelow(
				folder,
				readOnly.filter(path => isIn(folder, path)).map(path => relative(folder, path)),
			),
		),
	];
};

/** Returns mounts of the paths that exist in a folder now and can be opened, except behind links, which could lead anywhere. */
const closedBelow = (folder: string, names: readonly string[]): Box => {
	const root = realPath(folder) ?? folder;
	return names
		.filter(name => !names.some(other => other !== name && isIn(other, name)))
		.map(name => join(root, name))
		.filter(from => realPath(from) === from && isReadable(from) && isOpenable(from))
		.flatMap(from =>
			[...new Set([from, join(folder, from.slice(root.length))])].map(
				path => ({path, as: 'closed', from}) as const,
			),
		);
};

const isOpenable = (path: string): boolean =>
	attempt(() => accessSync(path, constants.R_OK) ?? true) ?? false;

/** Drops mounts whose source doesn't exist, or whose mount point can't be created because it is on a read-only mount. */
const standing = (box: Box): Box => {
	const around = (path: string): Mount | undefined =>
		box
			.filter(other => other.path !== path && isIn(other.path, path))
			.sort((one, other) => one.path.length - other.path.length)
			.at(-1);
	return box.filter(
		({path, as, from = path}) =>
			(as !== 'own' || existsSync(from)) && (around(path)?.as !== 'seen' || existsSync(path)),
	);
};

/** Returns the folders of all programs that the commands name, and those in PATH. Paths in the worktree are visible anyway, and an agent may have made a link of one. */
const programsOf = ({commands, environment, tree}: SandboxSpec): readonly string[] => {
	const {PATH = ''} = environment;
	const onPath = PATH.split(delimiter).filter(isAbsolute);
	const words = commands.flatMap(([program = '', ...rest]) => [
		programPath(program, PATH) ?? program,
		...rest,
	]);
	const files = words.filter(word => word.includes(sep));
	const inText = words
		.filter(word => /\s/.test(word))
		.flatMap(text => text.split(/[\s"'`;|&()<>=,]+/))
		.filter(isAbsolute);
	const isSecret = wideFolders(environment);
	const isShown = (path: string) =>
		[path, realPath(path) ?? path].every(one => !isSecret(one) && !isIn(tree, one));
	const read = (paths: readonly string[]) =>
		paths.map(path => resolve(tree, path)).filter(path => isReadable(path) && isShown(path));
	return [
		...onPath.flatMap(folder => [resolve(folder), ...besides(folder)]).filter(isShown),
		...read(files)
			.flatMap(path => [path, realPath(path) ?? path])
			.flatMap(path => [folderOf(path), path])
			.filter(isShown),
		...read(inText),
		folderOf(import.meta.dirname),
		realPath(process.execPath) ?? process.execPath,
	];
};

/** Returns the folders beside `bin` that its programs need. */
export const besides = (folder: string): readonly string[] =>
	basename(folder) === 'bin'
		? ['lib', 'lib64', 'libexec', 'include'].map(name => join(dirname(folder), name))
		: [];

/** Returns the folder with everything that a program needs: its package with its dependencies, or just its own folder. */
const folderOf = (path: string): string => {
	const [before, after] = path.split(`${sep}node_modules${sep}`);
	if (after !== undefined) {
		return join(before ?? sep, 'node_modules');
	}

	const folder = statSync(path, {throwIfNoEntry: false})?.isDirectory() ? path : dirname(path);
	for (let above = folder; above !== dirname(above); above = dirname(above)) {
		if (existsSync(join(above, 'package.json'))) {
			return above;
		}
	}

	return folder;
};

const isFolder = (path: string): boolean =>
	statSync(path, {throwIfNoEntry: false})?.isDirectory() ?? false;

/** Returns whether a path is a file or a folder. Connecting to a socket that a command names needs a person's permission. */
export const isReadable = (path: string): boolean => {
	const found = statSync(path, {throwIfNoEntry: false});
	return found !== undefined && (found.isFile() || found.isDirectory());
};

/** Returns a predicate for folders that hold more than programs: a home, all temporary files, or secrets. */
export const wideFolders = (
	environment: SandboxSpec['environment'],
): ((folder: string) => boolean) => {
	const home = personHome(environment);
	const state = stateFolder(process.env);
	const within = [home, homedir(), state, tmpdir(), ...wide];
	const secrets = [
		...secretNames.map(name => join(home, name)),
		...[state, ...ofKernel],
		...privateFolders(),
	];
	return folder => within.some(one => isIn(folder, one)) || secrets.some(one => isIn(one, folder));
};

const wide = wordsOf('/tmp /var/tmp /dev/shm /run /home /root /etc /var /mnt /media /srv');

/** File systems of the kernel, of which a box has its own; links in `/proc` lead to everything that other processes see. */
const ofKernel = wordsOf('/proc /dev/pts /dev/fd /dev/mqueue');

const secretNames = wordsOf(`
	.ssh .aws .gnupg .config/gh .netrc .docker .kube .azure .password-store .config/gcloud
	.local/share/keyrings .mozilla .config/google-chrome .config/chromium
`);
