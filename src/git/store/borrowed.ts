import {appendFile, mkdir, readFile, rename, rm} from 'node:fs/promises';
import {homedir} from 'node:os';
import {isAbsolute, join} from 'node:path';
import {ifThere} from '../../lib/files/if-there.ts';
import {writeAtomically} from '../../lib/files/write-atomically.ts';
import {sealed} from '../process/sealed.ts';
import type {Repository} from '../repository/repository.ts';
import {ownFile, settingsLike} from '../settings/of-person.ts';

/** What our bare repositories take over from the person's, and nothing else. */
export type Borrowed = {
	readonly objects: readonly string[];
	readonly objectFormat: string;
	/** The file that says where a shallow history ends. */
	readonly shallowFile: string;
	readonly config: ReadonlyMap<string, string>;
	/** Ignore rules that are in no commit. */
	readonly exclude: string;
};

/** Reads what the person's repository lends. */
export const borrowedFrom = async (repository: Repository): Promise<Borrowed> => {
	const config = new Map(await settingsLike(repository.root, readKeys));
	return {
		objects: [repository.objects],
		objectFormat: repository.objectFormat,
		shallowFile: join(repository.commonDir, 'shallow'),
		config: new Map([...config].filter(([key]) => key !== excludesFileKey)),
		exclude: await excludeRules(repository, config.get(excludesFileKey)),
	};
};

/**
Makes a bare repository out of nothing but what is borrowed: no template, no hooks, no remotes, no refs.

It appears whole or not at all: it is made beside its place and then moved there.
*/
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

/** File in the git folder that holds the borrowed settings, apart from what git itself wrote. */
export const borrowedConfig = 'borrowed.config';

/** Brings a bare repository of ours up to date with what is lent now. */
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

/** A git of a running supervisor may read the file now, and a disk may be full: it is replaced whole, and only if it differs. */
const keep = async (path: string, content: string): Promise<void> => {
	const there = await readFile(path, 'utf8').catch(() => undefined);
	if (there !== content) {
		await writeAtomically(path, content);
	}
};

/** A repository that isn't shallow, or no longer, has no such file. */
const keepIfAny = (path: string, content: string | undefined): Promise<void> =>
	content === undefined ? rm(path, {force: true}) : keep(path, content);

/** Writes settings as git reads them; every value is quoted. */
const configText = (config: ReadonlyMap<string, string>): string =>
	[...config]
		.map(([key, value]) => {
			const [section = '', name = ''] = key.split('.');
			const quoted = value.replaceAll(/["\\]/g, '\\$&').replaceAll('\n', '\\n');
			return `[${section}]\n\t${name} = "${quoted}"\n`;
		})
		.join('');

const excludesFileKey = 'core.excludesfile';

/** Keys that change what a commit or a checkout contains, and can't start a program. */
const readKeys = '^(user\\.(name|email)|core\\.(autocrlf|eol|excludesfile))$';

/** The person's own ignore rules: those of all their repositories, then those of this one. */
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
