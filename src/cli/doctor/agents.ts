import {isOlder} from '../../agents/acp/version.ts';
import {installCommand, type Profile, type Program} from '../../agents/profiles/profile.ts';
import {builtIn, profileOf} from '../../agents/profiles/profiles.ts';
import {defined} from '../../lib/defined.ts';
import type {AgentProfile} from '../../rules/plan/fields.ts';
import type {Check, CheckContext, Finding} from './check.ts';
import {configFor} from './config-for.ts';
import {executablePath} from './programs/executable-path.ts';
import {type Login, loginOf} from './programs/login.ts';
import {programVersion} from './programs/program-version.ts';

/** Which agents can be started: those that are known, and those that the config names? */
export const checkAgents: Check = async context => {
	const config = await configFor(context);
	const agents = Object.entries(config.kind === 'read' ? config.config.agents : builtIn);
	const found = await Promise.all(agents.map(([name, agent]) => findingFor(name, agent, context)));
	const findings = found.filter(finding => finding !== undefined);
	return findings.every(({level}) => level === 'absent')
		? [...findings, {check: 'agents', level: 'warn', text: 'no known agent is installed', hint}]
		: findings;
};

const hint = 'install one of those above, or name a program of your own in a plan';

const findingFor = async (
	name: string,
	agent: AgentProfile,
	context: CheckContext,
): Promise<Finding | undefined> => {
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

	// A second way to the same program has nothing new to tell.
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
	name === `${vendor}-print` && acp.command[0] === print.command[0];

const programOf = ({protocol}: AgentProfile, profile: Profile): Program =>
	protocol === 'acp' ? profile.acp : profile.print;

/** Nobody needs all agents; but whoever named one in the config wants it. */
const absent = (
	name: string,
	agent: AgentProfile,
	profile: Profile | undefined,
): Finding | undefined => {
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
	readonly known: Program;
	readonly path: string;
	readonly version: string | undefined;
	readonly login: Login;
};

const judged = ({name, program, profile, known, path, version, login}: Examined): Finding => {
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

const isLoggedOut = (login: Login): boolean =>
	login.kind === 'not seen' && login.elsewhere === undefined;

const versionText = (version: string | undefined, {version: tried, oldest}: Program): string => {
	if (version === undefined) {
		return `of an unknown version (tried with ${tried})`;
	}

	if (oldest !== undefined && isOlder(version, oldest)) {
		return `${version}, which is too old: it can’t be kept to its place before ${oldest}`;
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
