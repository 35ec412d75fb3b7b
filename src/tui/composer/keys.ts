import {fieldActions} from './keys/field.ts';
import {movingActions} from './keys/moving.ts';
import {planActions} from './keys/plan.ts';
import {plannerActions} from './keys/planner.ts';
import {subtaskActions} from './keys/subtask.ts';
import {writingActions} from './keys/writing.ts';
import type {ComposerAction} from './model/view.ts';

/** Everything a person can do while they compose a plan, with its keys; the first action that fits a key is the one it means. */
export const composerActions: readonly ComposerAction[] = [
	...writingActions,
	...fieldActions,
	...planActions,
	...subtaskActions,
	...plannerActions,
	...movingActions,
];
