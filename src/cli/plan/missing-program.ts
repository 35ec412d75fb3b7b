import {installCommand} from '../../agents/profiles/profile.ts';
import {profileOf} from '../../agents/profiles/profiles.ts';
import {whyNoProgram} from '../../lib/process/find-program.ts';
import type {AgentProfile} from '../../rules/plan/fields.ts';
import type {MissingProgram} from '../../rules/plan/missing-among.ts';

/** Returns why an agent can't be started here and what helps, in words; nothing where its program is there. */
export const missingProgram = (
	agent: AgentProfile,
	directory: string,
): MissingProgram | undefined => {
	const [program = ''] = agent.command;
	const absence = whyNoProgram(program, {directory, environment: {...process.env, ...agent.env}});
	if (absence === undefined) {
		return undefined;
	}

	if (absence === 'not allowed') {
		return {why: `you may not run \`${program}\``, hint: 'chmod +x makes it a program'};
	}

	const profile = profileOf(agent);
	const known = agent.protocol === 'acp' ? profile?.acp : profile?.print;
	return {
		why: `\`${program}\` is not installed`,
		hint:
			known === undefined
				? 'install it, or name another agent'
				: `install it: ${installCommand(known)}`,
	};
};
