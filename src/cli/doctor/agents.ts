import {readFile, realpath, stat} from 'node:fs/promises';
import {homedir, platform, tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {execa} from 'execa';
import {z} from 'zod';
import {isOlder} from '../../agents/acp/connection.ts';
import {
	installCommand,
	type Profile,
	printedBy,
	type VendorProgram,
} from '../../agents/profiles/profile.ts';
import {builtIn, profileOf} from '../../agents/profiles/profiles.ts';
import {asFailure} from '../../lib/failure.ts';
import {temporaryFolder} from '../../lib/files/folders.ts';
import {programPath, whyNoProgram} from '../../lib/process/find-program.ts';
import {readJson} from '../../lib/text/json.ts';
import {defined} from '../../lib/values.ts';
import type {AgentProfile} from '../../rules/plan/fields.ts';
import {configFolder} from '../config/load.ts';
import {readRegistry} from '../config/registry.ts';
import {type CheckContext, configFor, type DoctorFinding} from './config.ts';

/** Checks which agents can be started: built-in ones, and those of the config. */
export const checkAgents = async (
	context: Pick<CheckContext, 'here' | 'environment'>,
): Promise<readonly DoctorFinding[]> => {
	const config = await configFor(context);
	const agents = Object.entries(config.kind === 'read' ? config.config.agents : builtIn);
	const found = await Promise.all(agents.map(([name, agent]) => findingFor(name, agent, context)));
	const findings = found.filter(finding => finding !== undefined);
	const none = {check: 'agents', level: 'warn', text: 'no known agent is installed', hint} as const;
	return [
		...findings,
		...(findings.every(({level}) => level === 'absent') ? [none] : []),
		...(await checkRegistry()),
	];
};

const checkRegistry = (): Promise<readonly DoctorFinding[]> =>
	readRegistry(configFolder()).then(
		() => [],
		error => {
			const {message: text, hint} = asFailure(error);
			return [{check: 'registry', level: 'warn', text, ...defined({hint})}];
		},
	);

const hint = 'install one of those above, or name your own program in a plan';

const findingFor = async (
	name: string,
	agent: AgentProfile,
	context: Pick<CheckContext, 'environment'>,
): Promise<DoctorFinding | undefined> => {
	const [program = ''] = agent.command;
	const environment = {...context.environment, ...agent.env};
	const path = executablePath(program, environment);
	const profile = profileOf(agent);
	if (path === undefined) {
		return absent(name, agent, profile);
	}

	if (profile === undefined) {
		return {check: name, level: 'good', text: `${program} (${path})`};
	}

	// A second profile of the same program has no new facts.
	if (isSecondWay(name, profile)) {
		return undefined;
	}

	const known = programOf(agent, profile);
	const [version, login] = await Promise.all([
		programVersion(path, {package: known.package, path: environment.PATH}),
		loginOf(profile, environment),
	]);
	return judged({name, program, profile, known, path, version, login});
};

const isSecondWay = (name: string, {acp, print, vendor}: Profile): boolean =>
	name === `${vendor}-print` && acp.command[0] === print?.command[0];

const programOf = ({protocol}: AgentProfile, profile: Profile): VendorProgram =>
	protocol === 'acp' ? profile.acp : printedBy(profile);

/** Reports a missing agent: as a warning only if the config names it. */
const absent = (
	name: string,
	agent: AgentProfile,
	profile: Profile | undefined,
): DoctorFinding | undefined => {
	const [program = ''] = agent.command;
	const isOwn = builtIn[name] !== agent;
	if (!isOwn && agent.protocol === 'text') {
		return undefined;
	}

	const install = profile && installCommand(programOf(agent, profile));
	return {
		check: name,
		level: isOwn ? 'warn' : 'absent',
		text: `${profile?.title ?? 'its program'} is not installed: no ${program} was found`,
		hint: install ?? `install ${program}, or correct "agents: ${name}" in the config`,
		facts: {program, path: null, version: null, known: null, login: null},
	};
};

type Examined = {
	readonly name: string;
	readonly program: string;
	readonly profile: Profile;
	readonly known: VendorProgram;
	readonly path: string;
	readonly version: string | undefined;
	readonly login: Login;
};

const judged = ({name, program, profile, known, path, version, login}: Examined): DoctorFinding => {
	const isTooOld =
		version !== undefined && known.oldest !== undefined && isOlder(version, known.oldest);
	const isKnown = version === undefined ? null : version === known.version;
	const remedy = isTooOld
		? installCommand(known)
		: login.kind === 'seen'
			? undefined
			: `to log in, ${profile.login}`;
	return {
		check: name,
		level: isTooOld || isLoggedOut(login) ? 'warn' : 'good',
		text: `${profile.title}: ${program} ${versionText(version, known)}; ${loginText(login)} (${path})`,
		...defined({hint: remedy}),
		facts: {
			program,
			path,
			version: version ?? null,
			known: isKnown,
			login: login.kind === 'seen' ? true : isLoggedOut(login) ? false : null,
		},
	};
};

/** Returns whether the person has certainly not logged in. */
export const isLoggedOut = (login: Login): boolean =>
	login.kind === 'not seen' && login.elsewhere === undefined;

const versionText = (
	version: string | undefined,
	{version: tried, oldest}: VendorProgram,
): string => {
	if (version === undefined) {
		return `of an unknown version (tried with ${tried})`;
	}

	if (oldest !== undefined && isOlder(version, oldest)) {
		return `${version}, which is too old: only ${oldest} and newer can be confined`;
	}

	return version === tried ? `${version}, as tried` : `${version} (tried with ${tried})`;
};

const loginText = (login: Login): string => {
	if (login.kind === 'seen') {
		return `logged in by ${login.by}`;
	}

	return login.elsewhere === undefined
		? 'no login was found'
		: `no login was found, but it may be in ${login.elsewhere}`;
};

/** Visible signs of a login to an agent. */
type Login =
	| {readonly kind: 'seen'; readonly by: string}
	| {readonly kind: 'not seen'; readonly elsewhere: string | undefined};

/** Looks for files of a login, without reading them. */
export const loginOf = async (
	{logins}: Pick<Profile, 'logins'>,
	environment: Readonly<Record<string, string | undefined>>,
): Promise<Login> => {
	const variable = logins.variables.find(name => environment[name]);
	if (variable !== undefined) {
		return {kind: 'seen', by: variable};
	}

	const home = environment.HOME || homedir();
	for (const file of logins.files({home, environment})) {
		if (await holdsSomething(file)) {
			return {kind: 'seen', by: file};
		}
	}

	return {kind: 'not seen', elsewhere: logins.elsewhere?.(platform())};
};

/** Size of an empty map, in bytes, which a logout may leave. */
const emptyBytes = 4;

const holdsSomething = async (file: string): Promise<boolean> => {
	const entry = await stat(file).catch(() => undefined);
	return entry?.isFile() === true && entry.size > emptyBytes;
};

export type VersionOptions = {
	/** The npm package of the program. */
	readonly package?: string;
	readonly path: string | undefined;
	/** Time limit for its version, in milliseconds. */
	readonly patienceMs?: number;
};

/**
Returns the version of a program; nothing if it is unknown.

Its package is read first: that starts no program, and is nearly immediate where the program takes seconds. Otherwise the program is run with `--version`, with an empty home, no input, and no working proxy.
*/
export const programVersion = async (
	program: string,
	options: VersionOptions,
): Promise<string | undefined> =>
	(await packageVersion(program, options.package)) ?? (await printedVersion(program, options));

const manifest = z.object({name: z.string(), version: z.string()});

const packageVersion = async (
	program: string,
	name: string | undefined,
): Promise<string | undefined> => {
	if (name === undefined) {
		return undefined;
	}

	const file = await realpath(program);
	for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
		const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined);
		const read = text === undefined ? undefined : manifest.safeParse(readJson(text)).data;
		if (read?.name === name) {
			return read.version;
		}
	}

	return undefined;
};

/** URL without a listener, so that update checks fail at once. */
const nowhere = 'http://127.0.0.1:9';

const printedVersion = async (
	program: string,
	{path, patienceMs = 5000}: VersionOptions,
): Promise<string | undefined> => {
	await using home = await temporaryFolder(join(tmpdir(), 'delegate-doctor-'));
	const {stdout} = await execa(program, ['--version'], {
		cwd: home.path,
		env: {
			...defined({PATH: path}),
			HOME: home.path,
			TMPDIR: home.path,
			HTTP_PROXY: nowhere,
			HTTPS_PROXY: nowhere,
			ALL_PROXY: nowhere,
			NO_UPDATE_NOTIFIER: '1',
			DISABLE_AUTOUPDATER: '1',
			OPENCODE_DISABLE_AUTOUPDATE: '1',
			CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
		},
		extendEnv: false,
		reject: false,
		stdin: 'ignore',
		stderr: 'ignore',
		timeout: patienceMs,
		forceKillAfterDelay: 500,
		maxBuffer: 64 * 1024,
	});
	return /\d+\.\d+(?:\.\d+)?(?:-[\w.]+)?/.exec(String(stdout ?? ''))?.[0];
};

/** Returns the file of a command, on the `PATH` or by its own path; nothing if it can't be started. */
export const executablePath = (
	program: string,
	environment: Readonly<Record<string, string | undefined>>,
): string | undefined => {
	if (!program.includes('/')) {
		return programPath(program, environment.PATH);
	}

	const directory = process.cwd();
	const absence = whyNoProgram(program, {directory, environment});
	return absence === undefined ? resolve(directory, program) : undefined;
};
