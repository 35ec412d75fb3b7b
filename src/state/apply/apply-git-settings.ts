import type {BodyOf} from '../../events/event.ts';
import {changedText} from '../merge/git-settings.ts';
import {withoutResult} from '../merge/members.ts';
import {type State, withItem} from '../state.ts';

/** Building waits: for conflicts to be resolved, or for a person to see what their own git goes by now. */
export const mergeBlocked = (state: State, {gitSettings}: BodyOf<'merge.blocked'>): State =>
	gitSettings === undefined
		? withoutResult(state, 'blocked')
		: withItem(withoutResult(state, 'failed'), {
				kind: 'verify',
				commit: '',
				why: `${changedText(gitSettings)} ${heldWords}`,
				gitSettings: gitSettings.digest,
			});

const heldWords =
	'Filters would take the work in by that, and none was started. Look at what changed: to try again is to go on with it.';
