import type {
	Environments,
	NamedProgram,
	Program,
	ProgramOrigin,
	Subtask,
} from '../../events/plan.ts';
import {defined, omit} from '../../lib/values.ts';
import type {AgentProfile, Extension} from './fields.ts';
import {didYouMean, type PlanFinding} from './finding.ts';
import type {SubtaskEntry} from './schema.ts';

/** Reason why a subtask gets no agent. */
export type NoProfile = {readonly why: Pick<PlanFinding, 'message' | 'hint'>};

/**
Finds the agent that a subtask names, or `claude` if it names none; an agent written in place
is used as it is.
*/
export const findProfile = (
	agent: SubtaskEntry['agent'],
	profiles: Readonly<Record<string, AgentProfile>>,
	unreadRegistry?: string,
): {readonly found: AgentProfile; readonly profile?: string} | NoProfile => {
	if (typeof agent === 'object' && 'protocol' in agent) {
		return {found: {...agent, by: 'the plan'}};
	}

	if (typeof agent === 'object') {
		const base = findProfile(agent.extends, profiles, unreadRegistry);
		return 'why' in base ? base : {...base, found: changedByPlan(base.found, agent)};
	}

	const profile = agent ?? 'claude';
	const found = Object.hasOwn(profiles, profile) ? profiles[profile] : undefined;
	if (found !== undefined) {
		return {profile, found};
	}

	const message =
		agent === undefined
			? 'This agent names no profile, and the config has no profile `claude` to take instead.'
			: `There is no agent profile \`${agent}\`.`;
	const hint = profileHint(profile, Object.keys(profiles));
	const unread = unreadRegistry === undefined ? '' : `${unreadRegistry} Its agents are not known. `;
	return {why: {message, hint: `${unread}${hint}`}};
};

const changedByPlan = (base: AgentProfile, agent: Extension): AgentProfile => {
	const theirs = Object.keys(agent.env ?? {});
	const yours =
		base.by === 'your config'
			? Object.keys(base.env ?? {}).filter(name => !theirs.includes(name))
			: [];
	return {...extend(base, agent), by: 'the plan', ...(yours.length === 0 ? {} : {yours})};
};

/** Returns the environment values that a person must see before approving a plan, by agent: all but those of the person's own config. */
export const valuesToShow = (
	programs: readonly (Program & Pick<Subtask, 'id'>)[],
	environments: Environments,
): Environments =>
	Object.fromEntries(
		programs.map(({id, origin}) => {
			const own = Object.entries(environments[id] ?? {});
			return [id, Object.fromEntries(own.filter(([name]) => !isYours(name, origin)))];
		}),
	);

/** Returns whether the value of a variable comes from the person's own config. */
export const isYours = (name: string, origin: ProgramOrigin | undefined): boolean =>
	origin?.yours?.includes(name) ?? origin?.by === 'your config';

/** Returns a program as the session's plan records it, and its environment separately. */
export const programOf = ({
	env = {},
	by = 'built in',
	yours,
	...agent
}: AgentProfile): {
	readonly program: Required<Pick<Program, 'agent' | 'origin'>>;
	readonly env: Readonly<Record<string, string>>;
} => ({program: {agent, origin: {by, variables: Object.keys(env), ...defined({yours})}}, env});

export const programNamed = (
	profile: string,
	profiles: Readonly<Record<string, AgentProfile>>,
): NamedProgram | undefined => {
	const choice = findProfile(profile, profiles);
	return 'why' in choice ? undefined : {profile, ...programOf(choice.found).program};
};

/** Applies an extension to a profile; environments are merged by name. */
export const extend = (base: AgentProfile, {env, ...changes}: Extension): AgentProfile => ({
	...base,
	...omit(changes, 'extends'),
	...defined({env: env && {...base.env, ...env}}),
});

const profileHint = (typed: string, known: readonly string[]): string => {
	if (known.length === 0) {
		return 'Add one to `agents` in the config, or write `agent: {protocol: text, command: […]}` (or `acp`).';
	}

	const meant = didYouMean(typed, known);
	return `${meant === undefined ? '' : `Did you mean \`${meant}\`? `}Known profiles: ${known.join(', ')}.`;
};
