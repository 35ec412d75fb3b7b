import {defined} from '../../lib/values.ts';
import {type State, withItem} from '../state.ts';
import type {Built, Merge, Verified} from './merge.ts';
import {markerNotes, unsignedNotes} from './surface-notes.ts';

/** Opens the approval of a result; `refused` is the reason of the last refused try. */
export const withApproval = (
	state: State,
	{commit, tree, tip}: Built,
	refused?: {readonly message: string; readonly hint: string},
): State => withItem(state, {kind: 'approval', commit, tree, tip, ...defined({refused})});

/** Returns the other programs' ports that a check used, to follow `passed`: `, but it used port 4000, held by node in ~/shop`; empty if none. */
export const portsText = ({commands}: Pick<Verified, 'commands'>): string => {
	const uses = commands.flatMap(({ports = []}) => ports);
	const parts = uses.map(({port, by, maybe}) =>
		maybe
			? `port ${port} was used meanwhile, held by ${by}`
			: `it used port ${port}, held by ${by}`,
	);
	return parts.length === 0 ? '' : `, but ${[...new Set(parts)].join(', and ')}`;
};

/** Returns doubts about a checked result, a sentence each; the first approval shows them, and merges nothing. */
export const resultDoubts = (merge: Merge): readonly string[] => {
	if (merge.phase !== 'verified') {
		return [];
	}

	const {built, verified} = merge;
	const text = portsText(verified);
	return [
		...(verified.ok && text !== '' ? [`Its check passed${text}.`] : []),
		...unsignedNotes(built),
		...markerNotes(built),
	];
};

export const failedCommand = ({commands}: Pick<Verified, 'commands'>): string => {
	const failed = commands.find(({code}) => code !== 0);
	return failed === undefined
		? 'the check failed'
		: `\`${failed.command}\` ${failed.code === null ? 'could not run to its end' : `exited with code ${failed.code}`}`;
};
