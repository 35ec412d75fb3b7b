import {shortOid} from '../../lib/text/short-oid.ts';
import {whyNotUndo} from '../../rules/effects/undo.ts';
import {nextToTurn} from '../../state/merge/publication.ts';
import type {State} from '../../state/state.ts';
import type {Action} from '../action.ts';
import {inRecording} from '../model/not-live.ts';
import {confirming} from '../model/view.ts';

/** What can still be done once a merge is published. */
export const undo: readonly Action[] = [
	{
		name: 'undo',
		keys: ['U'],
		label: 'undo merge',
		help: 'take the last merge back; once more, bring it back',
		where: ['board', 'log'],
		when: ({model}) => nextToTurn(model.state) !== undefined,
		whyNot: context => inRecording(context) ?? whyNotUndo(context.model.state),
		run: ({model, view}) => confirming(view, questionOf(model.state), effectOf(model.state)),
	},
];

const questionOf = (state: State): string => {
	const {target, merge, isUndo} = turnOf(state);
	const commit = shortOid(merge);
	return isUndo
		? `Take the merge ${commit} back from ${target}? Your own edits stay; later commits stay on top.`
		: `Bring the merge ${commit} back into ${target}?`;
};

/** It is for the merge that the person saw: pressed twice, it doesn't turn itself round. */
const effectOf = (state: State) => {
	const {merge, isUndo} = turnOf(state);
	return {
		do: 'ask',
		request: {do: 'undo', agreed: {turn: isUndo ? 'undo' : 'redo', merge}},
		done: isUndo ? 'The merge is taken back' : 'The merge is brought back',
	} as const;
};

const turnOf = (state: State) => {
	const {phase, built} = nextToTurn(state) ?? {};
	return {
		target: state.session?.target ?? '',
		merge: built?.commit ?? '',
		isUndo: phase === 'standing',
	};
};
