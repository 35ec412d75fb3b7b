import type {BodyOf} from '../events/event.ts';
import {shortOid} from '../lib/text/short-oid.ts';

/** Returns what tree a merge brought, and whether that is the one that was checked; earlier versions didn't tell. */
export const landedText = ({tree, checked}: BodyOf<'merge.published'>): string => {
	if (tree === undefined) {
		return '';
	}

	const said = {
		passed: 'exactly as it was checked',
		failed: 'whose check FAILED',
		not: 'not checked',
	};
	return `, tree ${shortOid(tree)}${checked === undefined ? '' : `, ${said[checked]}`}`;
};
