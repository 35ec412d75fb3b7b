import {readdir} from 'node:fs/promises';
import {homedir} from 'node:os';
import {basename, dirname, join, resolve} from 'node:path';
import {decodePath} from '../../lib/byte-path.ts';
import {ifThere} from '../../lib/if-there.ts';
import {placeOf, type Repository} from '../repository.ts';
import {lineOf} from '../result.ts';
import {sealed} from '../sealed.ts';
import {user} from '../user.ts';
import {configParts} from './config-parts.ts';
import {contentAt, entryContentAt, unlessUnreadable} from './file-content.ts';
import type {Content} from './open-content.ts';
import {digestOf, type Parts, partOf} from './part.ts';
import {shownPath} from './shown-path.ts';

/** What git goes by in the person's repository, as far as it can start a program or change what is read or written. */
export type SettingsReading = {
	/** Of all parts together. */
	readonly digest: string;
	/** A digest of each part, by its name. */
	readonly parts: Readonly<Record<string, string>>;
	/** What a person calls each. */
	readonly labels: ReadonlyMap<string, string>;
};

/**
Reads what the person's git goes by: their configuration, attributes that are in no commit, hooks, and where else objects come from or are replaced.

Nothing of theirs is started by it, so it may come before anything that is. Not in it are refs, which move in a day's work (a merge is bound to its target by itself), ignore rules, which start nothing, and the programs themselves that settings name.
*/
export const readSettings = async (repository: Repository): Promise<SettingsReading> => {
	const read = [configParts, fileParts, hookParts, replacements, gitFolder];
	const found = new Map((await Promise.all(read.map(parts => parts(repository)))).flat());
	const inOrder = [...found].sort(([name], [other]) => (name < other ? -1 : 1));
	const parts = Object.fromEntries(inOrder.map(([name, {digest}]) => [name, digest]));
	const labels = new Map(inOrder.map(([name, {label}]) => [name, label]));
	return {digest: digestOf(parts), parts, labels};
};

/** Returns what a person calls the parts that came, went or changed since an earlier reading. */
export const changedSince = (
	{parts, labels}: SettingsReading,
	earlier: SettingsReading['parts'],
): readonly string[] => {
	const names = [...new Set([...Object.keys(parts), ...Object.keys(earlier)])].sort();
	return names
		.filter(name => parts[name] !== earlier[name])
		.map(name => labels.get(name) ?? `${name} (removed)`);
};

/** Git follows links to these. */
const fileParts = async (repository: Repository): Promise<Parts> => {
	const {commonDir, objects} = repository;
	const paths = [
		join(commonDir, 'info/attributes'),
		join(commonDir, 'info/grafts'),
		join(objects, 'info/alternates'),
		await attributesFile(repository),
	];
	const parts = await Promise.all(
		paths.map(async path =>
			partAt(shownPath(repository, path), await contentAt(dirname(path), basename(path))),
		),
	);
	return parts.flat();
};

const partAt = (name: string, content: Content | undefined): Parts =>
	content === undefined ? [] : [[name, partOf(content, name)]];

/** The person's attributes for all their repositories. */
const attributesFile = async ({root}: Repository): Promise<string> => {
	const set = await user(root, ['config', '--type=path', '--get', 'core.attributesFile'], {
		expect: 'any',
	});
	return set.code === 0
		? resolve(root, lineOf(set))
		: join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'git/attributes');
};

/** A link often leads to a file of the checkout, which belongs to its history. */
const hookParts = async (repository: Repository): Promise<Parts> => {
	const folder = join(repository.commonDir, 'hooks');
	const entries = await unlessUnreadable(ifThere(readdir(folder, {encoding: 'buffer'})), []);
	const names = (entries ?? []).map(decodePath).filter(name => !name.endsWith('.sample'));
	const parts: Parts[] = [];
	for (const name of names) {
		parts.push(partAt(`.git/hooks/${name}`, await entryContentAt(folder, name)));
	}

	return parts.flat();
};

/** Of all refs only these change what others read. */
const replacements = async (repository: Repository): Promise<Parts> => {
	const {stdout} = await sealed(placeOf(repository), [
		'for-each-ref',
		'--format=%(refname) %(objectname)',
		'refs/replace/',
	]);
	const lines = stdout.toString('utf8').split('\n').filter(Boolean);
	return lines.map(line => {
		const [name = '', oid] = line.split(' ');
		return [name, partOf(oid, name)];
	});
};

/** A file in the place of the checkout's git folder would lead git elsewhere. */
const gitFolder = async ({root}: Repository): Promise<Parts> => {
	const found = await user(root, ['rev-parse', '--path-format=absolute', '--git-common-dir']);
	return [['.git', partOf(lineOf(found), '.git')]];
};
