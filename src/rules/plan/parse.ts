import type {Plan, Subtask} from '../../events/plan.ts';
import {defined} from '../../lib/defined.ts';
import {omit} from '../../lib/omit.ts';
import {
	type PositionOf,
	type Problem,
	readYaml,
	type YamlDocument,
} from '../../lib/text/yaml-document.ts';
import {checkServers, serversIn} from './acp-options/servers.ts';
import {agentsNamed, checkRivals, type NamedAgent} from './agents/rivals.ts';
import type {AgentProfile} from './fields.ts';
import {type Finding, toProblem} from './finding.ts';
import {findProfile, type NoProfile, programOf} from './profile.ts';
import {checkReferences} from './references.ts';
import {planSchema} from './schema.ts';
import {checkShape, inReadingOrder} from './shape.ts';

export type ParseOptions = {
	/** Name of the file, as problems show it. */
	readonly file: string;
	/** The agents of the config by name. */
	readonly profiles: Readonly<Record<string, AgentProfile>>;
	/** How long an agent may work whose subtask does not say; one hour by default. */
	readonly timeoutMs?: number;
	/** The check of a plan that names none. */
	readonly check?: readonly string[];
};

/**
A plan that could be read, or what is wrong with it.

`environments` holds the environment of each agent, apart from the plan because plans are
journaled and values of the environment may be secret. `positionOf` tells later checks where in the
file a part of the plan stands: agents are counted as in the plan.
*/
export type ParsedPlan =
	| {
			readonly plan: Plan;
			readonly environments: Readonly<Record<string, Readonly<Record<string, string>>>>;
			readonly positionOf: PositionOf;
			readonly problems: readonly Problem[];
	  }
	| {readonly plan?: undefined; readonly problems: readonly Problem[]};

/** Reads a plan file. What depends on the repository is checked by `checkPlan`. */
export const parsePlan = (text: string, options: ParseOptions): ParsedPlan => {
	const read = readYaml(text, options.file);
	if ('problems' in read) {
		return read;
	}

	const {document} = read;
	const foreign = whyNotThisVersion(document);
	if (foreign !== undefined) {
		return {problems: [foreign]};
	}

	const shaped = checkShape(document, planSchema);
	if ('problems' in shaped) {
		return shaped;
	}

	const {agents: entries, check = options.check ?? [], ...rest} = omit(shaped.value, 'version');
	const named = agentsNamed(entries);
	const agents = named.map(agent => toSubtask(agent, options));
	const findings = [
		...checkReferences(entries, idsOf(named)),
		...checkRivals(entries),
		...checkServers(entries),
		...agents.flatMap((agent, index) => ('why' in agent ? noAgent(named[index], agent.why) : [])),
	];
	if (findings.length > 0) {
		const problems = findings.map(finding => toProblem(finding, document.positionOf));
		return {problems: inReadingOrder(problems)};
	}

	const usable = agents.flatMap(agent => ('why' in agent ? [] : agent));
	return {
		plan: {
			...rest,
			...(check.length === 0 ? {} : {check}),
			agents: usable.map(({subtask}) => subtask),
		},
		environments: Object.fromEntries(usable.map(({subtask, env}) => [subtask.id, env])),
		positionOf: positionIn(document, named),
		problems: [],
	};
};

/** Returns the ids of the entries; of rivals that is the first one's. */
const idsOf = (named: readonly NamedAgent[]): readonly string[] =>
	named.flatMap(({id, bestOf}) => (bestOf === undefined || bestOf === id ? id : []));

/** Rivals are one entry of the file, and agents of their own in the plan. */
const positionIn =
	({positionOf}: YamlDocument, named: readonly NamedAgent[]): PositionOf =>
	([key, index, ...path], part) =>
		positionOf(
			key === 'agents' && typeof index === 'number'
				? [key, named[index]?.at.index ?? index, ...path]
				: [key, index, ...path].filter(step => step !== undefined),
			part,
		);

/** Another version may mean anything by its keys, so nothing else is said about such a file. */
const whyNotThisVersion = (document: YamlDocument): Problem | undefined => {
	const {value} = document;
	if (value === null) {
		return toProblem(
			{
				level: 'error',
				path: [],
				message: 'The plan is empty.',
				hint: 'One with every key: delegate-tui help plan',
			},
			document.positionOf,
		);
	}

	if (typeof value !== 'object' || !('version' in value) || value.version === 1) {
		return undefined;
	}

	return toProblem(
		{
			level: 'error',
			path: ['version'],
			message: 'Only plans of version 1 can be read.',
			hint: 'Write `version: 1`, or use the release that this plan was written for.',
		},
		document.positionOf,
	);
};

/** Returns a subtask with every default filled in, and the environment of its agent apart. */
export const toSubtask = (
	{entry, id, bestOf}: Pick<NamedAgent, 'entry' | 'id' | 'bestOf'>,
	{profiles, timeoutMs = 3_600_000}: ParseOptions,
): {subtask: Subtask; env: Readonly<Record<string, string>>} | NoProfile => {
	const {agent, timeout, ...rest} = omit(entry, 'best_of', 'mcp_servers');
	const mcpServers = serversIn(entry);
	const choice = findProfile(agent, profiles);
	if ('why' in choice) {
		return choice;
	}

	const {program, env} = programOf(choice.found);
	const {profile} = choice;
	const subtask = {
		...rest,
		id,
		...program,
		timeoutMs: timeout ?? timeoutMs,
		...defined({profile, bestOf, mcpServers}),
	};
	return {subtask, env};
};

const noAgent = (named: NamedAgent | undefined, why: NoProfile['why']): Finding => {
	const {index = 0, rival} = named?.at ?? {};
	const key = rival === undefined ? ['agent'] : ['best_of', rival];
	return {level: 'error', path: ['agents', index, ...key], ...why};
};
