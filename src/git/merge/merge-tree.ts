import {Failure} from '../../lib/failure.ts';
import {attributeNames, withAttributesOf} from '../filters/attributes.ts';
import {recall, recalled} from '../process/recall.ts';
import {expectCode, type GitResult, joinNul, lineOf, splitNul} from '../process/result.ts';
import {type GitLocation, sealed} from '../process/sealed.ts';
import {user} from '../process/user.ts';
import {ownFile, settingsLike} from '../read-settings.ts';
import type {Store} from '../store/store.ts';
import type {Entry} from '../tree/entry.ts';

/** A conflicted path of a merge. */
export type MergeConflict = {
	readonly path: string;
	/** The stages; absent if a side has no file. */
	readonly base?: Entry;
	readonly ours?: Entry;
	readonly theirs?: Entry;
	/** `contents`, `add/add`, `modify/delete`, `rename/delete`, `binary`, `distinct types` and the like. */
	readonly kinds: readonly string[];
	/** All paths that git names with this one, including it: the other names of a renamed file, for example. */
	readonly paths: readonly string[];
	/** The first of git's messages about the path, or a sentence of ours. */
	readonly summary: string;
};

export type MergeResult =
	| {readonly clean: true; readonly tree: string}
	| {
			readonly clean: false;
			/** The merge with conflict markers: for display only. */
			readonly tree: string;
			readonly conflicts: readonly MergeConflict[];
	  };

export type MergeSettings = {
	/** Checkout whose `.gitattributes` count; `undefined` for a bare repository. */
	readonly checkout: string | undefined;
	readonly config: Readonly<Record<string, string>>;
};

/**
Merges two commits by `git merge-tree`.

@param settings attributes and configuration of the merge; default: the attributes of `ours` and our own configuration
@throws `Failure` of kind `refused` when the commits have no common ancestor.
*/
export const mergeCommits = async (
	store: Store,
	ours: string,
	theirs: string,
	settings?: MergeSettings,
): Promise<MergeResult> => {
	const args = ['merge-tree', '--write-tree', '-z', '--messages', ours, theirs];
	const result = await (settings === undefined
		? recall([store, args], () =>
				withAttributesOf(store, ours, location => sealed(location, args, {expect: 'any'})),
			)
		: sealed(locationFor(store, settings), args, {expect: 'any', config: settings.config}));
	// Git exits with 1 for a missing commit too; then it prints no tree.
	if (result.code <= 1 && result.stdout.length > 0) {
		return parse(result);
	}

	await commonBase(store, ours, theirs);
	throw expectCode(args, result);
};

const locationFor = (store: Store, {checkout}: MergeSettings): GitLocation =>
	checkout === undefined ? store : {...store, workTree: checkout};

/** Reads the tree's id, then the conflicted entries up to an empty field, then the messages. */
const parse = ({code, stdout}: GitResult): MergeResult => {
	const [tree = '', ...fields] = splitNul(stdout);
	if (code === 0) {
		return {clean: true, tree};
	}

	const end = fields.indexOf('');
	const messages = parseMessages(fields.slice(end + 1));
	return {clean: false, tree, conflicts: conflictsOf(parseStages(fields.slice(0, end)), messages)};
};

type Stages = {base?: Entry; ours?: Entry; theirs?: Entry};

/** Reads lines of `<mode> SP <oid> SP <stage> TAB <path>`. */
const parseStages = (lines: readonly string[]): ReadonlyMap<string, Stages> => {
	const paths = new Map<string, Stages>();
	for (const line of lines) {
		const tab = line.indexOf('\t');
		const path = line.slice(tab + 1);
		const [mode = '', oid = '', stage] = line.slice(0, tab).split(' ');
		const side = stage === '1' ? 'base' : stage === '2' ? 'ours' : 'theirs';
		paths.set(path, {...paths.get(path), [side]: {mode, oid}});
	}

	return paths;
};

type Message = {readonly paths: readonly string[]; readonly type: string; readonly text: string};

/** Reads records of a count, that many paths, a type and a sentence. */
const parseMessages = (fields: readonly string[]): readonly Message[] => {
	const messages: Message[] = [];
	for (let position = 0; position < fields.length; ) {
		const end = position + 1 + Number(fields[position]);
		const [type = '', text = ''] = fields.slice(end, end + 2);
		messages.push({paths: fields.slice(position + 1, end), type, text: text.trim()});
		position = end + 2;
	}

	return messages;
};

const conflictsOf = (
	stages: ReadonlyMap<string, Stages>,
	messages: readonly Message[],
): readonly MergeConflict[] =>
	[...stages].map(([path, sides]) => {
		const own = messages.filter(
			message => isConflict(message.type) && message.paths.includes(path),
		);
		const [summary = `Both sides changed ${path}.`] = own.map(({text}) => text);
		return {
			path,
			...sides,
			kinds: [...new Set(own.map(({type}) => kindOf(type, sides)))],
			paths: [...new Set([path, ...own.flatMap(({paths}) => paths)])],
			summary,
		};
	});

/** Returns whether a type is a conflict; some kinds are written without the space. */
const isConflict = (type: string): boolean => type.startsWith('CONFLICT');

/** Returns the kind in `CONFLICT (<kind>)`; two new files at one path get a kind of their own. */
const kindOf = (type: string, {base, ours, theirs}: Stages): string => {
	const kind = type.replace(/^CONFLICT ?\((.*)\)$/, '$1');
	return kind === 'contents' && !base && ours && theirs ? 'add/add' : kind;
};

export class NoCommonBase extends Failure {}

/**
Returns the merge base of two commits; if there are several, the first that git prints.

@throws `NoCommonBase`, of kind `refused`, when there is none.
*/
export const commonBase = async (store: Store, one: string, other: string): Promise<string> => {
	const result = await recalled(store, ['merge-base', one, other], {expect: [0, 1]});
	if (result.code === 0) {
		return lineOf(result);
	}

	throw new NoCommonBase(
		'refused',
		'The two commits have no common ancestor, so git can’t merge them.',
		{
			hint: (await isShallow(store))
				? 'This repository is shallow and may lack it: git fetch --unshallow'
				: 'Start both from one commit.',
		},
	);
};

const isShallow = async (store: Store): Promise<boolean> =>
	lineOf(await sealed(store, ['rev-parse', '--is-shallow-repository'])) === 'true';

/** Returns the person's settings and attributes file for a merge in their repository, without drivers and filters, which are programs. */
export const mergeConfig = async (cwd: string): Promise<Readonly<Record<string, string>>> => {
	const own = await settingsLike(cwd, mergeKeys);
	return {
		...gitsOwn,
		'core.attributesFile': await attributesFile(cwd),
		...Object.fromEntries(own.map(([key, value]) => [nameOf(key), value])),
	};
};

/** A file with a merge driver of the person's. */
export type DrivenFile = {readonly path: string; readonly name: string};

/** Returns the paths with a merge driver of the person's: a program, which `git merge-tree` doesn't start here. */
export const driversOf = async (
	checkout: string,
	paths: readonly string[],
): Promise<readonly DrivenFile[]> => {
	const own = await settingsLike(checkout, '^merge\\..*\\.driver$');
	const drivers = new Set(own.map(([key]) => key.slice('merge.'.length, -'.driver'.length)));
	if (drivers.size === 0 || paths.length === 0) {
		return [];
	}

	const {stdout} = await user(checkout, ['check-attr', '-z', '--stdin', 'merge'], {
		input: joinNul(paths),
	});
	return [...attributeNames(stdout)].flatMap(([path, name]) =>
		drivers.has(name) ? [{path, name}] : [],
	);
};

/** Git's default; `sealed` turns it off. */
const gitsOwn = {'merge.directoryRenames': 'conflict'};

/** Settings that change the result of a merge, and can't start a program. */
const mergeKeys =
	'^(merge\\.(renames|directoryrenames|renamelimit|default|renormalize)|diff\\.(renames|renamelimit)|core\\.(autocrlf|eol))$';

/** Restores the case of a key, since git prints keys in lower case. */
const nameOf = (key: string): string =>
	key === 'merge.directoryrenames' ? 'merge.directoryRenames' : key;

const attributesFile = async (cwd: string): Promise<string> => {
	const named = await user(cwd, ['config', '--type=path', 'core.attributesFile'], {
		expect: [0, 1],
	});
	return named.code === 0 ? lineOf(named) : ownFile('attributes');
};
