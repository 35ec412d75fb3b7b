import {reasonsIn, tableOf} from './table.ts';
import type {Trial} from './try-agent.ts';

/** When and where the agents were tried. */
export type Occasion = {
	/** As `2026-11-22`. */
	readonly date: string;
	/** The system and the tools, with their versions. */
	readonly machine: string;
};

const place = /(<!-- tried agents -->\n)[\s\S]*(<!-- \/tried agents -->)/;

/**
Returns the text of docs/agents.md with what came of the trials in it.

Throws when the text has no place for them.
*/
export const withTrials = (
	text: string,
	trials: readonly Trial[],
	{date, machine}: Occasion,
): string => {
	if (!place.test(text)) {
		throw new Error('docs/agents.md has no <!-- tried agents --> … <!-- /tried agents -->.');
	}

	const reasons = reasonsIn(trials).map(reason => `- ${reason}\n`);
	const part = [
		`Tried on ${date}, on ${machine}:\n`,
		tableOf(trials),
		...(reasons.length === 0 ? [] : [reasons.join('')]),
	].join('\n');
	return text.replace(place, (_, start: string, end: string) => `${start}\n${part}\n${end}`);
};
