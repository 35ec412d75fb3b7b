import type {AgentCommand, AgentVendor} from '../../events/plan.ts';
import {agentVendors, streamVendors} from '../../events/vendors.ts';
import {claude} from './claude.ts';
import {codex} from './codex.ts';
import {copilot} from './copilot.ts';
import {gemini} from './gemini.ts';
import {opencode} from './opencode.ts';
import {type Profile, printedBy} from './profile.ts';
import {qwen} from './qwen.ts';

/** Profiles of all vendors' agents. */
export const profiles: Readonly<Record<AgentVendor, Profile>> = {
	claude,
	codex,
	gemini,
	opencode,
	qwen,
	copilot,
};

/** Returns the profile of an agent, if its vendor is known. */
export const profileOf = (agent: AgentCommand): Profile | undefined => {
	const vendor = agent.protocol === 'acp' ? agent.vendor : agent.stream;
	return vendor === undefined ? undefined : profiles[vendor];
};

/** Agents in every config, by their names in plans: each vendor over ACP, and as a text agent if its JSON stream is supported. */
export const builtIn: Readonly<Record<string, AgentCommand>> = Object.fromEntries([
	...agentVendors.map((vendor): [string, AgentCommand] => [
		vendor,
		{protocol: 'acp', command: profiles[vendor].acp.command, vendor},
	]),
	...streamVendors.map((vendor): [string, AgentCommand] => [
		`${vendor}-print`,
		{protocol: 'text', command: printedBy(profiles[vendor]).command, stream: vendor},
	]),
]);
