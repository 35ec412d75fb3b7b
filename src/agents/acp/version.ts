import {Failure} from '../../lib/failure.ts';
import type {Quirks} from './quirks.ts';

/** What an agent says it is. */
export type Introduction = {readonly name: string; readonly version: string};

/**
Refuses an agent that is older than what is known of its vendor’s agents.

Package managers install an old version without a word where a newer one would need a newer Node.js.
*/
export const requireOldest = (
	{name, version}: Introduction,
	oldest: NonNullable<Quirks['oldest']>,
): void => {
	if (isOlder(version, oldest.version)) {
		throw new Failure(
			'missing',
			`${name} is ${version} here, and what is before ${oldest.version} can’t be kept from running what a project names; ${oldest.install} brings it.`,
			{hint: oldest.install},
		);
	}
};

/** Returns whether one version is older than another; one that can't be read is not held against an agent. */
export const isOlder = (version: string, than: string): boolean => {
	const parts = numbersOf(version);
	const wanted = numbersOf(than);
	const index = wanted.findIndex((number, at) => parts[at] !== number);
	return index !== -1 && (parts[index] ?? Number.POSITIVE_INFINITY) < (wanted[index] ?? 0);
};

const numbersOf = (version: string): readonly number[] =>
	(/^\d+(?:\.\d+)*/.exec(version)?.[0] ?? '')
		.split('.')
		.filter(part => part !== '')
		.map(Number);
