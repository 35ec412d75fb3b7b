import {stringify} from 'yaml';
import type {Subtask} from '../../events/plan.ts';
import {type PositionOf, type Problem, readYaml} from '../../lib/text/yaml-document.ts';
import {defined, omit} from '../../lib/values.ts';
import {checkServers} from './acp-options/servers.ts';
import {toProblem} from './finding.ts';
import {checkRivals, type ParseOptions, toSubtask} from './parse.ts';
import type {NoProfile} from './profile.ts';
import {subtaskFileSchema} from './schema.ts';
import {checkShape} from './shape.ts';

/** A subtask, with the environment of its program. */
export type JoiningAgent = {
	readonly subtask: Subtask;
	readonly environment: Readonly<Record<string, string>>;
};

export type ParsedSubtask =
	| (JoiningAgent & {
			/** Rivals with the same subtask, of whose works the best is taken. */
			readonly rivals: readonly JoiningAgent[];
			/** Returns the place of a part of it in the text. */
			readonly positionOf: PositionOf;
			readonly problems?: undefined;
	  })
	| {readonly subtask?: undefined; readonly problems: readonly Problem[]};

/**
Reads one subtask in the form below `agents` of a plan, for an agent that joins a running session.

@param ids Ids of the agents that join, if the text gives none.
*/
export const parseSubtask = (
	text: string,
	ids: readonly [string, ...string[]],
	options: ParseOptions,
): ParsedSubtask => {
	const read = readYaml(text, options.file);
	if ('problems' in read) {
		return read;
	}

	const {document} = read;
	const shaped = checkShape(document, subtaskFileSchema);
	if ('problems' in shaped) {
		return shaped;
	}

	const {best_of: profiles = [], ...entry} = shaped.value;
	const {positionOf} = document;
	const findings = [
		...[...checkRivals([shaped.value]), ...checkServers([shaped.value])].map(finding => ({
			...finding,
			path: finding.path.slice(2),
		})),
		...(profiles.length > ids.length ? [severalAgents] : []),
	];
	if (findings.length > 0) {
		return {problems: findings.map(finding => toProblem(finding, positionOf))};
	}

	const [first, ...others] = ids;
	const id = entry.id ?? first;
	if (profiles.length === 0) {
		const made = toSubtask({entry, id}, options);
		return 'why' in made
			? {problems: [toProblem({level: 'error', path: ['agent'], ...made.why}, positionOf)]}
			: {...joining(made), rivals: [], positionOf};
	}

	const all = profiles.map((agent, index) =>
		toSubtask({entry: {...entry, agent}, id: [id, ...others][index] ?? '', bestOf: id}, options),
	);
	const problems = all.flatMap((made, index) =>
		'why' in made
			? toProblem({level: 'error', path: ['best_of', index], ...made.why}, positionOf)
			: [],
	);
	const [one, ...rivals] = all.flatMap(made => ('why' in made ? [] : joining(made)));
	return one === undefined || problems.length > 0 ? {problems} : {...one, rivals, positionOf};
};

const joining = ({
	subtask,
	env,
}: Exclude<ReturnType<typeof toSubtask>, NoProfile>): JoiningAgent => ({
	subtask,
	environment: env,
});

const severalAgents = {
	level: 'error',
	path: ['best_of'],
	message: 'One agent joins at a time here, so `best_of` can’t be used.',
	hint: 'Write `agent` instead.',
} as const;

/** Returns a subtask in the form below `agents` of a plan, for a person to edit; empty and default values are left out. */
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
