import {builtIn} from '../../agents/profiles/profiles.ts';
import type {SandboxSettings, TypeLimits} from '../../events/event.ts';
import type {Load} from '../../events/load.ts';
import type {
	Allowance,
	NotifyPreferences,
	ProgramOrigin,
	SupervisionPolicy,
} from '../../events/plan.ts';
import {Failure} from '../../lib/failure.ts';
import {defined} from '../../lib/values.ts';
import type {AgentProfile, WrittenProfile} from '../../rules/plan/fields.ts';
import {extend} from '../../rules/plan/profile.ts';
import type {Colors, ThemeName} from '../../tui/colors.ts';
import type {FileSettings} from './schema.ts';

/** The settings in force, with every default filled in; durations in milliseconds. */
export type Config = {
	/**
	Agents by the name that plans call them by, those that are built in among them. Their `env` may
	be secret: it goes into no event and no log.
	*/
	readonly agents: Readonly<Record<string, AgentProfile>>;
	/** Why the person's copy of the registry of agents can't be read, where that is so. */
	readonly unreadRegistry?: string;
	/** What the processes of an agent may use is in MiB, and in milliseconds on the processor. */
	readonly limits: Load & {
		readonly parallel: number;
		readonly timeoutMs: number;
		readonly files: number;
		/** How deep agents may hand work on. */
		readonly depth: number;
		/** How long an agent may go without a checkpoint before one is taken. */
		readonly checkpointMs: number;
		/** How long after the start of one agent the next one starts, at the least; where it is absent, chance alone parts them. */
		readonly staggerMs?: number;
		/** How long each new try of a turn waits whose model had trouble; none is made after the last one. */
		readonly modelRetriesMs: readonly number[];
		/** How many parts of a result that failed are checked at a time; what the machine has cores for where it is absent. */
		readonly checks?: number;
	};
	readonly questions: {
		/** How long an agent waits for a quick answer; 0 escalates at once. */
		readonly quickMs: number;
		/** Folder of the question and answer files, absolute. */
		readonly home: string;
	};
	readonly notify: NotifyPreferences & {
		/** By the system's own notifications, whether a screen is open or not. */
		readonly desktop: boolean;
		readonly bell: boolean;
		/** By the notifications of a terminal that has some, while a screen is open. */
		readonly terminal: boolean;
		/** The terminal's title says how much waits. */
		readonly title: boolean;
	};
	/** What is asked of the person, for plans that don't say. */
	readonly supervision: SupervisionPolicy;
	/** Name of the agent that proposes plans. */
	readonly planner: string;
	/** Commands by which the project checks types, for plans that name none. */
	readonly check: readonly string[];
	readonly web: {
		/** Whether more than questions can be decided on the page of `delegate-tui web`. */
		readonly approve: boolean;
	};
	/** When the plan's `verify` is run on the work of one agent, besides when a person asks for it. */
	readonly testsAt: 'claim' | 'checkpoint' | 'never';
	/** How much a type checker may read and use. */
	readonly types: TypeLimits;
	/** Whether the documents in the checkout are kept up to date. */
	readonly docs: boolean;
	/** Whether a merge is one commit, or one for each agent. */
	readonly merge: 'squash' | 'per-agent';
	/** The last lines of commit messages; one that names this program where it is absent. */
	readonly trailers?: readonly string[];
	readonly sandbox: {
		/** `required` starts no agent without an OS sandbox, `auto` uses one where there is one. */
		readonly mode: 'auto' | 'required' | 'off';
		/** Which machines can be reached from it. */
		readonly network: 'open' | 'off' | {readonly hosts: readonly string[]};
	};
	/** What agents may reach besides what everything needs, in every plan. */
	readonly allow: Allowance;
	/** Keys of the screen by what they do. */
	readonly keys: Readonly<Record<string, string>>;
	readonly theme: ThemeName;
	/** Colours of the screen in place of those of its theme. */
	readonly colors: Colors;
	readonly mouse: boolean;
};

/** The settings of one file, and whose it is. */
export type ConfigLayer = {readonly settings: FileSettings; readonly by: ProgramOrigin['by']};

/**
Lays settings over the defaults, later ones over earlier ones.

Groups are merged key by key, `agents` and `keys` name by name; a profile is taken as a whole.

@param registered Agents of the registry, whose names give way to those of the config.
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

/** Returns what a session is told of the sandbox: what differs from the default. */
export const sandboxSettings = ({mode, network}: Config['sandbox']): SandboxSettings => ({
	...(mode === 'auto' ? {} : {mode}),
	...(network === 'open' ? {} : {network}),
});

/** Lays settings over the defaults as they are written. */
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

/** What a profile extends is always the one that is built in, so `claude` may extend `claude`. */
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
