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

/** Digests of all files that configure the person's git; the content isn't kept since a file may contain a password. */
export type SettingsReading = {
	readonly digest: string;
	/** Digest of each file, by its path as shown to a person. */
	readonly parts: Readonly<Record<string, string>>;
	/** Digests of each file's keys. */
	readonly keys: Readonly<Record<string, KeyDigests>>;
};

type KeyDigests = Readonly<Record<string, string>>;

/**
Reads the digests of every file that configures the person's git, and of replaced objects (`git replace`).

There is no complete list of settings that can start a program or redirect a fetch, so every change counts. Other refs, which move in daily work, and the programs that settings name are not read.
*/
export const readSettings = async (repository: Repository): Promise<SettingsReading> => {
	const {files, configured} = await settingsFiles(repository);
	const contents = await Promise.all(
		files.map(async path => [shownPath(repository, path), await settingsContent(path)] as const),
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

/** Returns the changes since an earlier reading: keys of a configuration file, or the name of another file. */
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

/** Returns replacement refs, which change the content of other objects. */
const replacements = async (repository: Repository): Promise<readonly Part[]> => {
	const format = '--format=%(refname) %(objectname)';
	const refs = await sealed(gitLocationOf(repository), ['for-each-ref', format, 'refs/replace/']);
	return linesOf(refs).map(line => {
		const [name = '', object = ''] = line.split(' ');
		return [name, object];
	});
};

/** Returns the git dir of the checkout, which a `.git` file can redirect. */
const gitFolder = async ({root}: Repository): Promise<Part> => {
	const found = await user(root, ['rev-parse', '--path-format=absolute', '--git-common-dir']);
	return ['.git', lineOf(found)];
};

/** Shortens a path to `.git/config` in the repository, `~/.gitconfig` in the home. */
const shownPath = ({commonDir}: Repository, path: string): string => {
	if (path.startsWith(`${commonDir}/`)) {
		return `.git${path.slice(commonDir.length)}`;
	}

	const home = homedir();
	return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
};

/** Returns a digest of 128 bits, since journals contain many of them. */
const digestOf = (content: unknown): string =>
	createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 32);

/** Data that differs if the file at a path differs. */
type Content = readonly (string | number | boolean)[];

/** Maximum length of a file whose content counts; of a longer one, size and ctime count. */
const longest = 2 ** 20;

/**
Reads the file at a path, through links as git does; `undefined` if it doesn't exist.

A pipe or device is opened without blocking, and never read. A file without read permission, or a link loop, counts as `unreadable`.
*/
export const settingsContent = async (path: string): Promise<Content | undefined> => {
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

/** Returns whether an error means a link loop, or a socket. */
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

/** Returns the paths of all files that configure git in any checkout of the repository, even if they don't exist yet. Git itself reports the configuration that it reads and includes, and `core.hooksPath`. */
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
		// Git can't work in such a checkout either.
		const found = await filesOfCheckout(other, commonDir).catch(() => undefined);
		files.push(...(found?.files ?? []));
		for (const [path, values] of found?.configured ?? []) {
			configured.set(path, values);
		}
	}

	return {files: [...new Set(files)], configured};
};

const filesOfCheckout = async (root: string, commonDir: string) => {
	const paths = await pathSettings(root);
	const hooks = await hooksFolder({root, commonDir}, paths);
	const configured = await configuredIn(root);
	const files = [
		...configured.keys(),
		paths.get('core.attributesfile') ?? ownFile('attributes'),
		...(await filesIn(hooks)).filter(path => !path.endsWith('.sample')),
		join(await gitDirOf(root), 'info/sparse-checkout'),
	];
	return {files, configured};
};

/** Returns the folder of the hooks that the person's own git runs in a checkout. */
export const hooksFolder = async (
	{root, commonDir}: Pick<Repository, 'root' | 'commonDir'>,
	paths?: ReadonlyMap<string, string>,
): Promise<string> =>
	(paths ?? (await pathSettings(root))).get('core.hookspath') ?? join(commonDir, 'hooks');

/** Returns `core.hooksPath` and `core.attributesFile`, without those that we set on the command line. */
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

/** Values of each key in order, by configuration file. */
type Configured = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

const configuredIn = async (root: string): Promise<Configured> => {
	const fields = splitNul((await user(root, ['config', '--list', '-z', '--show-origin'])).stdout);
	const files = new Map<string, Map<string, readonly string[]>>();
	for (const [position, origin] of fields.entries()) {
		// Other origins are our own settings on the command line.
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

/** Removes the login from a key such as `url.https://me:secret@host/.insteadOf`. */
const withoutLogin = (key: string): string => key.replace(/(?<=:\/\/).*@/s, '…@');

const keyDigests = (values: ReadonlyMap<string, readonly string[]>): KeyDigests =>
	Object.fromEntries([...values].map(([key, all]) => [key, digestOf(all)]));

const inFile = 'file:';

const filesIn = async (folder: string): Promise<readonly string[]> => {
	const names = await readdir(folder, {encoding: 'buffer'}).catch(() => []);
	return names.map(name => join(folder, decodePath(name)));
};

/** Returns whether each garbage collection rewrites a file, for dumb HTTP servers. */
const isForServers = (path: string): boolean => path.endsWith('/info/refs');

/** Key in lower case, and value. */
export type Setting = readonly [key: string, value: string];

/** Returns the settings in a folder whose keys match a pattern, or those in one file; a key without a value is true. */
export const settingsLike = async (
	folder: string,
	pattern: string,
	file?: string,
): Promise<readonly Setting[]> => {
	const where = file === undefined ? [] : ['--file', file];
	const {stdout} = await user(folder, ['config', ...where, '--null', '--get-regexp', pattern], {
		expect: [0, 1],
	});
	return splitNul(stdout).map(record => {
		const end = record.indexOf('\n');
		return end === -1 ? [record, 'true'] : [record.slice(0, end), record.slice(end + 1)];
	});
};

/** Returns the default path of git's file for all of the person's repositories. */
export const ownFile = (name: 'attributes' | 'ignore'): string =>
	join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'git', name);
