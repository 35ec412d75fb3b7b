import {withPart} from '../document-part.ts';
import {faultTable} from './faults/fault-table.ts';
import type {FaultTrial} from './faults/try-fault.ts';
import {reasonsIn, tableOf} from './table.ts';
import type {Trial} from './try-agent.ts';

/** Time and place of the trials. */
export type Occasion = {
	/** Date, such as `2026-11-22`. */
	readonly date: string;
	/** System and tools, with their versions. */
	readonly machine: string;
};

/**
Returns the text of docs/agents.md with the results of the trials.

Throws if the text has no place for them.
*/
export const withTrials = (text: string, trials: readonly Trial[], occasion: Occasion): string => {
	const reasons = reasonsIn(trials).map(reason => `- ${reason}\n`);
	const part = [tableOf(trials), ...(reasons.length === 0 ? [] : [reasons.join('')])].join('\n');
	return withTold(text, 'tried agents', occasion, part);
};

/** Returns the text of docs/agents.md with the effects of misbehaving models; throws like `withTrials`. */
export const withFaults = (
	text: string,
	trials: readonly FaultTrial[],
	occasion: Occasion,
): string => withTold(text, 'tried faults', occasion, faultTable(trials));

const withTold = (text: string, name: string, {date, machine}: Occasion, part: string): string =>
	withPart(text, {file: 'docs/agents.md', name}, `Tried on ${date}, on ${machine}:\n\n${part}`);
