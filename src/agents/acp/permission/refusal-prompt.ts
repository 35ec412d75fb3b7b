import {oneLine} from '../../one-line.ts';
import type {Refusal} from './gate.ts';

/** Returns the prompt for an agent that stopped because it was refused something, which the protocol has no words for. */
export const refusalPrompt = (refusals: readonly Refusal[]): string =>
	[
		'REFUSED',
		...refusals.map(({title, why}) => `- ${oneLine(title)}: ${oneLine(why)}`),
		'',
		'Your turn was cut off by that. Go on without it, in your scope. If you need it, ask with SCOPE_REQUEST or CLARIFICATION_NEEDED and end your turn; if your subtask is done, end with a COMPLETION_REPORT.',
	].join('\n');
