import type {Event, EventOf} from '../../events/event.ts';
import type {Sandbox} from '../../events/kinds/machine-event.ts';
import type {LeftOut} from '../../events/kinds/merge-event.ts';
import {defined} from '../../lib/values.ts';
import {type Criterion, criteriaOfPlan, testsRun} from '../../state/agent/criteria.ts';
import {kindOf} from '../../state/items.ts';
import {standingWith} from '../../state/merge/publication.ts';
import {rivalsOf} from '../../state/rivals/rivals.ts';
import {itemOf} from '../../state/select.ts';
import type {Skipped, State} from '../../state/state.ts';
import {noRecords, withEvent} from '../question-record.ts';
import {sessionStatus} from '../status.ts';
import {type AgentReport, agentReport, type Spent} from './agent-report.ts';

/** A decision, with its item at that time. */
type Decision = {
	readonly at: string;
	readonly item: string;
	/** Title of the item; absent for the session as a whole. */
	readonly title?: string;
	readonly choice: string;
	readonly note?: string;
	/** A person, the scripted one of the demo, or the plan's level of supervision. */
	readonly by: string;
	/** Words of the command that made it, if known. */
	readonly way?: string;
};

export type CheckReport = Pick<EventOf<'verify.ended'>, 'at' | 'commit' | 'ok' | 'commands'>;

/** A move of the target. */
export type MergeReport = {
	readonly at: string;
	readonly what: 'merged' | 'taken back' | 'pushed';
	/** Remote that it was pushed to. */
	readonly remote?: string;
	readonly commit: string;
	/** Tree of a merged result, which was checked and approved. */
	readonly tree?: string;
	/** Whether the check of exactly that result had passed; absent if the plan has none. */
	readonly checked?: boolean;
	readonly agents?: readonly string[];
	/** Parts of their work that are not in it. */
	readonly leftOut?: readonly LeftOut[];
};

/** Report on a session, from its first event to its last. */
export type Report = {
	readonly session: {
		readonly id: string;
		readonly task: string;
		readonly success: readonly string[];
		/** Criteria of the plan, with the result of the merge's check for those that only ask for passing tests; measured values are in the agents' reports. */
		readonly criteria: readonly Criterion[];
		/** Commands of the plan that check a result. */
		readonly verify: readonly string[];
		/** File protection of the last supervisor. */
		readonly sandbox?: Sandbox;
		readonly target: string;
		readonly status: string;
		readonly why?: string;
		readonly startedAt: string;
		readonly endedAt?: string;
	};
	readonly agents: readonly AgentReport[];
	/** Reported usage of all agents; `unreported` worked but reported none. */
	readonly spent: Partial<Spent> & {readonly unreported: readonly string[]};
	readonly decisions: readonly Decision[];
	readonly skipped: readonly Skipped[];
	readonly checks: readonly CheckReport[];
	readonly merges: readonly MergeReport[];
};

/** Returns the report of a session, or nothing if none has begun; agents' usage is in no event. */
export const reportOf = (
	events: readonly Event[],
	spentBy: (agent: string) => Spent | undefined,
): Report | undefined => {
	const decisions: Decision[] = [];
	const checks: CheckReport[] = [];
	const merges: MergeReport[] = [];
	let asked = noRecords;
	for (const event of events) {
		decisions.push(...decisionIn(asked.state, event));
		checks.push(...checkIn(event));
		merges.push(...mergeIn(asked.state, event));
		asked = withEvent(asked, event);
	}

	const {state} = asked;
	if (state.session === null) {
		return undefined;
	}

	const checkOf = (agent: string): string | undefined => {
		const merge = merges.findLast(({agents}) => agents?.includes(agent));
		const check = checks.findLast(({commit}) => commit === merge?.commit);
		return check === undefined || check.commands.length === 0
			? undefined
			: testsRun('the check of what was merged', check);
	};
	const agents = state.agents.map(agent => ({
		...agentReport(agent, events, {
			checked: checkOf(agent.id),
			spent: spentBy(agent.id),
			rivals: rivalsOf(state, agent.id).map(({id}) => id),
			questions: asked.records.filter(record => record.agent === agent.id).length,
		}),
		// An agent does not change state after the end of its session, but an undo may follow.
		...(agent.state === 'MERGED' && standingWith(state, agent.id) === undefined
			? {why: 'its merge was taken back'}
			: {}),
	}));
	return {
		session: sessionIn(state, state.session, checkOf),
		agents,
		spent: spentByAll(agents),
		decisions,
		skipped: state.skipped,
		checks,
		merges,
	};
};

const spentByAll = (agents: readonly AgentReport[]): Report['spent'] => {
	const told = agents.filter(({tokens}) => tokens !== undefined);
	const cost: Record<string, number> = {};
	for (const [currency, amount] of told.flatMap(agent => Object.entries(agent.cost ?? {}))) {
		cost[currency] = (cost[currency] ?? 0) + amount;
	}

	return {
		...(told.length === 0
			? {}
			: {tokens: told.reduce((sum, {tokens = 0}) => sum + tokens, 0), cost}),
		unreported: agents
			.filter(({tokens, turns}) => tokens === undefined && turns > 0)
			.map(({id}) => id),
	};
};

const sessionIn = (
	state: State,
	{session, plan, target, startedAt, ended}: NonNullable<State['session']>,
	checkOf: (agent: string) => string | undefined,
): Report['session'] => ({
	id: session,
	task: plan.task,
	success: plan.success,
	criteria: criteriaOfPlan(plan.success, state.agents.flatMap(({id}) => checkOf(id) ?? []).at(-1)),
	verify: plan.verify,
	target,
	status: sessionStatus(state),
	...defined({why: ended?.why, endedAt: ended?.at, sandbox: state.sandbox ?? undefined}),
	startedAt,
});

const decisionIn = (state: State, event: Event): readonly Decision[] => {
	if (event.kind !== 'user.decided') {
		return [];
	}

	const {at, item: id, choice, note, by, asker} = event;
	const item = itemOf(state, id);
	const title = item === undefined ? undefined : kindOf(item).title(state, item);
	return [{at, item: id, choice, by, ...defined({title, note, way: asker?.way})}];
};

const checkIn = (event: Event): readonly CheckReport[] => {
	if (event.kind !== 'verify.ended') {
		return [];
	}

	const {at, commit, ok, commands} = event;
	return [{at, commit, ok, commands}];
};

const mergeIn = ({merge}: State, event: Event): readonly MergeReport[] => {
	switch (event.kind) {
		case 'merge.published': {
			const {at, commit, agents} = event;
			const result =
				merge.phase === 'intended' && merge.built.commit === commit ? merge : undefined;
			return [
				{
					at,
					what: 'merged',
					commit,
					agents,
					...defined({
						leftOut: event.redoes === undefined ? event.leftOut : undefined,
						tree: result?.built.tree,
						checked: result?.verified.commands.length === 0 ? undefined : result?.verified.ok,
					}),
				},
			];
		}

		case 'merge.undone':
			return [{at: event.at, what: 'taken back', commit: event.commit}];
		case 'push.changed':
			return event.to === 'done'
				? [
						{
							at: event.at,
							what: 'pushed',
							commit: event.commit,
							remote: `${event.remote}/${event.branch}`,
						},
					]
				: [];
		default:
			return [];
	}
};
