import type {Body} from '../../src/events/event.ts';
import type {Plan} from '../../src/events/plan.ts';
import {Failure} from '../../src/lib/failure.ts';
import {owed} from '../../src/rules/effects/effects.ts';
import type {Agent} from '../../src/state/agent/agent.ts';
import {apply} from '../../src/state/apply/apply.ts';
import {agentOf} from '../../src/state/select.ts';
import type {State} from '../../src/state/state.ts';
import {prepare} from '../../src/supervisor/perform/prepare.ts';
import type {World} from '../../src/supervisor/world.ts';
import {subtask} from '../helpers/plan.ts';
import type {Files} from '../helpers/repository.ts';
import {makeSupervised} from './world.ts';

/** A session of one agent whose worktree is really there; what it is told is believed at once, with what follows. */
export type AtWork = {
	readonly world: World;
	readonly state: () => State;
	readonly agent: () => Agent;
	/** The agent's worktree. */
	readonly tree: string;
	/** The time of whatever is believed or done from now on, ISO 8601. */
	readonly clock: {at: string};
	/** All that was told since the worktree was made. */
	readonly told: Body[];
	readonly believe: (...bodies: readonly Body[]) => void;
	/** Begins and ends turns, as far as the state is concerned. */
	readonly begins: () => void;
	readonly ends: () => void;
};

export const makeAtWork = async (files: Files, plan: Partial<Plan> = {}): Promise<AtWork> => {
	const agents = [subtask('AGT-001', {scope: {allowed: ['src/**'], forbidden: []}})];
	const supervised = await makeSupervised(files, {agents, ...plan});
	const clock = {at: '2026-01-01T00:00:00.000Z'};
	const told: Body[] = [];
	let {state} = supervised;
	const believe = (...bodies: readonly Body[]): void => {
		for (const body of bodies) {
			told.push(body);
			state = apply(state, {...body, seq: state.seq + 1, at: clock.at});
		}

		const {events} = owed(state);
		if (events.length > 0) {
			believe(...events);
		}
	};

	const agent = (): Agent => {
		const found = agentOf(state, 'AGT-001');
		if (found === undefined) {
			throw new Failure('internal', 'There is no AGT-001.');
		}

		return found;
	};

	const world: World = {
		...supervised.world,
		state: () => state,
		now: () => clock.at,
		append: async bodies => believe(...bodies),
		report: body => believe(body),
	};
	believe({kind: 'user.decided', item: 'p-1', choice: 'approve', by: 'user'});
	believe(...(await prepare(world, state, agent())));
	told.length = 0;
	return {
		world,
		state: () => state,
		agent,
		tree: world.folder.agent('AGT-001').tree,
		clock,
		told,
		believe,
		begins: () => {
			const turn = agent().turn.number + 1;
			believe({
				...{kind: 'turn.started', agent: 'AGT-001', turn, prompt: 'launch'},
				...{pid: 1, startTime: 'x', items: []},
			});
		},
		ends: () => {
			const turn = agent().turn.number;
			believe({kind: 'turn.ended', agent: 'AGT-001', turn, end: {by: 'exit', code: 0}});
		},
	};
};
