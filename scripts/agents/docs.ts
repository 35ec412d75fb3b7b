import {type Fault, faults} from '../../fixtures/models/faults.ts';
import {withPart} from '../document-part.ts';
import {faultTable} from './faults/fault-table.ts';
import {incidents} from './faults/incidents.ts';
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

/** Returns the text of docs/agents.md with the effects of misbehaving models, and of incidents; what was not tried stays. Throws like `withTrials`. */
export const withFaults = (
	text: string,
	trials: readonly FaultTrial[],
	occasion: Occasion,
): string => {
	const put = (before: string, name: string, rows: readonly Pick<Fault, 'title'>[]): string =>
		trials.some(({fault}) => rows.some(({title}) => title === fault.title))
			? withTold(before, name, occasion, faultTable(trials, rows, partIn(before, name)))
			: before;
	return put(put(text, 'tried faults', faults), 'tried incidents', incidents);
};

/** Returns a text with the results of an occasion; results of earlier days may stay among them. */
const withTold = (text: string, name: string, {date, machine}: Occasion, part: string): string => {
	const first = /^Tried (?:on|from) (\S+?),? /m.exec(partIn(text, name))?.[1] ?? date;
	const dates =
		name === 'tried agents' || first === date ? `on ${date}` : `from ${first} to ${date}`;
	return withPart(
		text,
		{file: 'docs/agents.md', name},
		`Tried ${dates}, on ${machine}:\n\n${part}`,
	);
};

const partIn = (text: string, name: string): string =>
	new RegExp(`<!-- ${name} -->([\\s\\S]*)<!-- /${name} -->`).exec(text)?.[1] ?? '';
