import {readdir, readFile, realpath} from 'node:fs/promises';
import {arch, platform} from 'node:os';
import {basename, delimiter, isAbsolute, join} from 'node:path';
import {z} from 'zod';
import {builtIn} from '../../agents/profiles/profiles.ts';
import {Failure} from '../../lib/failure.ts';
import {errorCode, ifThere} from '../../lib/files/reading.ts';
import {programPath} from '../../lib/process/find-program.ts';
import {readJson} from '../../lib/text/json.ts';
import type {AgentProfile} from '../../rules/plan/fields.ts';

/** Name of the person's copy of the public registry in their config folder; a repository can't name another file. */
export const registryName = 'registry.json';

/** Returns the command with which a person downloads the public registry of agents; it does not save an error page. */
export const fetchRegistry = (file: string): string =>
	`curl -f --create-dirs -o ${file} https://cdn.agentclientprotocol.com/registry/v1/latest/registry.json`;

/** An agent of the registry. */
export type RegisteredAgent = {
	readonly id: string;
	readonly title: string;
	readonly version: string;
	/** Command that installs it. */
	readonly install: string;
	readonly agent?: AgentProfile;
};

const args = z.array(z.string()).default([]);

// A person pastes the install command into a shell, where a name with a leading dash would be an option.
const npmPackage = z.string().regex(/^(?:@[\w.-]+\/)?\w[\w.-]*(?:@[\w.-]+)?$/);
const pythonPackage = z.string().regex(/^\w[\w.-]*(?:(?:==|@)[\w.-]+)?$/);

const entry = z.object({
	id: z.string().regex(/^[a-z][a-z0-9-]*$/),
	name: z.string(),
	version: z.string(),
	distribution: z.object({
		npx: z.object({package: npmPackage, args}).optional(),
		uvx: z.object({package: pythonPackage, args}).optional(),
		binary: z.record(z.string(), z.object({archive: z.url(), cmd: z.string(), args})).optional(),
	}),
});

type Entry = z.output<typeof entry>;

const registry = z.object({agents: z.array(z.unknown())});

/**
Reads the agents of the registry in a config folder, or returns nothing without one; invalid entries are left out.

@throws `Failure` of kind `usage` if the file is no registry, of kind `missing` if it can't be read.
*/
export const readRegistry = async (
	folder: string,
	path = process.env.PATH ?? '',
): Promise<readonly RegisteredAgent[] | undefined> => {
	const file = join(folder, registryName);
	const text = await ifThere(readFile(file, 'utf8')).catch(cause => {
		throw new Failure('missing', `${file} can’t be read (${String(errorCode(cause))}).`, {
			hint: 'make it a readable file, or remove it',
			cause,
		});
	});
	if (text === undefined) {
		return undefined;
	}

	const read = registry.safeParse(readJson(text)).data;
	if (read === undefined) {
		throw new Failure('usage', `${file} is not a registry of agents.`, {
			hint: `fetch it again: ${fetchRegistry(file)}`,
		});
	}

	const links = await linksOn(path);
	return read.agents.flatMap(one => {
		const {data} = entry.safeParse(one);
		const way = data && wayOf(data, links, path);
		return data === undefined || way === undefined
			? []
			: [{id: data.id, title: data.name, version: data.version, ...way}];
	});
};

type Way = Pick<RegisteredAgent, 'install' | 'agent'>;

/** A symbolic link on the `PATH`, such as npm and uv install. */
type Link = {readonly name: string; readonly target: string};

/** Returns the install command of an agent and, if it is installed here, its profile. */
const wayOf = (
	{distribution: {npx, uvx, binary = {}}}: Entry,
	links: readonly Link[],
	path: string,
): Way | undefined => {
	/** Returns the program with the name of a package, or the package's only one. */
	const linked = (folder: string, name: string): string | undefined => {
		const own = links.filter(({target}) => target.includes(`${folder}/${name}/`));
		const [first, ...others] = new Set(own.map(link => link.name));
		return others.length === 0 ? first : own.find(link => link.name === basename(name))?.name;
	};

	if (npx !== undefined) {
		const program = linked('/node_modules', npx.package.replace(/(?<=.)@.*/, ''));
		return {install: `npm install -g ${npx.package}`, ...startedBy(program, npx.args)};
	}

	if (uvx !== undefined) {
		const program = linked('/uv/tools', uvx.package.replace(/[=@].*/, ''));
		return {install: `uv tool install ${uvx.package}`, ...startedBy(program, uvx.args)};
	}

	const here = binary[`${platform()}-${arch() === 'arm64' ? 'aarch64' : 'x86_64'}`];
	if (here === undefined) {
		return undefined;
	}

	const program = basename(here.cmd);
	return {
		install: `unpack ${here.archive} into a folder on your PATH`,
		...startedBy(programPath(program, path) && program, here.args),
	};
};

/** Programs that run any other program, and may be on the `PATH` without the agent. */
const runsAnything =
	/^(?:(?:ba|da|z|k|fi|c|tc|a|pw)?sh|env|busybox|sudo|xargs|node|deno|bun|npx|uvx?|python[\d.]*|perl|ruby|php|java)$/;

/** Returns the profile of a program; an agent of a known vendor is recognized under any name. */
const startedBy = (program: string | undefined, words: readonly string[]): Pick<Way, 'agent'> => {
	if (program === undefined || runsAnything.test(program)) {
		return {};
	}

	const known = Object.values(builtIn).find(
		({protocol, command}) => protocol === 'acp' && command[0] === program,
	);
	return {agent: known ?? {protocol: 'acp', command: [program, ...words], by: 'your config'}};
};

const linksOn = async (path: string): Promise<readonly Link[]> => {
	const folders = path.split(delimiter).filter(folder => isAbsolute(folder));
	const found = await Promise.all(
		folders.map(async folder => {
			const entries = await readdir(folder, {withFileTypes: true}).catch(() => []);
			const links = entries.filter(link => link.isSymbolicLink());
			return Promise.all(
				links.map(async ({name}) => ({
					name,
					target: await realpath(join(folder, name)).catch(() => ''),
				})),
			);
		}),
	);
	return found.flat();
};
