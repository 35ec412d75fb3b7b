import type {Deadline} from '../../events/deadline.ts';
import type {EffectKey} from '../../events/effect-key.ts';

/** Returns what was done, and for whom. */
export const effectText = (key: EffectKey): string =>
	'agent' in key ? `${key.do} ${key.agent}` : key.do;

/** Returns what was waited for. */
export const deadlineText = (deadline: Deadline): string => {
	switch (deadline.of) {
		case 'retry':
			return `the next try to ${effectText(deadline.effect)}`;
		case 'limit':
			return `the time limit of ${deadline.agent}`;
		case 'near-limit':
			return `most of the time of ${deadline.agent}`;
		case 'closing':
			return `the end of ${deadline.agent}’s turn after its limit`;
		case 'grace':
			return `the time that ${deadline.agent} had to wait in its turn, or to end it`;
		case 'start':
			return `the start of ${deadline.agent}`;
		case 'model':
			return `the pause of ${deadline.agent} before it tries its model again`;
		case 'reset':
			return `the limit that ${deadline.agent} met`;
		case 'listening':
			return `the answer to a call of ${deadline.agent}`;
	}
};
