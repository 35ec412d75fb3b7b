import {barredBelow} from '../../lib/text/barred.ts';
import {sanitize} from '../../lib/text/sanitize.ts';
import {valueLines, valueText} from '../../lib/text/value-text.ts';
import type {InboxItem} from '../../rules/inbox.ts';

/** Returns what an agent said of what waits, beside its title: a line for each thing it named, its own words sanitized. */
export const saidText = (item: InboxItem, columns: number | undefined): readonly string[] =>
	factsOf(item).flatMap(([name, value]) => {
		const text = value === undefined || value === null ? '' : valueText(value);
		return text === ''
			? []
			: [barredBelow(`    ${name}: ${sanitize(text)}`, {indent: '      ', columns})];
	});

type Fact = readonly [name: string, value: unknown];

const factsOf = (item: InboxItem): readonly Fact[] => {
	switch (item.kind) {
		case 'blocker':
			return [
				['Kind', item.blocker_type],
				['Why it stops', item.stop_reason],
				['Blocked work', item.blocked_work],
				['To go on it needs', item.resume_requirements],
				...valueLines(item.state_snapshot).map((line): Fact => ['Where it stood', line]),
			];
		default:
			return [];
	}
};
