import {stringify} from 'yaml';
import type {Subtask} from '../../events/plan.ts';
import {defined} from '../../lib/defined.ts';
import {omit} from '../../lib/omit.ts';

/** Returns a subtask as it stands below `agents` of a plan, for a person to change; what is empty or as it is by default is left out. */
export const subtaskText = (subtask: Subtask): string => {
	const {agent, profile, timeoutMs, thinking, mcpServers, ...rest} = omit(subtask, 'id', 'origin');
	const entry = {
		...rest,
		...defined({mcp_servers: mcpServers}),
		agent: profile ?? agent,
		timeout: `${Math.round(timeoutMs / 60_000)}min`,
		...(thinking === 'standard' ? {} : {thinking}),
	};
	return stringify(
		Object.fromEntries(
			Object.entries(entry).filter(([, value]) => !(Array.isArray(value) && value.length === 0)),
		),
	);
};
