import {builtIn} from '../../agents/profiles/profiles.ts';
import type {ProgramOrigin} from '../../events/plan.ts';
import type {SandboxSettings} from '../../events/settings.ts';
import {Failure} from '../../lib/failure.ts';
import type {AgentProfile, WrittenProfile} from '../../rules/plan/fields.ts';
import {extend} from '../../rules/plan/profile.ts';
import type {FileSettings} from './schema.ts';

/** The effective settings, in the form of the files and with all defaults; times in milliseconds. */
export type Config = Omit<Layered, 'agents'> & {
	/**
	Agents by their names in plans, including the built-in ones. Their `env` may be secret: it is in no event and no log.
	*/
	readonly agents: Readonly<Record<string, AgentProfile>>;
	/** Reason why the person's copy of the agent registry can't be read, if so. */
	readonly unreadRegistry?: string;
};

export type ConfigLayer = {readonly settings: FileSettings; readonly by: ProgramOrigin['by']};

/**
Merges settings into the defaults, later ones over earlier ones.

Groups are merged by key, `agents` and `keys` by name; a profile is replaced as a whole.

@param registered Agents of the registry, which agents of the config with the same name replace.
*/
export const mergeSettings = (
	layers: readonly ConfigLayer[],
	userHome: string,
	registered: Readonly<Record<string, AgentProfile>> = {},
): Config => {
	const settings = layered(layers.map(({settings}) => settings));
	const {home} = settings.questions;
	return {
		...settings,
		agents: Object.assign({}, builtIn, registered, ...layers.map(profilesOf)),
		questions: {
			...settings.questions,
			home: home.startsWith('~') ? userHome + home.slice(1) : home,
		},
	};
};

/** Returns a session's sandbox settings: those that differ from the default. */
export const sandboxSettings = ({mode, network}: Config['sandbox']): SandboxSettings => ({
	...(mode === 'auto' ? {} : {mode}),
	...(network === 'open' ? {} : {network}),
});

/** Merges settings into the defaults in the form of the files. */
export const layered = (layers: readonly FileSettings[]): Layered =>
	layers.reduce<Layered>(lay, defaults);

/** Settings with a value for every key that has a default. */
type Layered = Required<Omit<FileSettings, 'trailers'>> &
	Pick<FileSettings, 'trailers'> & {
		readonly limits: With<
			'limits',
			'parallel' | 'timeout' | 'files' | 'depth' | 'checkpoint' | 'retries'
		>;
		readonly questions: With<'questions', 'quick' | 'home'>;
		readonly notify: With<'notify', 'desktop' | 'bell' | 'terminal' | 'title'>;
		readonly web: With<'web', 'approve'>;
		readonly sandbox: With<'sandbox', 'mode' | 'network'>;
	};

type With<
	Group extends keyof FileSettings,
	Key extends keyof NonNullable<FileSettings[Group]>,
> = NonNullable<FileSettings[Group]> & Required<Pick<NonNullable<FileSettings[Group]>, Key>>;

const defaults: Layered = {
	agents: {},
	limits: {
		parallel: 3,
		timeout: 3_600_000,
		files: 20,
		depth: 3,
		checkpoint: 30 * 60_000,
		retries: [15_000, 60_000, 300_000, 900_000],
	},
	questions: {quick: 5 * 60_000, home: '~/.claude'},
	notify: {desktop: true, bell: true, terminal: true, title: true},
	supervision: {},
	planner: 'claude',
	check: [],
	web: {approve: false},
	tests: {at: 'claim'},
	types: {},
	docs: true,
	merge: 'squash',
	sandbox: {mode: 'auto', network: 'open'},
	allow: {},
	keys: {},
	theme: 'auto',
	colors: {},
	mouse: true,
};

/** Returns the profiles of a layer; `extends` always means the built-in one, so `claude` can extend `claude`. */
const profilesOf = ({settings, by}: ConfigLayer): Readonly<Record<string, AgentProfile>> =>
	Object.fromEntries(
		Object.entries(settings.agents ?? {}).map(([name, profile]) => [
			name,
			{...resolve(profile), by},
		]),
	);

const resolve = (profile: WrittenProfile): AgentProfile => {
	if ('protocol' in profile) {
		return profile;
	}

	const base = builtIn[profile.extends];
	if (base === undefined) {
		throw new Failure('internal', `There is no built-in profile ${profile.extends}.`);
	}

	return extend(base, profile);
};

const lay = (below: Layered, above: FileSettings): Layered => ({
	...below,
	...above,
	agents: {...below.agents, ...above.agents},
	limits: {...below.limits, ...above.limits},
	questions: {...below.questions, ...above.questions},
	notify: {...below.notify, ...above.notify},
	supervision: {...below.supervision, ...above.supervision},
	web: {...below.web, ...above.web},
	sandbox: {...below.sandbox, ...above.sandbox},
	allow: {...below.allow, ...above.allow},
	keys: {...below.keys, ...above.keys},
});
