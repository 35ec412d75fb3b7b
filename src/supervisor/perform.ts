import type {Body} from '../events/event.ts';
import {survivingCheckout} from '../git/repository/checkouts.ts';
import type {Effect} from '../rules/effects/effect.ts';
import {isClearingDue} from '../rules/effects/merging.ts';
import type {State} from '../state/state.ts';
import {waiting} from './machine/survivors.ts';
import {build} from './perform/build.ts';
import {checkOutcome, checkPart, checkSnapshot, verify} from './perform/checks.ts';
import {clearUp, prepare} from './perform/prepare.ts';
import {publish} from './perform/publish.ts';
import {openResolution} from './perform/resolution.ts';
import {bringBack, restore} from './perform/restore.ts';
import {rework} from './perform/rework.ts';
import {runCommand} from './perform/run-command.ts';
import {snapshot} from './perform/snapshot.ts';
import {start} from './perform/start/start.ts';
import {endTurn, reply} from './perform/start/turns.ts';
import {requireAgent, type World} from './world.ts';

/** Performs one effect and returns its outcome as events to write. */
export const perform = async (
	given: World,
	effect: Effect,
	state: State,
): Promise<readonly Body[]> => {
	const world = {...given, repository: await survivingCheckout(given.repository)};
	switch (effect.do) {
		case 'prepare':
			return prepare(world, state, requireAgent(state, effect.agent));
		case 'rework':
			return rework(world, state, requireAgent(state, effect.agent), effect.onto);
		case 'restore':
			return restore(world, state, requireAgent(state, effect.agent), effect.number);
		case 'bring-back':
			return bringBack(world, state, requireAgent(state, effect.agent), effect);
		case 'start':
			return start(world, effect);
		case 'reply':
			return reply(world, requireAgent(state, effect.agent), effect);
		case 'end-turn':
			return endTurn(world, effect);
		case 'snapshot':
			return snapshot(world, state, requireAgent(state, effect.agent), effect);
		case 'run-command':
			return runCommand(world, requireAgent(state, effect.agent), effect);
		case 'open-resolution':
			return openResolution(world, state, effect.conflict);
		case 'build':
			return build(world, state);
		case 'verify':
			return verify(world, state, effect);
		case 'check-part':
			return checkPart(world, state, effect);
		case 'check-snapshot':
			return checkSnapshot(world, state, requireAgent(state, effect.agent), effect);
		case 'check-outcome':
			return checkOutcome(world, state, effect);
		case 'publish':
			return publish(world, effect);
		case 'clear-up':
			return world.serially('target', async () =>
				isClearingDue(world.state())
					? [await clearUp(world, {onWait: wait => world.report(waiting(wait))})]
					: [],
			);
	}
};
