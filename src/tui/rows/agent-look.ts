import {formatDuration} from '../../lib/duration.ts';
import {waitsFor} from '../../rules/places.ts';
import type {Agent} from '../../state/agent.ts';
import {holdsOf, itemsOf, lastSnapshot} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {workedMs} from '../views/items/work.ts';
import {type Row, type Span, span, type Tone} from './row.ts';
import {counted} from './text.ts';

const looks: Readonly<Record<Agent['state'], readonly [string, Tone]>> = {
	PENDING: ['·', 'dim'],
	SPAWNING: ['◌', 'info'],
	RUNNING: ['●', 'good'],
	CHECKPOINT: ['◆', 'warn'],
	COMPLETE: ['✓', 'good'],
	FAILED: ['✗', 'bad'],
	MERGED: ['✔', 'info'],
	ABORTED: ['–', 'dim'],
};

/** Returns an agent's state as a sign and its word. */
export const stateSpan = ({state}: Agent): Span => {
	const [sign, tone] = looks[state];
	return span(`${sign} ${state}`, tone);
};

/** Returns what can be told of an agent in numbers. */
export const numbersRow = (agent: Agent, now: string): Row => {
	const parts = [
		formatDuration(workedMs(agent, now)),
		counted(lastSnapshot(agent)?.files ?? 0, 'file'),
		...(agent.checkpoints > 0 ? [counted(agent.checkpoints, 'checkpoint')] : []),
		...(agent.errors > 0 ? [counted(agent.errors, 'error')] : []),
	];
	return [
		...(agent.told.phase === undefined
			? []
			: [
					span(`${agent.told.phase}${agent.told.status ? `: ${agent.told.status}` : ''}  `, 'info'),
				]),
		span(parts.join(' · '), 'dim'),
	];
};

/** Returns what an agent waits for, or why it is where it is. */
export const waitingRow = (state: State, agent: Agent): Row => {
	const [item] = [...holdsOf(state, agent), ...itemsOf(state, agent.id)];
	if (item !== undefined) {
		return [span(`waits for you: ${item.id} ${item.kind}`, 'warn')];
	}

	const others = agent.state === 'PENDING' ? waitsFor(state, agent) : [];
	return others.length > 0
		? [span(`waits for ${others.join(', ')}`, 'info')]
		: [span(agent.why, 'dim')];
};
