import {createHash} from 'node:crypto';
import {constants, type Stats} from 'node:fs';
import {type FileHandle, open, readdir} from 'node:fs/promises';
import {homedir} from 'node:os';
import {join, resolve} from 'node:path';
import {errorCode, ifThere} from '../lib/files/reading.ts';
import {decodePath, encodePath} from '../lib/text/byte-path.ts';
import {lineOf, linesOf, splitNul} from './process/result.ts';
import {sealed} from './process/sealed.ts';
import {user} from './process/user.ts';
import {gitDirOf, worktrees} from './repository/checkouts.ts';
import {gitLocationOf, type Repository} from './repository/repository.ts';
import {isRefusal} from './tree/disk-path.ts';

/** What git goes by in the person's repository; digests only, since a file may hold a password. */
export type SettingsReading = {
	/** Of all of it together. */
	readonly digest: string;
	/** Of each file, by its path as a person knows it. */
	readonly parts: Readonly<Record<string, string>>;
	/** Of all values of each key, in each file of the configuration. */
	readonly keys: Readonly<Record<string, KeyDigests>>;
};

type KeyDigests = Readonly<Record<string, string>>;

/**
Reads what the person's git goes by besides the history: every file of it as a whole, and the replaced objects.

Which settings can start a program or redirect a fetch is a list without an end, so no change is taken for a harmless one. Not in it are other refs, which move in a day's work (a merge is bound to its target by itself), and the programs that settings name.
*/
export const readSettings = async (repository: Repository): Promise<SettingsReading> => {
	const {files, configured} = await settingsFiles(repository);
	const contents = await Promise.all(
		files.map(async path => [shownPath(repository, path), await contentOf(path)] as const),
	);
	const found = [...contents, ...(await replacements(repository)), await gitFolder(repository)]
		.filter(([, content]) => content !== undefined)
		.sort(([name], [other]) => (name < other ? -1 : 1));
	const parts = Object.fromEntries(found.map(([name, content]) => [name, digestOf(content)]));
	const keys = Object.fromEntries(
		[...configured].map(([path, values]) => [shownPath(repository, path), keyDigests(values)]),
	);
	return {digest: digestOf(parts), parts, keys};
};

/** Returns what came, went or changed since an earlier reading: the keys in a file of the configuration, else the file. */
export const changedSince = (
	{parts, keys}: SettingsReading,
	earlier: Pick<SettingsReading, 'parts'> & Partial<SettingsReading>,
): readonly string[] =>
	changedNames(parts, earlier.parts).flatMap(file => {
		const before = earlier.keys && (earlier.keys[file] ?? {});
		// A comment or another order changes no key.
		const changed = before ? changedNames(keys[file] ?? {}, before) : [];
		return file in parts && changed.length > 0
			? changed.map(key => `${told(key, keys[file])} in ${file}`)
			: [told(file, parts)];
	});

const changedNames = (now: KeyDigests, before: KeyDigests): readonly string[] =>
	[...new Set([...Object.keys(now), ...Object.keys(before)])]
		.filter(name => now[name] !== before[name])
		.sort();

const told = (name: string, now: KeyDigests = {}): string =>
	name in now ? name : `${name} (removed)`;

type Part = readonly [name: string, content: string];

/** Of all refs only these change what others read. */
const replacements = async (repository: Repository): Promise<readonly Part[]> => {
	const format = '--format=%(refname) %(objectname)';
	const refs = await sealed(gitLocationOf(repository), ['for-each-ref', format, 'refs/replace/']);
	return linesOf(refs).map(line => {
		const [name = '', object = ''] = line.split(' ');
		return [name, object];
	});
};

/** A file in the place of the checkout's git folder would lead git elsewhere. */
const gitFolder = async ({root}: Repository): Promise<Part> => {
	const found = await user(root, ['rev-parse', '--path-format=absolute', '--git-common-dir']);
	return ['.git', lineOf(found)];
};

/** Returns a path as people know it: `.git/config` for what is the repository's, `~/.gitconfig` for what is the person's. */
const shownPath = ({commonDir}: Repository, path: string): string => {
	if (path.startsWith(`${commonDir}/`)) {
		return `.git${path.slice(commonDir.length)}`;
	}

	const home = homedir();
	return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
};

/** 128 bits, since it stands in journals in great numbers. */
const digestOf = (content: unknown): string =>
	createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 32);

/** What lies at a path, as plain data that differs when it does. */
export type Content = readonly (string | number | boolean)[];

/** No settings are that long; of a longer file its size and time count, so that nobody waits for a hash of a disk. */
const longest = 2 ** 20;

/**
Returns what git reads at a path, through links as git does; nothing where there is nothing.

A pipe or device is opened without waiting and never read: one could keep us, or never end. What we may not read, or what leads in a circle, comes to something else; any other failure is one.
*/
export const contentOf = async (path: string): Promise<Content | undefined> => {
	try {
		const flags = constants.O_RDONLY | constants.O_NONBLOCK;
		await using file = await ifThere(open(Buffer.from(encodePath(path)), flags));
		return file && (await contentIn(file, await file.stat()));
	} catch (error) {
		if (isRefusal(error) || isUnopenable(error)) {
			return ['unreadable'];
		}

		throw error;
	}
};

/** A circle of links, or a socket. */
const isUnopenable = (error: unknown): boolean =>
	['ELOOP', 'ENXIO'].includes(errorCode(error) ?? '');

const contentIn = async (file: FileHandle, entry: Stats): Promise<Content> => {
	if (!entry.isFile()) {
		return [entry.isDirectory() ? 'folder' : 'special'];
	}

	const isExecutable = (entry.mode & 0o111) !== 0;
	return entry.size > longest
		? ['long', isExecutable, entry.size, entry.ctimeMs]
		: [
				'file',
				isExecutable,
				createHash('sha256')
					.update(await file.readFile())
					.digest('hex'),
			];
};

/**
Returns the paths of all files that the person's git goes by in any checkout of the repository; nothing needs to lie there.

Git itself is asked wherever its own settings decide: which configuration it reads, what that includes, and where `core.hooksPath` leads. Nothing of the person's is started by it.
*/
const settingsFiles = async (
	repository: Repository,
): Promise<{readonly files: readonly string[]; readonly configured: Configured}> => {
	const {root, commonDir, objects} = repository;
	const checkouts = (await worktrees(repository)).filter(checkout => !checkout.isBare);
	const others = checkouts.map(checkout => checkout.root).filter(other => other !== root);
	const own = await filesOfCheckout(root, commonDir);
	const configured = new Map(own.configured);
	const files = [
		join(commonDir, 'shallow'),
		join(objects, 'info/alternates'),
		...(await filesIn(join(commonDir, 'info'))).filter(path => !isForServers(path)),
		...own.files,
	];
	for (const other of others) {
		// Where another checkout's can't be read, git can't work there either.
		const found = await filesOfCheckout(other, commonDir).catch(() => undefined);
		files.push(...(found?.files ?? []));
		for (const [path, values] of found?.configured ?? []) {
			configured.set(path, values);
		}
	}

	return {files: [...new Set(files)], configured};
};

/** Each checkout may have settings of its own, and the target may stand in any of them. */
const filesOfCheckout = async (root: string, commonDir: string) => {
	const paths = await pathSettings(root);
	const hooks = paths.get('core.hookspath') ?? join(commonDir, 'hooks');
	const configured = await configuredIn(root);
	const files = [
		...configured.keys(),
		paths.get('core.attributesfile') ?? ownFile('attributes'),
		...(await filesIn(hooks)).filter(path => !path.endsWith('.sample')),
		join(await gitDirOf(root), 'info/sparse-checkout'),
	];
	return {files, configured};
};

/** Returns where the person's settings lead; those that we give git on its command line are not among them. */
const pathSettings = async (root: string): Promise<ReadonlyMap<string, string>> => {
	const pattern = String.raw`^core\.(hookspath|attributesfile)$`;
	const find = ['config', '-z', '--show-scope', '--type=path', '--get-regexp', pattern];
	const fields = splitNul((await user(root, find, {expect: 'any'})).stdout);
	const values = new Map<string, string>();
	for (const [position, entry] of fields.entries()) {
		const end = entry.indexOf('\n');
		if (position % 2 === 1 && fields[position - 1] !== 'command') {
			values.set(entry.slice(0, end), resolve(root, entry.slice(end + 1)));
		}
	}

	return values;
};

/** What each file of the configuration sets: of each key all its settings, with their values, in their order. */
type Configured = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

const configuredIn = async (root: string): Promise<Configured> => {
	const fields = splitNul((await user(root, ['config', '--list', '-z', '--show-origin'])).stdout);
	const files = new Map<string, Map<string, readonly string[]>>();
	for (const [position, origin] of fields.entries()) {
		// What else there is we say on git's command line ourselves.
		if (position % 2 === 0 && origin.startsWith(inFile)) {
			const path = resolve(root, origin.slice(inFile.length));
			const setting = fields[position + 1] ?? '';
			const key = withoutLogin(setting.replace(/\n.*/s, ''));
			const values = files.get(path) ?? new Map<string, readonly string[]>();
			values.set(key, [...(values.get(key) ?? []), setting]);
			files.set(path, values);
		}
	}

	return files;
};

/** Returns a key without the name and password that an address in it may hold, as in `url.https://me:secret@host/.insteadOf`. */
const withoutLogin = (key: string): string => key.replace(/(?<=:\/\/).*@/s, '…@');

const keyDigests = (values: ReadonlyMap<string, readonly string[]>): KeyDigests =>
	Object.fromEntries([...values].map(([key, all]) => [key, digestOf(all)]));

const inFile = 'file:';

/** A folder that isn't there, or that nobody may read, holds nothing that git could use. */
const filesIn = async (folder: string): Promise<readonly string[]> => {
	const names = await readdir(folder, {encoding: 'buffer'}).catch(() => []);
	return names.map(name => join(folder, decodePath(name)));
};

/** A list of refs that each garbage collection writes for servers without git. */
const isForServers = (path: string): boolean => path.endsWith('/info/refs');

/** A setting of git's: its key in lower case, and its value. */
export type Setting = readonly [key: string, value: string];

/** Returns the person's settings whose keys match a pattern, as they count in a folder; one that is only named is true. */
export const settingsLike = async (
	folder: string,
	pattern: string,
): Promise<readonly Setting[]> => {
	const {stdout} = await user(folder, ['config', '--null', '--get-regexp', pattern], {
		expect: [0, 1],
	});
	return splitNul(stdout).map(record => {
		const end = record.indexOf('\n');
		return end === -1 ? [record, 'true'] : [record.slice(0, end), record.slice(end + 1)];
	});
};

/** Returns where git looks for a file of the person's for all their repositories, unless a setting names another one; it need not be there. */
export const ownFile = (name: 'attributes' | 'ignore'): string =>
	join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'git', name);
