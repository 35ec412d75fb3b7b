import {defined} from '../../lib/values.ts';
import {type State, withItem} from '../state.ts';
import type {Built, Verified} from './merge.ts';

/** Asks a person whether a result is to be merged; `refused` is why the last try was. */
export const withApproval = (
	state: State,
	{commit, tree, tip}: Built,
	refused?: {readonly message: string; readonly hint: string},
): State => withItem(state, {kind: 'approval', commit, tree, tip, ...defined({refused})});

/** Says in words which command of a check failed, and how. */
export const failedCommand = ({commands}: Pick<Verified, 'commands'>): string => {
	const failed = commands.find(({code}) => code !== 0);
	return failed === undefined
		? 'the check failed'
		: `\`${failed.command}\` ${failed.code === null ? 'could not run to its end' : `exited with code ${failed.code}`}`;
};
