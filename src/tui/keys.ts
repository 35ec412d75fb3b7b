import {isListed} from './action.ts';
import {choiceActions, snoozing} from './keys/choices.ts';
import {conflictActions, outcomeActions} from './keys/conflict.ts';
import {finding} from './keys/finding.ts';
import {formActions} from './keys/form.ts';
import {hunkActions} from './keys/hunks.ts';
import {lines} from './keys/lines.ts';
import {matrix} from './keys/matrix.ts';
import {marking, moving, scrolling, unread} from './keys/moving.ts';
import {opening, playing, setBackActions, undoKeys} from './keys/opening.ts';
import {palette} from './keys/palette.ts';
import {planActions} from './keys/plan.ts';
import {answersActions, questionActions} from './keys/question.ts';
import {session} from './keys/session.ts';
import {checkingWork, messaging, restartingFailed, resuming, steering} from './keys/steering.ts';
import {workParts} from './keys/work-parts.ts';
import {writing} from './keys/writing.ts';
import {type Action, whereTitles} from './model/view.ts';
import {keySign} from './terminal/key-name.ts';

/**
All actions of the screen, with their keys.

Bindings, footer, help and documentation are made from this table; a key triggers the first action that fits, and a narrow footer shows the first ones.
*/
export const actions: readonly Action[] = [
	...planActions,
	...writing,
	...finding,
	...playing,
	...hunkActions,
	...conflictActions,
	...setBackActions,
	...questionActions,
	...formActions,
	...answersActions,
	...choiceActions,
	...restartingFailed,
	...outcomeActions,
	...matrix,
	...undoKeys,
	...opening,
	...unread,
	...lines,
	...marking,
	...scrolling,
	...workParts,
	...checkingWork,
	...snoozing,
	...resuming,
	...messaging,
	...session,
	...steering,
	...moving,
	...palette,
];

/** Returns the table with the config's keys; an unknown name is ignored. */
export const withKeys = (own: Readonly<Record<string, string>>): readonly Action[] =>
	actions.map(action => {
		const key = own[action.name];
		return key === undefined ? action : {...action, keys: [key]};
	});

/** Returns the table of keys, its head first, for the documentation and for people who ask. */
export const keysTable = (actions: readonly Action[]): readonly (readonly string[])[] => [
	['where', 'key', 'what it does', 'name'],
	...Object.entries(whereTitles).flatMap(([where, title]) =>
		actions
			.filter(action => action.where.some(one => one === where) && isListed(action))
			.map(action => [title, keysOf(action), action.help, `\`${action.name}\``]),
	),
];

const keysOf = ({name, keys}: Pick<Action, 'name' | 'keys'>): string =>
	/-1$/.test(name) ? '`1`–`9`' : keys.map(key => `\`${keySign(key)}\``).join(' ');
