import type {Allowance, Plan, Subtask, SupervisionPolicy} from '../../events/plan.ts';
import {namedPolicy, policyIn} from '../../events/supervision.ts';
import {
	type PositionOf,
	type Problem,
	readYaml,
	type YamlDocument,
} from '../../lib/text/yaml-document.ts';
import {defined, omit} from '../../lib/values.ts';
import {packageFolder, type WorkspacePackage, withFolders} from '../../lib/workspace.ts';
import {checkServers, serversIn} from './acp-options/servers.ts';
import {giveIds} from './agent-ids.ts';
import {type AgentProfile, loadOf} from './fields.ts';
import {type PlanFinding, toProblem} from './finding.ts';
import {findProfile, type NoProfile, programOf} from './profile.ts';
import {planFileSchema, type SubtaskEntry} from './schema.ts';
import {checkShape, inReadingOrder} from './shape.ts';
import {checkSlotVariables} from './slot-variables.ts';

export type ParseOptions = {
	/** Name of the file in problems. */
	readonly file: string;
	readonly profiles: Readonly<Record<string, AgentProfile>>;
	/** Reason why the names of further agents are unknown, if so. */
	readonly unreadRegistry?: string | undefined;
	/** Packages that scopes can name. */
	readonly packages?: readonly WorkspacePackage[];
	/** Time limit of a subtask that sets none, in milliseconds; one hour by default. */
	readonly timeoutMs?: number;
	/** Check of a plan without one. */
	readonly check?: readonly string[];
	/** Paths that the config allows. */
	readonly allow?: Allowance;
	/** Merge settings of a plan without any. */
	readonly merge?: Plan['merge'];
	/** Policy of kinds that the plan leaves out. */
	readonly supervision?: SupervisionPolicy;
};

/**
A parsed plan, or its problems.

`environments` holds the environment of each agent, apart from the plan because plans are
journaled and values of the environment may be secret. `positionOf` gives later checks the place of
a part of the plan in the file, with the plan's indexes of agents.
*/
export type ParsedPlan =
	| {
			readonly plan: Plan;
			readonly environments: Readonly<Record<string, Readonly<Record<string, string>>>>;
			readonly positionOf: PositionOf;
			readonly problems: readonly Problem[];
	  }
	| {readonly plan?: undefined; readonly problems: readonly Problem[]};

/** Reads a plan file. `checkPlan` checks it against the repository. */
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

	const shaped = checkShape(document, planFileSchema);
	if ('problems' in shaped) {
		return shaped;
	}

	const {
		agents: entries,
		check = options.check ?? [],
		allow,
		merge = options.merge,
		checkout,
		supervision,
		verify_network: verifyNetwork,
		verify_needs: verifyNeeds,
		...rest
	} = omit(shaped.value, 'version');
	const named = agentsNamed(entries);
	const agents = named.map(({entry, ...agent}) =>
		toSubtask({...agent, entry: {...defined({checkout}), ...entry}}, options),
	);
	const findings = [
		...checkReferences(entries, idsOf(named)),
		...checkRivals(entries),
		...checkServers(entries),
		...checkSlotVariables(shaped.value),
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
			supervision: namedPolicy({...options.supervision, ...policyIn(supervision)}),
			...defined({merge, verifyNetwork, verifyNeeds}),
			...(check.length === 0 ? {} : {check}),
			...defined({allow: together(options.allow, allow)}),
			agents: usable.map(({subtask}) => subtask),
		},
		environments: Object.fromEntries(usable.map(({subtask, env}) => [subtask.id, env])),
		positionOf: positionIn(document, named),
		problems: [],
	};
};

/** Merges the allowances of the config and the plan. */
const together = (one: Allowance = {}, other: Allowance = {}): Allowance | undefined => {
	const entries = (['read', 'write', 'sockets', 'hosts'] as const).flatMap(name => {
		const paths = [...new Set([...(one[name] ?? []), ...(other[name] ?? [])])];
		return paths.length === 0 ? [] : [[name, paths]];
	});
	return entries.length === 0 ? undefined : Object.fromEntries(entries);
};

/** Returns the ids of the entries; an entry with rivals has the id of the first one. */
const idsOf = (named: readonly NamedAgent[]): readonly string[] =>
	named.flatMap(({id, bestOf}) => (bestOf === undefined || bestOf === id ? id : []));

/** Maps agents of the plan to entries of the file: rivals are one entry. */
const positionIn =
	({positionOf}: YamlDocument, named: readonly NamedAgent[]): PositionOf =>
	([key, index, ...path], part) =>
		positionOf(
			key === 'agents' && typeof index === 'number'
				? [key, named[index]?.at.index ?? index, ...path]
				: [key, index, ...path].filter(step => step !== undefined),
			part,
		);

/** Refuses a plan of another version without further problems, since its keys may have other meanings. */
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

/** Returns a subtask with all defaults filled in, and the environment of its agent separately. */
export const toSubtask = (
	{entry, id, bestOf}: Pick<NamedAgent, 'entry' | 'id' | 'bestOf'>,
	{profiles, packages = [], timeoutMs = 3_600_000, unreadRegistry}: ParseOptions,
): {subtask: Subtask; env: Readonly<Record<string, string>>} | NoProfile => {
	const {agent, timeout, limits, checkout, ...rest} = omit(entry, 'best_of', 'mcp_servers');
	const mcpServers = serversIn(entry);
	const choice = findProfile(agent, profiles, unreadRegistry);
	if ('why' in choice) {
		return choice;
	}

	const {program, env} = programOf(choice.found);
	const {profile} = choice;
	const subtask = {
		...rest,
		id,
		...program,
		scope: {
			allowed: [...withFolders(entry.scope.allowed, packages)],
			forbidden: [...withFolders(entry.scope.forbidden, packages)],
		},
		...defined({checkout: checkout?.map(one => packageFolder(one, packages) ?? one)}),
		timeoutMs: timeout ?? timeoutMs,
		...defined({profile, bestOf, mcpServers, limits: limits && loadOf(limits)}),
	};
	return {subtask, env};
};

const noAgent = (named: NamedAgent | undefined, why: NoProfile['why']): PlanFinding => {
	const {index = 0, rival} = named?.at ?? {};
	const key = rival === undefined ? ['agent'] : ['best_of', rival];
	return {level: 'error', path: ['agents', index, ...key], ...why};
};

/** An agent in a plan file: alone in its entry, or one of the entry's rivals. */
type NamedAgent = {
	readonly id: string;
	readonly entry: SubtaskEntry;
	/** Indexes of the entry in the file and of the rival in the entry, from 0. */
	readonly at: {readonly index: number; readonly rival?: number};
	/** Id of the first rival. */
	readonly bestOf?: string;
};

/** Returns the agents of a plan file; rivals are adjacent, and only the first has the id of their entry. */
const agentsNamed = (entries: readonly SubtaskEntry[]): readonly NamedAgent[] => {
	const further = entries.flatMap(({best_of = []}) => best_of.slice(1).map(() => ({})));
	const ids = giveIds([...entries, ...further]);
	const spare = ids.slice(entries.length);
	return entries.flatMap((entry, index): readonly NamedAgent[] => {
		const id = ids[index] ?? '';
		const {best_of: profiles, ...alone} = entry;
		return profiles === undefined
			? [{id, entry, at: {index}}]
			: profiles.map((agent, rival) => ({
					id: rival === 0 ? id : (spare.shift() ?? ''),
					entry: {...alone, agent},
					at: {index, rival},
					bestOf: id,
				}));
	});
};

/** Finds entries with both `agent` and `best_of`. */
export const checkRivals = (entries: readonly SubtaskEntry[]): readonly PlanFinding[] =>
	entries.flatMap(({agent, best_of}, index) =>
		agent === undefined || best_of === undefined
			? []
			: [
					{
						level: 'error',
						path: ['agents', index, 'best_of'],
						message: '`best_of` names the agents, so `agent` can’t be used with it.',
						hint: 'Remove one of the two.',
					},
				],
	);

/** Finds problems of agents' ids and of the ids in `after`. */
const checkReferences = (
	entries: readonly SubtaskEntry[],
	ids: readonly string[],
): readonly PlanFinding[] => [
	...repeatedIds(ids),
	...unknownWaits(entries, ids),
	...circles(entries, ids),
];

const repeatedIds = (ids: readonly string[]): readonly PlanFinding[] =>
	ids.flatMap((id, index) =>
		ids.indexOf(id) === index
			? []
			: [
					{
						level: 'error',
						path: ['agents', index, 'id'],
						message: `Another agent has the id ${id} already.`,
					},
				],
	);

const unknownWaits = (
	entries: readonly SubtaskEntry[],
	ids: readonly string[],
): readonly PlanFinding[] =>
	entries.flatMap(({after}, index) =>
		after.flatMap((id, position) => {
			if (ids.includes(id)) {
				return [];
			}

			const path = ['agents', index, 'after', position];
			return [
				{
					level: 'error' as const,
					path,
					message: `There is no agent ${id}.`,
					hint: `There are: ${[...new Set(ids)].join(', ')}.`,
				},
			];
		}),
	);

const circles = (
	entries: readonly SubtaskEntry[],
	ids: readonly string[],
): readonly PlanFinding[] => {
	const agents = entries.map(({after}, index) => ({id: ids[index] ?? '', after}));
	const cycle = findCycle(agents);
	if (cycle === undefined) {
		return [];
	}

	const index = ids.findIndex(id => cycle.includes(id));
	const message =
		cycle.length === 2
			? `${cycle[0]} waits for itself.`
			: `These agents wait for each other: ${cycle.join(' → ')}.`;
	return [
		{
			level: 'error',
			path: ['agents', index, 'after'],
			message,
			hint: 'Remove one of these from `after`.',
		},
	];
};

export type Waiting = {
	readonly id: string;
	readonly after: readonly string[];
};

/**
Finds a cycle of agents that wait for each other, as the ids along it, with the first one repeated at
the end.

Agents that wait for no remaining one are removed round by round; following the waits from any that
then remain leads into a cycle.
*/
const findCycle = (agents: readonly Waiting[]): readonly string[] | undefined => {
	const left = stuck(agents);
	const walked: string[] = [];
	let [current] = left;
	while (current !== undefined) {
		const {id, after} = current;
		const start = walked.indexOf(id);
		walked.push(id);
		if (start !== -1) {
			return walked.slice(start);
		}

		current = left.find(agent => after.includes(agent.id));
	}

	return undefined;
};

const stuck = (agents: readonly Waiting[]): readonly Waiting[] => {
	const left = agents.filter(({after}) => agents.some(({id}) => after.includes(id)));
	return left.length === agents.length ? left : stuck(left);
};
