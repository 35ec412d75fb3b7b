import {formatDuration} from '../../lib/text/duration.ts';
import type {InboxItem} from '../../rules/inbox.ts';
import {changesSaid, type Fact, factLines} from './fact-lines.ts';
import {countText} from './spent-text.ts';

/** Returns how much an agent may use, and what it said of its work when that was used up. */
export const limitText = ({
	of,
	used,
	allowed,
	progress,
	changes = [],
}: InboxItem<'limit'>): readonly string[] =>
	factLines([
		...(allowed === null ? [] : [allowanceOf(of, used ?? 0, allowed)]),
		['Progress, it says', progress ? `${progress} %` : undefined],
		...changesSaid(changes),
	]);

const allowanceOf = (of: InboxItem<'limit'>['of'], used: number, allowed: number): Fact => {
	switch (of) {
		case 'work':
		case 'near':
		case 'start':
			return ['It may work for', formatDuration(allowed)];
		case 'tokens':
		case 'tokens-near':
			return ['Tokens', `${countText(used)} of ${countText(allowed)}`];
		case 'turns':
			return ['Turns since your last word or a change', `${used} of ${allowed}`];
	}
};
