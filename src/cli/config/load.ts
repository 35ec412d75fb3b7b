import {constants} from 'node:fs';
import {open} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import envPaths from 'env-paths';
import {builtIn} from '../../agents/profiles/profiles.ts';
import {asFailure, attempt, Failure} from '../../lib/failure.ts';
import {errorCode, isAbsence} from '../../lib/files/reading.ts';
import {type Problem, readYaml} from '../../lib/text/yaml-document.ts';
import type {AgentProfile} from '../../rules/plan/fields.ts';
import {checkShape} from '../../rules/plan/shape.ts';
import {type Config, layered, mergeSettings} from './config.ts';
import {readRegistry} from './registry.ts';
import {configSchema, type FileSettings} from './schema.ts';
import {type AskedSetting, separate} from './trust-rules.ts';

/**
An existing config file, and the top-level keys it sets; a later source overrides an earlier
one.
*/
export type ConfigSource = {
	readonly file: string;
	readonly keys: readonly string[];
};

export type LoadedConfig =
	| {
			readonly config: Config;
			/** The config without the repository's settings that need the person's yes. */
			readonly restricted: Config;
			readonly asked: readonly AskedSetting[];
			readonly sources: readonly ConfigSource[];
			readonly problems: readonly Problem[];
	  }
	| {readonly config?: undefined; readonly problems: readonly Problem[]};

/**
Loads the config: `.delegate-tui.yaml` of the repository over `config.yaml` in the user's config
folder.

A file that does not exist, or contains only comments, sets nothing. A file with errors is
never used in part.

@throws `Failure` of kind `missing` if a file exists and can't be read.
*/
export const loadConfig = async (
	root: string,
	{userFolder = configFolder(), userHome = os.homedir()} = {},
): Promise<LoadedConfig> => {
	const files = [path.join(userFolder, 'config.yaml'), path.join(root, '.delegate-tui.yaml')];
	const read = await Promise.all(files.map(readLayer));
	const problems = read.flatMap(layer => (layer && 'problems' in layer ? layer.problems : []));
	if (problems.length > 0) {
		return {problems};
	}

	const layers = read.map(layer => (layer && 'problems' in layer ? undefined : layer));
	const [own = nothing, its = nothing] = layers;
	const {free, asked} = separate(its, layered([own.settings]));
	const {registered, ...registry} = await registeredIn(userFolder);
	const mine = {settings: own.settings, by: 'your config'} as const;
	const merged = (settings: FileSettings): Config => ({
		...mergeSettings([mine, {settings, by: 'this repository'}], userHome, registered),
		...registry,
	});
	return {
		config: merged(its.settings),
		restricted: merged(free),
		asked,
		sources: layers.flatMap(layer =>
			layer === undefined ? [] : {file: layer.file, keys: Object.keys(layer.settings)},
		),
		problems: [],
	};
};

export const configFolder = (): string => envPaths('delegate-tui', {suffix: ''}).config;

type Registered = Pick<Config, 'unreadRegistry'> & {
	readonly registered: Readonly<Record<string, AgentProfile>>;
};

/** Returns the installed agents of the registry, or the reason why it can't be read. */
const registeredIn = (folder: string): Promise<Registered> =>
	readRegistry(folder).then(
		(agents = []) => ({
			registered: Object.fromEntries(
				agents.flatMap(({id, agent}) =>
					agent === undefined || id in builtIn ? [] : [[id, agent]],
				),
			),
		}),
		error => ({registered: {}, unreadRegistry: asFailure(error).message}),
	);

type Layer = {readonly file: string; readonly settings: FileSettings; readonly written: unknown};

const nothing = {settings: {}, written: {}};

const readLayer = async (
	file: string,
): Promise<Layer | {readonly problems: readonly Problem[]} | undefined> => {
	const bytes = await readIfThere(file);
	if (bytes === undefined) {
		return undefined;
	}

	const text = decode(bytes);
	if (text === undefined) {
		const message = 'The file is not UTF-8 text.';
		return {problems: [{level: 'error', message, file, line: 1, column: 1}]};
	}

	const read = readYaml(text, file);
	if ('problems' in read) {
		return read;
	}

	if (read.document.value === null) {
		return {file, ...nothing};
	}

	const shaped = checkShape(read.document, configSchema);
	return 'problems' in shaped
		? shaped
		: {file, settings: shaped.value, written: read.document.value};
};

/** Reads a file, also behind a link; no pipe or device, which may have no end. */
const readIfThere = async (file: string): Promise<Uint8Array | undefined> => {
	try {
		await using opened = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
		if ((await opened.stat()).isFile()) {
			return await opened.readFile();
		}
	} catch (cause) {
		if (isAbsence(cause)) {
			return undefined;
		}

		throw unreadable(file, String(errorCode(cause)), cause);
	}

	throw unreadable(file, 'it is no regular file');
};

const unreadable = (file: string, why: string, cause?: unknown): Failure =>
	new Failure('missing', `The config file ${file} can’t be read (${why}).`, {
		hint: 'Make it a readable file, or move it away.',
		cause,
	});

const decode = (bytes: Uint8Array): string | undefined =>
	attempt(() => new TextDecoder('utf-8', {fatal: true}).decode(bytes));
