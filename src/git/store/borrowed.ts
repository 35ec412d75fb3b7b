import {access, appendFile, mkdir, readdir, readFile, rename, rm} from 'node:fs/promises';
import {homedir} from 'node:os';
import {isAbsolute, join} from 'node:path';
import {ifThere, isThere, succeeds} from '../../lib/files/reading.ts';
import {writeAtomically} from '../../lib/files/write-atomically.ts';
import {sealed} from '../process/sealed.ts';
import {ownFile, settingsLike} from '../read-settings.ts';
import type {Repository} from '../repository/repository.ts';
import {isBelowFolders} from '../tree/disk-path.ts';

/** Parts of the person's repository that our bare repositories share. */
export type Borrowed = {
	readonly objects: readonly string[];
	readonly objectFormat: string;
	readonly shallowFile: string;
	readonly config: ReadonlyMap<string, string>;
	/** Ignore rules outside of commits. */
	readonly exclude: string;
};

export const borrowedFrom = async (repository: Repository): Promise<Borrowed> => {
	const config = new Map(await settingsLike(repository.root, readKeys));
	return {
		objects: await lentObjects(repository),
		objectFormat: repository.objectFormat,
		shallowFile: join(repository.commonDir, 'shallow'),
		config: new Map([...config].filter(([key]) => key !== excludesFileKey)),
		exclude: await excludeRules(repository, config.get(excludesFileKey)),
	};
};

/** Returns the object directories that our repositories borrow: the person's, and those of its submodules. */
export const lentObjects = async (repository: Repository): Promise<readonly string[]> => [
	repository.objects,
	...(await submoduleObjects(repository)),
];

/** Returns the object directories of the person's submodules, including nested ones; a submodule that was cloned in its place has its git dir there. */
const submoduleObjects = async ({
	root,
	gitDir,
	commonDir,
}: Repository): Promise<readonly string[]> => {
	if (!(await isThere(join(root, '.gitmodules')))) {
		return [];
	}

	const folders = [...new Set([gitDir, commonDir])].map(folder => join(folder, 'modules'));
	const paths = String.raw`^submodule\..*\.path$`;
	// Git can't read it while the person merges it.
	const inside = (await settingsLike(root, paths, '.gitmodules').catch(() => []))
		.map(([, path]) => `${path}/.git`)
		.filter(path => !isAbsolute(path) && !/(?:^|\/)\.\.\/|\n/.test(path))
		// A link could lead to a repository that isn't part of this one.
		.map(async path => ((await isBelowFolders(root, path)) ? objectsIn(join(root, path)) : []));
	return (await Promise.all([...folders.map(objectsBelow), ...inside])).flat();
};

/** Finds object directories at any depth: a submodule's name, and so the path of its git dir, may have several parts. */
const objectsBelow = async (folder: string): Promise<readonly string[]> => {
	const entries = (await ifThere(readdir(folder, {withFileTypes: true}))) ?? [];
	const below = entries
		.filter(entry => entry.isDirectory() && !entry.name.includes('\n'))
		.map(async ({name}) => {
			const path = join(folder, name);
			return (await isThere(join(path, 'HEAD'))) ? objectsIn(path) : objectsBelow(path);
		});
	return (await Promise.all(below)).flat();
};

const objectsIn = async (gitDir: string): Promise<readonly string[]> =>
	(await isThere(join(gitDir, 'objects')))
		? [join(gitDir, 'objects'), ...(await objectsBelow(join(gitDir, 'modules')))]
		: [];

/** Creates a bare repository without template, hooks, remotes or refs. It is built beside its place and then renamed, so it never exists half. */
export const createBare = async (gitDir: string, borrowed: Borrowed): Promise<void> => {
	const making = `${gitDir}.making`;
	await rm(making, {recursive: true, force: true});
	await mkdir(making, {recursive: true});
	const format = `--object-format=${borrowed.objectFormat}`;
	await sealed({gitDir: making}, ['init', '--quiet', '--bare', '--template=', format]);
	await appendFile(join(making, 'config'), `[include]\n\tpath = ${borrowedConfig}\n`);
	await refreshBare(making, borrowed);
	await rename(making, gitDir);
};

/** Name of the included config file, separate from git's own. */
export const borrowedConfig = 'borrowed.config';

/** Updates a bare repository of ours from the person's. */
export const refreshBare = async (
	gitDir: string,
	{objects, shallowFile, config, exclude}: Borrowed,
): Promise<void> => {
	const alternates = objects.map(path => `${path}\n`).join('');
	await mkdir(join(gitDir, 'info'), {recursive: true});
	await keep(join(gitDir, 'objects/info/alternates'), alternates);
	await keep(join(gitDir, 'info/exclude'), exclude);
	await keep(join(gitDir, borrowedConfig), configText(config));
	await keepIfAny(join(gitDir, 'shallow'), await ifThere(readFile(shallowFile, 'utf8')));
};

/** Replaces a file atomically, and only if it differs: a running git may read it, and the disk may be full. */
const keep = async (path: string, content: string): Promise<void> => {
	const there = await readFile(path, 'utf8').catch(() => undefined);
	if (there !== content) {
		await writeAtomically(path, content);
	}
};

const keepIfAny = (path: string, content: string | undefined): Promise<void> =>
	content === undefined ? rm(path, {force: true}) : keep(path, content);

const configText = (config: ReadonlyMap<string, string>): string =>
	[...config]
		.map(([key, value]) => {
			const [section = '', ...names] = key.split('.');
			const name = names.pop() ?? '';
			const header = [section, ...names.map(part => JSON.stringify(part))].join(' ');
			const quoted = value.replaceAll(/["\\]/g, '\\$&').replaceAll('\n', '\\n');
			return `[${header}]\n\t${name} = "${quoted}"\n`;
		})
		.join('');

const excludesFileKey = 'core.excludesfile';

/** Keys that change the content of commits or checkouts, and can't start a program. */
const readKeys = '^(user\\.(name|email)|core\\.(autocrlf|eol|excludesfile))$';

/** Returns the person's ignore rules: global ones, then `info/exclude`. */
const excludeRules = async (
	{commonDir}: Repository,
	everywhere = ownFile('ignore'),
): Promise<string> => {
	const path = everywhere.replace(/^~(?=\/)/, homedir());
	const files = [...(isAbsolute(path) ? [path] : []), join(commonDir, 'info/exclude')];
	const rules = await Promise.all(files.map(textIfThere));
	return rules.map(text => (text === '' || text.endsWith('\n') ? text : `${text}\n`)).join('');
};

const textIfThere = async (path: string): Promise<string> =>
	(await ifThere(readFile(path, 'utf8'))) ?? '';

/** Returns the ids that exist neither as a loose object nor in a pack of an object directory. Git can't tell: it treats a borrowed object as present. */
export const notHeldIn = async (
	folder: string,
	ids: Iterable<string>,
): Promise<readonly string[]> => {
	const looks = [notLoose, notPacked];
	let missing: readonly string[] = [...new Set(ids)];
	// Git writes many objects at once into a pack, whose index is faster to read than looking up each object.
	for (const look of missing.length < many ? looks : looks.toReversed()) {
		missing = await look(folder, missing);
	}

	return missing;
};

const many = 32;

const notLoose = async (folder: string, ids: readonly string[]): Promise<readonly string[]> => {
	const are = await Promise.all(
		ids.map(id => succeeds(access(join(folder, id.slice(0, 2), id.slice(2))))),
	);
	return ids.filter((_, position) => !are[position]);
};

const notPacked = async (objects: string, ids: readonly string[]): Promise<readonly string[]> => {
	const folder = join(objects, 'pack');
	if (ids.length === 0) {
		return ids;
	}

	let missing = ids;
	for (const name of (await ifThere(readdir(folder))) ?? []) {
		const index = name.endsWith('.idx') ? await ifThere(readFile(join(folder, name))) : undefined;
		if (index !== undefined && missing.length > 0) {
			missing = missing.filter(id => !isListed(index, Buffer.from(id, 'hex')));
		}
	}

	return missing;
};

/** A pack index: magic number and version, fan-out table, sorted ids. */
const header = Buffer.from('ff744f6300000002', 'hex');
const fanEnd = header.length + 256 * 4;

/** Returns whether a pack index lists an id. An unknown version lists none: storing an object twice does no harm. */
const isListed = (index: Buffer, id: Buffer): boolean => {
	if (!index.subarray(0, header.length).equals(header)) {
		return false;
	}

	const [first = 0] = id;
	const countUpTo = (byte: number) => (byte < 0 ? 0 : index.readUInt32BE(header.length + byte * 4));
	let [from, to] = [countUpTo(first - 1), countUpTo(first)];
	while (from < to) {
		const middle = Math.floor((from + to) / 2);
		const start = fanEnd + middle * id.length;
		const order = id.compare(index, start, start + id.length);
		if (order === 0) {
			return true;
		}

		[from, to] = order < 0 ? [from, middle] : [middle + 1, to];
	}

	return false;
};
