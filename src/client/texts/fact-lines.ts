import {valueText} from '../../lib/text/value-text.ts';
import type {Signal} from '../../signals/index.ts';

/** One thing that is known of an item, under the name that it is shown by. */
export type Fact = readonly [name: string, value: unknown];

/** Returns what an agent says that it changed, a fact for each file. */
export const changesSaid = (
	changes: Extract<Signal, {kind: 'checkpoint'}>['changes'],
): readonly Fact[] =>
	changes.map(({file, action, description}) => [
		'Changed, it says',
		[file, action, description].filter(Boolean).join(' · '),
	]);

/** Returns in words what an agent says of its tests; nothing where it says nothing of them. */
export const testsSaid = (
	tests: Extract<Signal, {kind: 'checkpoint'}>['tests'] | null,
): string | undefined => {
	if (!tests) {
		return undefined;
	}

	const failed = tests.failed.length === 0 ? '' : `, failed: ${tests.failed.join(', ')}`;
	return `${tests.executed ? 'run' : 'not run'}${tests.result === undefined ? '' : `, ${tests.result}`}${failed}`;
};

/** Returns a line for each fact; those that say nothing have none. */
export const factLines = (facts: readonly Fact[]): readonly string[] =>
	facts.flatMap(([name, value]) => {
		const text = value === undefined || value === null ? '' : valueText(value);
		return text === '' ? [] : [`${name}: ${text}`];
	});
