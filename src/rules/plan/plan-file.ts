import {Document} from 'yaml';
import type {Plan, Subtask} from '../../events/plan.ts';
import {formatDuration} from '../../lib/text/duration.ts';
import {defined, isSame, omit} from '../../lib/values.ts';
import {type AgentProfile, writtenLoad} from './fields.ts';

export type PlanFileOptions = {
	/** Agents of the config by name. */
	readonly profiles: Readonly<Record<string, AgentProfile>>;
	/** Environment variables of agents, by agent id. */
	readonly environments: Readonly<Record<string, Readonly<Record<string, string>>>>;
};

/** Writes a session's plan as a plan file that parses to the same plan; defaults are left out. */
export const planFileOf = (
	{agents, verifyNetwork, verifyNeeds, ...plan}: Plan,
	options: PlanFileOptions,
): string =>
	new Document({
		version: 1,
		...saying(plan),
		...defined({verify_network: verifyNetwork, verify_needs: verifyNeeds}),
		agents: agents
			.filter(({id, bestOf}) => bestOf === undefined || bestOf === id)
			.map(agent => entryOf(agent, agents, options)),
	}).toString({lineWidth: 0});

const entryOf = (subtask: Subtask, all: readonly Subtask[], options: PlanFileOptions) => {
	const {bestOf, timeoutMs, scope, mcpServers, limits, ...rest} = omit(
		subtask,
		'agent',
		'profile',
		'origin',
	);
	const rivals = all.filter(other => bestOf !== undefined && other.bestOf === bestOf);
	return {
		...saying(rest),
		...defined({mcp_servers: mcpServers, limits: limits && writtenLoad(limits)}),
		scope: saying(scope),
		...(rivals.length > 1
			? {best_of: rivals.map(({profile}) => profile)}
			: {agent: agentOf(subtask, options)}),
		timeout: formatDuration(timeoutMs),
	};
};

/** Returns the name of an agent's profile if the config still has the same one; otherwise spells the agent out, as far as a plan file can. */
const agentOf = (
	{id, agent, profile}: Subtask,
	{profiles, environments}: PlanFileOptions,
): string | object => {
	const env = environments[id] ?? {};
	const named = profile === undefined ? undefined : profiles[profile];
	if (
		profile !== undefined &&
		named !== undefined &&
		isSame({env: {}, ...omit(named, 'by')}, {...agent, env})
	) {
		return profile;
	}

	const given = Object.keys(env).length === 0 ? {} : {env};
	const vendor = agent.protocol === 'acp' ? agent.vendor : agent.stream;
	if (vendor !== undefined) {
		const {command, model, trust} = agent;
		return {
			extends: agent.protocol === 'acp' ? vendor : `${vendor}-print`,
			command,
			...defined({model, trust}),
			...given,
		};
	}

	return {...agent, ...given};
};

const saying = (fields: object): Readonly<Record<string, unknown>> =>
	Object.fromEntries(
		Object.entries(fields).filter(([, value]) => !(Array.isArray(value) && value.length === 0)),
	);
