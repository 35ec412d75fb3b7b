import {valueText} from '../../lib/text/value-text.ts';

/** One thing that is known of an item, under the name that it is shown by. */
export type Fact = readonly [name: string, value: unknown];

/** Returns a line for each fact; those that say nothing have none. */
export const factLines = (facts: readonly Fact[]): readonly string[] =>
	facts.flatMap(([name, value]) => {
		const text = value === undefined || value === null ? '' : valueText(value);
		return text === '' ? [] : [`${name}: ${text}`];
	});
