import {type Action, withOwnKeys} from './action.ts';
import {answersActions} from './keys/answers.ts';
import {choiceActions, snoozing} from './keys/choices.ts';
import {conflictActions, outcomeActions} from './keys/conflict.ts';
import {formActions} from './keys/form.ts';
import {hunkActions} from './keys/hunks.ts';
import {matrix} from './keys/matrix.ts';
import {moving, scrolling} from './keys/moving.ts';
import {opening} from './keys/opening.ts';
import {pickingActions} from './keys/picking.ts';
import {playing} from './keys/playing.ts';
import {questionActions} from './keys/question.ts';
import {session} from './keys/session.ts';
import {setBackActions} from './keys/set-back.ts';
import {checkingWork, messaging, restartingFailed, steering} from './keys/steering.ts';
import {undo} from './keys/undo.ts';
import {workParts} from './keys/work-parts.ts';
import {writing} from './keys/writing.ts';

/**
Everything a person can do, with its keys.

The one place that bindings, footer, help and documentation are made from; the first action that fits a key is the one it means, and the first ones are those that a narrow footer shows.
*/
export const actions: readonly Action[] = [
	...writing,
	...playing,
	...hunkActions,
	...pickingActions,
	...conflictActions,
	...setBackActions,
	...questionActions,
	...formActions,
	...answersActions,
	...choiceActions,
	...restartingFailed,
	...outcomeActions,
	...matrix,
	...undo,
	...opening,
	...scrolling,
	...workParts,
	...checkingWork,
	...snoozing,
	...messaging,
	...session,
	...steering,
	...moving,
];

/** Returns the table with the keys that the config gives. */
export const withKeys = (own: Readonly<Record<string, string>>): readonly Action[] =>
	withOwnKeys(actions, own);
