import type {Change} from '../changes.ts';
import type {Checkout} from '../checkouts.ts';
import {joinNul} from '../nul.ts';
import type {GitResult} from '../result.ts';
import {user} from '../user.ts';
import {oldOf} from './leftover-verdict.ts';
import {moveCheckout, moveFiles, moveRef, type Step} from './move-checkout.ts';
import {findUnmoved} from './unmoved.ts';

/**
Moves a checkout, and takes the move back where files stayed behind that git has gone on without.

Then it counts as failed. Branch and index go back before the files, so that one that is cut off is no move that has arrived.
*/
export const moveWhole = async (
	checkout: Checkout,
	step: Step,
	changes: readonly Change[],
): Promise<GitResult> => {
	const result = await moveCheckout(checkout, step);
	const unmoved = result.code === 0 ? await findUnmoved(step.store, checkout, changes) : [];
	return unmoved.length > 0 && (await wentBack(checkout, step, unmoved))
		? {...result, code: 1, stderr: `error: ${sentence(unmoved)}\n`}
		: result;
};

const sentence = ([first, ...more]: readonly Change[]): string =>
	`it left ${first?.path ?? ''}${more.length === 0 ? '' : ` and ${more.length} more`} as before`;

/** Where the branch has gone on meanwhile, nothing is taken back. */
const wentBack = async (
	checkout: Checkout,
	{target, store, from, to, way}: Step,
	unmoved: readonly Change[],
): Promise<boolean> => {
	const back = {
		target,
		store,
		from: to,
		to: from,
		way: way === 'back' ? 'forward' : 'back',
	} as const;
	const {code} = await moveRef(checkout.root, back);
	if (code !== 0) {
		return false;
	}

	await user(checkout.root, ['update-index', '--replace', '-z', '--index-info'], {
		input: joinNul(unmoved.map(change => oldLine(change, from.length))),
	});
	await moveFiles(checkout, back);
	return true;
};

/** To git an index that has them as they are already needs nothing done about them. */
const oldLine = (change: Change, idLength: number): string => {
	const {mode, oid} = oldOf(change) ?? {mode: '0', oid: '0'.repeat(idLength)};
	return `${mode} ${oid}\t${change.path}`;
};
