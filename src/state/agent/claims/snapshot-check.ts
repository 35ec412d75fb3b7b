import type {EffectKey} from '../../../events/effect-key.ts';
import type {EventOf} from '../../../events/event.ts';
import {lastSnapshot} from '../../select.ts';
import {type State, withAgent, withoutAttempt} from '../../state.ts';
import type {Agent, SnapshotCheck} from '../agent.ts';

/** Returns what the plan's checks said last of exactly the files that an agent's last snapshot holds. */
export const checkOfWork = (agent: Agent): SnapshotCheck | undefined =>
	agent.checks.findLast(({tree}) => tree === lastSnapshot(agent)?.tree);

/** A person wants to know what the checks say of an agent's work as it was last pinned. */
export const checkWanted = (state: State, id: string): State =>
	withAgent(state, id, agent => {
		const last = lastSnapshot(agent);
		return last === undefined
			? agent
			: {...agent, toCheck: {number: last.number, since: state.seq}};
	});

export const snapshotChecked = (state: State, event: EventOf<'snapshot.checked'>): State => {
	const {agent, number, tree, at, ok, commands, log} = event;
	return withCheck(state, agent, {number, tree, at, ok, commands, log});
};

/** Why it could not be run is what a person is told in its place; who asks again has it tried again. */
export const checkFailed = (
	state: State,
	effect: Extract<EffectKey, {do: 'check-snapshot'}>,
	{message, at}: EventOf<'effect.failed'>,
): State => {
	const {agent: id, number} = effect;
	const agent = state.agents.find(agent => agent.id === id);
	const tree = agent?.snapshots.find(snapshot => snapshot.number === number)?.tree ?? '';
	const why = `it could not be run: ${message}`;
	return withCheck(withoutAttempt(state, effect), id, {number, tree, at, ok: null, why});
};

/** Nobody looks back further. */
const mostKept = 20;

const withCheck = (state: State, id: string, check: SnapshotCheck): State =>
	withAgent(state, id, ({toCheck, ...agent}) => ({
		...agent,
		...(toCheck === undefined || toCheck.number === check.number ? {} : {toCheck}),
		checks: [...agent.checks, check].slice(-mostKept),
	}));
