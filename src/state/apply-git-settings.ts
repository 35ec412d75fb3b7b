import type {BodyOf} from '../events/event.ts';
import {changedText} from './git-settings.ts';
import type {ItemOf} from './item.ts';
import {type State, withItem} from './state.ts';

/** Building waits: for conflicts to be resolved, or for a person to see what their own git goes by now. */
export const mergeBlocked = (state: State, {gitSettings}: BodyOf<'merge.blocked'>): State =>
	gitSettings === undefined
		? {...state, merge: {phase: 'blocked'}}
		: withItem(
				{...state, merge: {phase: 'failed'}},
				{
					kind: 'verify',
					commit: '',
					why: `${changedText(gitSettings)} ${heldWords}`,
					gitSettings: gitSettings.digest,
				},
			);

const heldWords =
	'Filters would take the work in by that, and none was started. Look at what changed: to try again is to go on with it.';

/** What a person goes on with has been shown to them: what held a result back, or what came with it. */
export const settingsAgreed = (
	state: State,
	{choice}: BodyOf<'user.decided'>,
	item: ItemOf<'verify'> | ItemOf<'approval'>,
): State => {
	const {merge} = state;
	const shown =
		item.kind === 'verify' && choice === 'retry'
			? item.gitSettings
			: item.kind === 'approval' && choice === 'approve' && merge.phase === 'verified'
				? merge.built.gitSettings?.digest
				: undefined;
	return shown === undefined ? state : {...state, agreedSettings: shown};
};
