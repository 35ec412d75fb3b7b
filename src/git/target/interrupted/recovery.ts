import type {Checkout} from '../../repository/checkouts.ts';
import type {Change} from '../../tree/changes.ts';
import type {Obstacle} from '../obstacles/obstacle.ts';

/**
What is left to do about a move that was cut off: nothing, only the branch itself to be moved since its checkout has arrived, or a person must look.

A checkout may have arrived without some files, which are as before: `unmoved`. Then no branch may follow it, and it has to go back.
*/
export type Recovery =
	| {readonly kind: 'clear'}
	| {readonly kind: 'staged'; readonly checkout: Checkout; readonly unmoved: readonly Change[]}
	| {readonly kind: 'blocked'; readonly obstacle: Obstacle};
