import type {Deadline} from '../../src/events/deadline.ts';
import type {EffectKey} from '../../src/events/effect-key.ts';

/** Returns an effect's key as one word, so that a test can list the owed ones in a line. */
export const keyText = (key: EffectKey): string => {
	switch (key.do) {
		case 'prepare':
		case 'rework':
			return `${key.do}:${key.agent}`;
		case 'restore':
			return `restore:${key.agent}:${key.number}`;
		case 'start':
		case 'end-turn':
			return `${key.do}:${key.agent}:${key.turn}`;
		case 'reply':
			return `reply:${key.agent}:${key.items.join(',')}`;
		case 'snapshot':
			return `snapshot:${key.agent}:${key.reason}`;
		case 'run-command':
			return `run-command:${key.agent}:${key.item}:${key.since}`;
		case 'open-resolution':
			return `open-resolution:${key.conflict}`;
		case 'build': {
			const work = key.work.map(({agent, snapshot}) => `${agent}@${snapshot}`);
			return ['build', key.tip, ...work, key.resolutions].join(':');
		}

		case 'verify':
			return `verify:${key.commit}:${key.since}`;
		case 'check-part':
			return `check-part:${key.since}:${key.agents.join('+')}`;
		case 'check-outcome':
			return `check-outcome:${key.conflict}:${key.choice}:${key.since}`;
		case 'bring-back':
			return `bring-back:${key.agent}:${key.since}`;
		case 'check-snapshot':
			return `check-snapshot:${key.agent}:${key.number}:${key.since}`;
		case 'publish':
			return `publish:${key.commit}:${key.approval}`;
		case 'clear-up':
			return 'clear-up';
	}
};

/** Returns a deadline as one word. */
export const deadlineText = (deadline: Deadline): string => {
	switch (deadline.of) {
		case 'retry':
			return `retry:${keyText(deadline.effect)}:${deadline.since}`;
		case 'limit':
			return `limit:${deadline.agent}:${deadline.timeoutMs}:${deadline.turn}`;
		case 'near-limit':
			return `near-limit:${deadline.agent}:${deadline.timeoutMs}:${deadline.turn}`;
		case 'closing':
			return `closing:${deadline.agent}:${deadline.turn}:${deadline.since}`;
		case 'grace':
			return `grace:${deadline.agent}:${deadline.turn}:${deadline.since}`;
		case 'start':
			return `start:${deadline.agent}:${deadline.since}:${deadline.asked}`;
		case 'model':
			return `model:${deadline.agent}:${deadline.turn}`;
		case 'reset':
			return `reset:${deadline.agent}:${deadline.until}`;
		case 'listening':
			return `listening:${deadline.agent}:${deadline.seq}`;
	}
};

/** Returns a deadline that nothing waits for, identified by its number. */
export const someDeadline = (seq: number): Deadline => ({of: 'listening', agent: 'nobody', seq});
