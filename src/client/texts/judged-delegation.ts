import {enumerated} from '../../lib/text/enumerated.ts';
import type {InboxItem} from '../../rules/inbox.ts';

/** Something that the rules looked at, and what they found; `holds` is absent where they only tell it. */
export type Judged = {
	readonly about: string;
	readonly holds?: boolean;
	readonly found: string;
};

/** Returns what the rules say of work that an agent wants to hand on: whether it is justified and independent, whether a slot is free, who may write the same. */
export const judgedDelegation = ({
	agent = 'its agent',
	doubts,
	independent,
	place_free,
	overlap,
	coordination,
}: Pick<
	InboxItem<'delegation'>,
	'agent' | 'doubts' | 'independent' | 'place_free' | 'overlap' | 'coordination'
>): readonly Judged[] => [
	...(doubts.length === 0
		? [{about: 'Justified', holds: true, found: 'nothing speaks against it'}]
		: doubts.map(found => ({about: 'Justified', holds: false, found}))),
	{
		about: 'Independent',
		holds: independent,
		found: independent
			? `${agent} goes on with its own work`
			: `${agent} waits until that work is accepted`,
	},
	{
		about: 'A place',
		holds: place_free,
		found: place_free ? 'is free' : 'is not free; it waits for one',
	},
	{
		about: 'Overlap',
		holds: overlap.length === 0,
		found:
			overlap.length === 0
				? 'nobody may write what it may'
				: `it may write what ${enumerated(overlap)} may, unless its scope is edited`,
	},
	...(coordination === undefined ? [] : [{about: 'To agree on', found: coordination}]),
];

/** Returns what was found with its mark. */
export const judgedText = ({holds, found}: Judged): string =>
	holds === undefined ? found : `${holds ? '✓' : '✗'} ${found}`;
