import type {TurnEnd} from '../../../events/event.ts';
import type {Agent} from '../../../state/agent/agent.ts';

/** Returns how an agent's last turn ended, in words; nothing while it has not. */
export const endOf = ({turn}: Agent): string | undefined =>
	turn.phase === 'ended' ? `turn ${turn.number} ${words(turn.end)}` : undefined;

const words = (end: TurnEnd): string => {
	switch (end.by) {
		case 'exit':
			return `ended with exit code ${end.code}`;
		case 'signal':
			return `was killed by ${end.signal}`;
		case 'error':
			return `could not go on: ${end.cause}`;
		case 'stopped':
			return 'was stopped by the supervisor';
		case 'lost':
			return 'was lost with its supervisor';
	}
};
