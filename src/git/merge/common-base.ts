import {Failure} from '../../lib/failure.ts';
import {lineOf} from '../process/result.ts';
import {sealed} from '../process/sealed.ts';
import type {Store} from '../store/store.ts';

/** Two commits whose histories never meet. */
export class NoCommonBase extends Failure {}

/**
Returns the best common ancestor of two commits; of several the one that git names first.

@throws `NoCommonBase`, of kind `refused`, when there is none.
*/
export const commonBase = async (store: Store, one: string, other: string): Promise<string> => {
	const result = await sealed(store, ['merge-base', one, other], {expect: [0, 1]});
	if (result.code === 0) {
		return lineOf(result);
	}

	throw new NoCommonBase(
		'refused',
		'The two commits have no common ancestor, so git can’t merge them.',
		{
			hint: (await isShallow(store))
				? 'This repository is shallow and may lack it: git fetch --unshallow'
				: 'Start both from one commit.',
		},
	);
};

/** Whether the history that is there was cut off. */
const isShallow = async (store: Store): Promise<boolean> =>
	lineOf(await sealed(store, ['rev-parse', '--is-shallow-repository'])) === 'true';
