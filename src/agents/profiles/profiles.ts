import {type AgentCommand, type AgentMake, agentMakes} from '../../events/plan.ts';
import {claude} from './claude.ts';
import {codex} from './codex.ts';
import {gemini} from './gemini.ts';
import {opencode} from './opencode.ts';
import type {Profile} from './profile.ts';

/** All that is known of makes of agents. */
export const profiles: Readonly<Record<AgentMake, Profile>> = {claude, codex, gemini, opencode};

/** Returns what is known of an agent, if its make is. */
export const profileOf = (agent: AgentCommand): Profile | undefined => {
	const make = agent.protocol === 'acp' ? agent.make : agent.stream;
	return make === undefined ? undefined : profiles[make];
};

/**
The agents that every config has, by the names that plans call them by: each make over ACP, and as a text agent whose JSON stream is read.
*/
export const builtIn: Readonly<Record<string, AgentCommand>> = Object.fromEntries(
	agentMakes.flatMap((make): [string, AgentCommand][] => [
		[make, {protocol: 'acp', command: profiles[make].acp.command, make}],
		[`${make}-print`, {protocol: 'text', command: profiles[make].print.command, stream: make}],
	]),
);
