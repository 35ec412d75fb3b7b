import type {AgentCommand, AgentVendor} from '../../events/plan.ts';
import {agentVendors} from '../../events/vendors.ts';
import {claude} from './claude.ts';
import {codex} from './codex.ts';
import {gemini} from './gemini.ts';
import {opencode} from './opencode.ts';
import type {Profile} from './profile.ts';

/** All that is known of vendors’ agents. */
export const profiles: Readonly<Record<AgentVendor, Profile>> = {claude, codex, gemini, opencode};

/** Returns what is known of an agent, if its vendor is. */
export const profileOf = (agent: AgentCommand): Profile | undefined => {
	const vendor = agent.protocol === 'acp' ? agent.vendor : agent.stream;
	return vendor === undefined ? undefined : profiles[vendor];
};

/**
The agents that every config has, by the names that plans call them by: each vendor over ACP, and as a text agent whose JSON stream is read.
*/
export const builtIn: Readonly<Record<string, AgentCommand>> = Object.fromEntries(
	agentVendors.flatMap((vendor): [string, AgentCommand][] => [
		[vendor, {protocol: 'acp', command: profiles[vendor].acp.command, vendor}],
		[
			`${vendor}-print`,
			{protocol: 'text', command: profiles[vendor].print.command, stream: vendor},
		],
	]),
);
