import {builtIn} from '../../agents/profiles/profiles.ts';
import type {Load} from '../../events/load.ts';
import type {Allowance, ProgramOrigin, SupervisionPolicy} from '../../events/plan.ts';
import type {NotifyPreferences, SandboxSettings, TypeLimits} from '../../events/settings.ts';
import {Failure} from '../../lib/failure.ts';
import {defined} from '../../lib/values.ts';
import type {AgentProfile, WrittenProfile} from '../../rules/plan/fields.ts';
import {extend} from '../../rules/plan/profile.ts';
import type {Colors, ThemeName} from '../../tui/colors.ts';
import type {FileSettings} from './schema.ts';

/** The effective settings, including all defaults; durations in milliseconds. */
export type Config = {
	/**
	Agents by their names in plans, including the built-in ones. Their `env` may
	be secret: it is in no event and no log.
	*/
	readonly agents: Readonly<Record<string, AgentProfile>>;
	/** Reason why the person's copy of the agent registry can't be read, if so. */
	readonly unreadRegistry?: string;
	/** Limits of an agent's processes are in MiB, and in milliseconds of CPU time. */
	readonly limits: Load & {
		readonly parallel: number;
		readonly timeoutMs: number;
		readonly files: number;
		/** Maximum depth of delegation. */
		readonly depth: number;
		/** Time without a checkpoint after which one is taken. */
		readonly checkpointMs: number;
		/** Minimum time between the starts of two agents; without it they start as they come. */
		readonly staggerMs?: number;
		/** Pauses before the retries of a turn whose model had trouble; there is none after the last. */
		readonly modelRetriesMs: readonly number[];
		/** Number of parts of a failed result that are checked at once; by default it follows from the cores. */
		readonly checks?: number;
	};
	readonly questions: {
		/** Time for which an agent waits for a quick answer; 0 escalates at once. */
		readonly quickMs: number;
		/** Folder of the question and answer files, absolute. */
		readonly home: string;
	};
	readonly notify: NotifyPreferences & {
		/** True if the system's notifications are used, with or without an open screen. */
		readonly desktop: boolean;
		readonly bell: boolean;
		/** True if a terminal's notifications are used, while a screen is open. */
		readonly terminal: boolean;
		/** True if the terminal's title shows the number of waiting items. */
		readonly title: boolean;
	};
	/** Policy of plans without one. */
	readonly supervision: SupervisionPolicy;
	/** Name of the agent that proposes plans. */
	readonly planner: string;
	/** Commands that check the project's types, for plans without any. */
	readonly check: readonly string[];
	readonly web: {
		/** True if items other than questions can be decided on the page of `delegate-tui web`. */
		readonly approve: boolean;
	};
	/** Occasions on which the plan's `verify` runs on the work of one agent, besides a person's request. */
	readonly testsAt: 'claim' | 'checkpoint' | 'never';
	/** Limits of a type checker's input and resources. */
	readonly types: TypeLimits;
	/** True if the documents in the checkout are kept up to date. */
	readonly docs: boolean;
	/** Whether a merge makes one commit, or one for each agent. */
	readonly merge: 'squash' | 'per-agent';
	/** Trailers of commit messages; by default one that names this program. */
	readonly trailers?: readonly string[];
	readonly sandbox: {
		/** `required` starts no agent without an OS sandbox, `auto` uses one if available. */
		readonly mode: 'auto' | 'required' | 'off';
		/** Hosts that can be reached from it. */
		readonly network: 'open' | 'off' | {readonly hosts: readonly string[]};
	};
	/** Access of agents in every plan, besides what every program needs. */
	readonly allow: Allowance;
	/** Keys of the screen by name of the action. */
	readonly keys: Readonly<Record<string, string>>;
	readonly theme: ThemeName;
	/** Colours of the screen in place of its theme's. */
	readonly colors: Colors;
	readonly mouse: boolean;
};

/** The settings of one file, and the file's author. */
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
	const {limits, questions, tests, ...settings} = layered(layers.map(({settings}) => settings));
	const {timeout, checkpoint, stagger, retries, ...numbers} = limits;
	const {quick, home} = questions;
	return {
		...settings,
		agents: Object.assign({}, builtIn, registered, ...layers.map(profilesOf)),
		limits: {
			...numbers,
			timeoutMs: timeout,
			checkpointMs: checkpoint,
			modelRetriesMs: retries,
			...defined({staggerMs: stagger}),
		},
		questions: {
			quickMs: quick,
			home: home.startsWith('~') ? userHome + home.slice(1) : home,
		},
		testsAt: tests.at,
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
