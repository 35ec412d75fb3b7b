import type {Definition} from './definition.ts';
import {signals} from './index.ts';

/** Returns what an agent that is handed tools must know of them beyond their own descriptions. */
export const toolInstructions = (definitions: readonly Definition[] = signals): string =>
	[
		'# How to be heard by tools',
		`You are handed tools that say the signals below: ${names(definitions)}. Where you have them, call them instead of writing signals; what can be answered at once is answered in the call. When a tool tells you to end your turn, end it. What you say both ways, in the same words and the same turn, counts once.`,
	].join('\n\n');

const names = (definitions: readonly Definition[]): string =>
	definitions.flatMap(({tool}) => tool?.name ?? []).join(', ');
