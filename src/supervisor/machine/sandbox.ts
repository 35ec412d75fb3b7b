import {constants, existsSync, readFileSync, realpathSync, statSync} from 'node:fs';
import {copyFile, lstat, mkdir, readFile, rm} from 'node:fs/promises';
import {devNull, homedir, tmpdir} from 'node:os';
import {basename, delimiter, dirname, isAbsolute, join, resolve, sep} from 'node:path';
import type {Profile} from '../../agents/profiles/profile.ts';
import {profiles} from '../../agents/profiles/profiles.ts';
import {socketFolder} from '../../control/path.ts';
import {questionHome} from '../../control/questions/home.ts';
import type {Body, SandboxSettings} from '../../events/event.ts';
import type {Sandbox} from '../../events/kinds/machine-event.ts';
import type {Allowance} from '../../events/plan.ts';
import type {Repository} from '../../git/repository/repository.ts';
import {lentObjects} from '../../git/store/borrowed.ts';
import {linkedFolder} from '../../git/store/linked-tree.ts';
import {attempt, Failure} from '../../lib/failure.ts';
import {ifThere, isThere, unlessThere} from '../../lib/files/reading.ts';
import {type Box, laidOut, type Mount, systemMounts, wordsOf} from '../../lib/process/box.ts';
import {bound, type Containment, inBox} from '../../lib/process/containment.ts';
import {programPath} from '../../lib/process/find-program.ts';
import {defined} from '../../lib/values.ts';
import {accessOf} from '../../state/agent/access.ts';
import type {Agent, Denial} from '../../state/agent/agent.ts';
import {agentOf} from '../../state/select.ts';
import {stateFolder} from '../folder.ts';
import {ownFolders} from '../questions/own-folders.ts';
import type {World} from '../world.ts';

/** Describes what runs in a worktree, and all that it may reach besides that. */
export type SandboxSpec = {
	readonly tree: string;
	/** Folders of objects that its repository borrows. */
	readonly lenders: readonly string[];
	/** The person's checkout, where it is there. */
	readonly checkout?: string;
	/** Folder of what package managers have downloaded, for all that work on the repository. */
	readonly caches: string;
	/** Commands that are started there, by the words that name programs and files. */
	readonly commands: readonly (readonly string[])[];
	readonly environment: Readonly<Record<string, string | undefined>>;
	readonly profile?: Profile;
	/** What a person lets it reach besides. */
	readonly allow?: Allowance;
	/** Other paths that are seen there. */
	readonly more: Box;
	/** Opens the way to hosts that a person named; without it there is none. */
	readonly openGate?: (hosts: readonly string[]) => Promise<string>;
};

/** The repository that a worktree hangs off, in which what runs there may commit, and what it has as its home and as `/tmp`: all lie beside it. */
const besideTree = (tree: string, name: 'hub.git' | 'home' | 'tmp'): string =>
	join(dirname(tree), name);

type WorktreeSpec = Pick<SandboxSpec, 'tree' | 'commands' | 'environment' | 'profile'> & {
	/** By which its folders of questions are called. */
	readonly name: string;
	/** Whose worktree it is, if it is an agent's: it sees no objects of others. */
	readonly agent?: string;
	readonly more?: Box;
};

type SandboxWorld = Pick<World, 'containment' | 'folder' | 'state' | 'repository' | 'store'> &
	Partial<Pick<World, 'gates' | 'report'>>;

/** Shuts in what works in a worktree of a session, with folders of questions for itself; where places can't be its own it sees those of all. */
export const inWorktree = async (
	{containment, folder, state, repository, store, gates, report}: SandboxWorld,
	{name, agent, more = [], ...spec}: WorktreeSpec,
): Promise<Containment> => {
	const {settings, plan} = state().session ?? {};
	const home = settings?.questionsHome;
	const binds =
		home !== undefined && (containment.binds || protectsFiles(containment, settings?.sandbox))
			? await ownFolders(questionHome(home), folder, name)
			: [];
	return sandboxed(containment, settings?.sandbox, {
		...spec,
		lenders: [
			...(agent === undefined ? [join(store.gitDir, 'objects')] : []),
			...(await lendersOf(repository)),
		],
		checkout: repository.root,
		caches: folder.caches,
		...defined({
			allow: withGranted(
				plan?.allow,
				{...spec, checkout: repository.root},
				agentOf(state(), agent ?? ''),
			),
			openGate:
				gates &&
				((hosts: readonly string[]) =>
					gates.open(name, {
						hosts,
						onRefused: host => agent && report?.(refusalOf(agent, host)),
					})),
		}),
		more: [...more, ...binds.map(({from, to}) => ({path: to, as: 'own', from}) as const)],
	});
};

/** What a person granted an agent is judged each time: a link that it leads through may have been changed. */
const withGranted = (
	allow: Allowance | undefined,
	spec: Reaching,
	agent: Agent | undefined,
): Allowance | undefined => {
	if (agent?.access === undefined) {
		return allow;
	}

	const {read, write} = accessOf(agent);
	const still = (to: Denial['to']) => (path: string) => openable({path, to}, spec) === path;
	return {
		...allow,
		read: [...(allow?.read ?? []), ...read.filter(still('read'))],
		write: [...(allow?.write ?? []), ...write.filter(still('write'))],
	};
};

export type Reaching = Pick<SandboxSpec, 'tree' | 'checkout' | 'environment'>;

/**
Returns the path that a person can open to an agent who was denied one: that one, or the folder in which it would make it.

What is asked for comes from what tools print, which an agent can make up, so no path is opened that could hold a secret or that a person's own programs run: nothing hidden, as settings, keys and the folders of a git are, no home or other wide folder, nothing of this program's state with the worktrees of others, and nothing of the system. To be written, nothing in a repository, the person's checkout first of all, and no folder of programs.
*/
export const openable = (
	{path, to}: Denial,
	{tree, checkout, environment}: Reaching,
): string | undefined => {
	const place = to === 'read' || existsSync(path) ? path : dirname(path);
	const real = realPath(place);
	if (real === undefined || !isReadable(real) || isIn(tree, real)) {
		return undefined;
	}

	const system = [
		...systemMounts().map(({path}) => path),
		...['/proc', '/sys', '/dev/pts', '/dev/fd', '/dev/mqueue', '/etc', '/boot'],
	];
	const own = [...logins(environment), ...(to === 'write' && checkout ? [checkout] : [])];
	const programs = (environment.PATH ?? '').split(delimiter).filter(isAbsolute);
	const isClosed = (one: string) =>
		one.split(sep).some(name => name.startsWith('.')) ||
		isWide(one, environment) ||
		system.some(folder => isIn(folder, one)) ||
		own.some(other => isIn(other, one) || isIn(one, other)) ||
		(to === 'write' &&
			(isInRepository(one) || programs.some(folder => isIn(folder, one) || isIn(one, folder))));
	return isClosed(place) || isClosed(real) ? undefined : place;
};

/** Returns whether a folder or one that it lies in is the top of a repository or of a worktree. */
const isInRepository = (path: string): boolean =>
	existsSync(join(path, '.git')) || (dirname(path) !== path && isInRepository(dirname(path)));

/** Each agent has its own, brought by its profile. */
const logins = (environment: SandboxSpec['environment']): readonly string[] =>
	Object.values(profiles).flatMap(({logins}) =>
		logins.files({home: personHome(environment), environment}),
	);

const refusalOf = (agent: string, host: string): Body => ({
	...{kind: 'scope.left', agent, path: host, change: 'refused', patch: ''},
	why: 'sandbox.network closes it; allow.hosts of the plan or your config opens it from its next start on',
});

/** Returns where all objects lie that a person's repository lends. */
export const lendersOf = async (repository: Repository): Promise<readonly string[]> =>
	(await Promise.all((await lentObjects(repository)).map(borrowedBy))).flat();

/** Returns a folder of objects, and those that it borrows from. */
export const borrowedBy = async (objects: string): Promise<readonly string[]> => {
	const text = await ifThere(readFile(join(objects, 'info/alternates'), 'utf8'));
	const paths = (text ?? '').split('\n').filter(line => line !== '' && !line.startsWith('#'));
	const further = await Promise.all(paths.map(path => borrowedBy(resolve(objects, path))));
	return [objects, ...further.flat()];
};

/** Whether files can be protected here, and are to be. */
export const protectsFiles = (
	{fileSandbox}: Pick<Containment, 'fileSandbox'>,
	settings: SandboxSettings | undefined,
): boolean => settings?.mode !== 'off' && 'program' in fileSandbox;

/**
Returns a containment that shows a process nothing but what it needs, where this machine can do that and the person wants it; elsewhere it sees folders in the place of others, and all the rest.

@throws `Failure` where the person requires that files are protected, and they can't be.
*/
export const sandboxed = async (
	containment: Containment,
	settings: SandboxSettings | undefined,
	spec: SandboxSpec,
): Promise<Containment> => {
	requireFileSandbox(containment, settings);
	const {fileSandbox} = containment;
	if (!('program' in fileSandbox) || settings?.mode === 'off') {
		const binds = spec.more.flatMap(({from, path, as}) =>
			as === 'own' && from !== undefined && from !== path ? [{from, to: path}] : [],
		);
		return bound(containment, binds);
	}

	await prepare(spec);
	const {TMPDIR} = spec.environment;
	const network = await networkFor(settings?.network, spec);
	const gate = typeof network === 'object' ? as('seen', [dirname(network.proxy)]) : [];
	return inBox(containment, {
		program: fileSandbox.program,
		box: [...boxFor(spec), ...gate],
		...defined({network}),
		// Package managers keep locks there, and the person's is hidden.
		variables: TMPDIR === undefined ? {} : {XDG_RUNTIME_DIR: TMPDIR},
	});
};

/** Returns the words that start a type checker, which ends with whoever asks it: a namespace of processes alone would take the descriptor by which it is asked. */
export const checkerWords = (
	{level, prefix}: Containment,
	command: readonly string[],
): readonly string[] => (level === 'box' ? [...prefix, ...command] : command);

const networkFor = async (
	wanted: SandboxSettings['network'],
	{allow: {hosts = []} = {}, openGate}: SandboxSpec,
): Promise<'off' | {readonly proxy: string} | undefined> => {
	if (wanted === undefined) {
		return undefined;
	}

	const named = [...(wanted === 'off' ? [] : wanted.hosts), ...hosts];
	return named.length === 0 || openGate === undefined ? 'off' : {proxy: await openGate(named)};
};

/** @throws `Failure` where the person requires that files are protected, and they can't be. */
export const requireFileSandbox = (
	{fileSandbox}: Pick<Containment, 'fileSandbox'>,
	settings: SandboxSettings | undefined,
): void => {
	if (settings?.mode === 'required' && 'missing' in fileSandbox) {
		throw new Failure(
			'missing',
			`The config requires that files are protected from agents, and here they can’t be: ${fileSandbox.missing}.`,
			{hint: fileSandbox.hint ?? 'set "sandbox: auto" to let agents run with your own rights'},
		);
	}
};

/** Returns how far an agent is kept from what is not its business, by what this machine allows and the person wants. */
export const sandboxOf = (containment: Containment, settings?: SandboxSettings): Sandbox => {
	const {level, why} = containment;
	if (protectsFiles(containment, settings)) {
		return {
			level: 'files',
			why: `an agent sees its worktree, your checkout and programs, and can write in its worktree alone.${networkText(settings?.network)}`,
		};
	}

	const files = whyUnprotected(containment);
	const open = settings?.network === undefined ? files : `${files}; nor is the network closed`;
	return level === 'groups'
		? {
				level: 'none',
				why: `${open}. Agents run with your rights; what leaves a scope is reverted. What an agent starts is looked for and ended, but can hide: ${why}.`,
			}
		: {
				level: 'processes',
				why: `${open}. An agent runs with your rights; what leaves a scope is reverted. All that it starts ends with it (${why}).`,
			};
};

/** Returns why files are not protected where they are not, and what changes that. */
export const whyUnprotected = ({fileSandbox}: Pick<Containment, 'fileSandbox'>): string => {
	if ('program' in fileSandbox) {
		return 'you turned it off (`sandbox: off`)';
	}

	const {missing, hint} = fileSandbox;
	return hint === undefined ? missing : `${missing} (to change that: ${hint})`;
};

const networkText = (network: SandboxSettings['network']): string => {
	if (network === undefined) {
		return '';
	}

	const hosts = network === 'off' ? [] : network.hosts;
	return hosts.length === 0
		? ' It reaches no other machine but those that the plan allows.'
		: ` It reaches no other machine but ${hosts.join(', ')} and those that the plan allows.`;
};

/** Makes what a box shows: mounts need something to lie on. */
const prepare = async (spec: SandboxSpec): Promise<void> => {
	const {tree, caches, environment, profile} = spec;
	const {keeps = [], copies = []} = needsOf(profile, environment);
	const homes = homesOf(spec);
	const folders = [
		join(besideTree(tree, 'hub.git'), 'hooks'),
		...homes.map(({from}) => from),
		...cacheNames.map(name => join(caches, name)),
		...keeps,
	];
	await Promise.all(folders.map(path => mkdir(path, {recursive: true, mode: 0o700})));
	const inside = inHomes(homes, laidOut(ownMounts(spec)));
	for (const path of [...inside.folders, ...inside.leaves]) {
		// What it made a link of would lead a mount out of its home.
		await ((await ifThere(lstat(path)))?.isSymbolicLink() ? rm(path) : undefined);
		await (inside.folders.includes(path) ? mkdir(path, {recursive: true, mode: 0o700}) : undefined);
	}

	for (const file of copies) {
		const home = homes.findLast(({path}) => isIn(path, file));
		const own = home && join(home.from, file.slice(home.path.length));
		if (own !== undefined && (await isThere(file))) {
			await copyFile(file, own, constants.COPYFILE_EXCL).catch(unlessThere);
		}
	}
};

/** Returns where mounts lie in folders that a process has as its homes, and the folders that lead there, the outer ones first. */
const inHomes = (homes: readonly Required<Mount>[], mounts: Box) => {
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

/** Returns the folders that it has for itself, which lie where it sees none of the others, in the place of the person's home, and of those that an environment puts elsewhere. */
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

const personHome = ({HOME}: SandboxSpec['environment']): string => HOME || homedir();

/** Where package managers keep what they have downloaded, in a home. */
const cacheNames = wordsOf(`
	.cache .npm .yarn .bun/install/cache .local/share/pnpm/store .cargo/registry .cargo/git
	go/pkg/mod .m2/repository .gradle/caches .nuget/packages
`);

/** What type checkers read of that, which download nothing. */
export const downloads = wordsOf('.cargo/registry .cargo/git go/pkg/mod');

/** What programs of a person are started from, in a home. */
const toolNames = wordsOf(`
	.nvm .volta .fnm .asdf .pyenv .rbenv .nodenv .jenv .rustup .cargo/bin .sdkman .bun/bin .deno/bin
	go/bin .local/bin .local/lib .local/pipx .local/share/fnm .local/share/mise
	.local/share/uv/python .local/share/uv/tools .local/share/pnpm .local/share/pipx .npm-global n .dotnet .ghcup .opam .juliaup
	miniconda3 anaconda3 miniforge3
`);

/** The person's git works for agents as well; what may hold passwords stays away. */
const gitNames = wordsOf('.gitconfig .config/git/config .config/git/ignore .config/git/attributes');

/** Files that an environment names as certificates. */
const certificates = wordsOf(`
	NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE GIT_SSL_CAINFO
	AWS_CA_BUNDLE
`);

const boxFor = (spec: SandboxSpec): Box => {
	const homes = homesOf(spec);
	const hidden = [...as('empty', [stateFolder(process.env), ...privateFolders()]), ...homes];
	// What a folder around it shows is shown no more where one between them hides it.
	const laid = laidOut([...hidden, ...ownMounts(spec).flatMap(resolved)]);
	const own = laid.filter(mount => !hidden.includes(mount));
	// A folder that is mounted can't be made a link; one of its own within one that is seen would hide what lies there.
	const pins = inHomes(homes, own).folders.flatMap(from => {
		const home = homes.find(home => isIn(home.from, from));
		const path = home === undefined ? from : home.path + from.slice(home.from.length);
		const around = laid.findLast(mount => isIn(mount.path, path));
		return around?.as === 'seen' ? [] : [{path, as: 'own', from} as const];
	});
	return standing([...systemMounts(), ...hidden, ...pins, ...own]);
};

const ownMounts = (spec: SandboxSpec): Box => {
	const {tree, lenders, checkout, caches, environment, profile, more, allow = {}} = spec;
	const person = personHome(environment);
	const {keeps, sees} = needsOf(profile, environment);
	const logins = profile?.logins.files({home: person, environment}) ?? [];
	const inHome = (path: string) => path.replace(/^~(?=\/)/, person);
	const named = (names: readonly string[]) => names.map(name => join(person, name));
	const given = (names: readonly string[]) => names.flatMap(name => environment[name] || []);
	// Where a home is a repository, an agent makes do with its worktree.
	const shown = checkout === undefined || isWide(checkout, environment) ? [] : [checkout];
	const seen = [
		...shown,
		...named([...toolNames, ...gitNames]),
		...programsOf(spec),
		...given(certificates),
		...sees,
	];
	return [
		...as('seen', seen),
		...socketsIn(seen).map(path => ({path, as: 'seen', from: devNull}) as const),
		// Its settings may hold passwords, and its stash is none of an agent's business.
		...as('empty', shown.map(root => join(root, '.git')).filter(isFolder)),
		...as('seen', lenders),
		...cacheNames.map(
			name => ({path: join(person, name), as: 'own', from: join(caches, name)}) as const,
		),
		...as('own', [...logins, ...keeps]),
		...hubMounts(besideTree(tree, 'hub.git')),
		...as('own', [tree, ...given(['TMPDIR'])]),
		...as('seen', [join(tree, '.git')]),
		...more,
		...as('seen', [...(allow.read ?? []), ...(allow.sockets ?? [])].map(inHome)),
		...as('own', (allow.write ?? []).map(inHome)),
	];
};

/** Returns what listens in folders right now: a mount that can't be written lets in whoever connects. */
const socketsIn = (folders: readonly string[]): readonly string[] => {
	const table = attempt(() => readFileSync('/proc/net/unix', 'utf8')) ?? '';
	const paths = [...table.matchAll(/^\S+:(?: +\w+){6} (\/.*)$/gm)].map(([, path = '']) => path);
	return [...new Set(paths)].filter(
		path => folders.some(folder => isIn(folder, path)) && existsSync(path),
	);
};

/** Folders with sockets of this program and of others. */
const privateFolders = (): readonly string[] =>
	[socketFolder(), process.env.XDG_RUNTIME_DIR ?? ''].filter(existsSync);

const as = (how: Mount['as'], paths: readonly string[]): Box =>
	paths.map(path => ({path, as: how}));

/** A worktree's own git is written but for what says which programs it starts and where it lies; a folder that is mounted can't be moved away. */
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

/** Returns what is mounted where a path really leads, and by its own name too where nothing shows the link. */
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

const realPath = (path: string): string | undefined => {
	try {
		return realpathSync(path);
	} catch {
		return undefined;
	}
};

/** Leaves out what isn't there, and what nothing can be mounted on: in what is only seen no folder can be made. */
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

const isIn = (folder: string, path: string): boolean =>
	folder === sep || path === folder || path.startsWith(`${folder}${sep}`);

/** Returns the folders of all programs that are named, and of those on the path. */
const programsOf = ({commands, environment, tree}: SandboxSpec): readonly string[] => {
	const {PATH = ''} = environment;
	const onPath = PATH.split(delimiter).filter(isAbsolute);
	const words = commands.flatMap(([program = '', ...rest]) => [
		programPath(program, PATH) ?? program,
		...rest,
	]);
	const isSecret = (path: string) => isWide(path, environment);
	const files = words.flatMap(word => {
		const path = resolve(tree, word);
		return word.includes(sep) && isReadable(path) ? [path, realPath(path) ?? path] : [];
	});
	const inText = words
		.filter(word => /\s/.test(word))
		.flatMap(text => text.split(/[\s"'`;|&()<>=,]+/))
		.filter(word => isAbsolute(word) && isReadable(word) && !isSecret(word));
	return [
		...onPath.flatMap(folder => [folder, ...besides(folder)]).filter(folder => !isSecret(folder)),
		...files.flatMap(path => [folderOf(path), path]).filter(path => !isSecret(path)),
		...inText,
		folderOf(import.meta.dirname),
		realPath(process.execPath) ?? process.execPath,
	];
};

/** A program in `bin` needs what lies beside that. */
const besides = (folder: string): readonly string[] =>
	basename(folder) === 'bin'
		? ['lib', 'lib64', 'libexec', 'include'].map(name => join(dirname(folder), name))
		: [];

/** Returns the folder with all that a program brings: its package with those it depends on, or just where it lies. */
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

/** A socket that a command names is connected to only with a person's leave. */
const isReadable = (path: string): boolean => {
	const found = statSync(path, {throwIfNoEntry: false});
	return found !== undefined && (found.isFile() || found.isDirectory());
};

/** Returns whether a folder holds more than programs: a home, all temporary files, or what is secret. */
const isWide = (folder: string, environment: SandboxSpec['environment']): boolean => {
	const home = personHome(environment);
	return (
		[home, homedir(), stateFolder(process.env), tmpdir(), ...wide].some(one => isIn(folder, one)) ||
		[
			...secretNames.map(name => join(home, name)),
			stateFolder(process.env),
			...privateFolders(),
		].some(one => isIn(one, folder))
	);
};

const wide = wordsOf('/tmp /var/tmp /dev/shm /run /home /root /etc /var /mnt /media /srv');

const secretNames = wordsOf(`
	.ssh .aws .gnupg .config/gh .netrc .docker .kube .azure .password-store .config/gcloud
	.local/share/keyrings .mozilla .config/google-chrome .config/chromium
`);
