import {shortOid} from '../../lib/text/short-oid.ts';
import {whyNotUndo} from '../../rules/effects/undo.ts';
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
		when: ({model}) => model.state.publication.phase !== 'none',
		whyNot: context => inRecording(context) ?? whyNotUndo(context.model.state),
		run: ({model, view}) => confirming(view, questionOf(model.state), effectOf(model.state)),
	},
];

const questionOf = ({publication, session}: State): string => {
	const target = session?.target ?? '';
	const commit = publication.phase === 'none' ? '' : shortOid(publication.commit);
	return publication.phase === 'standing'
		? `Take the merge ${commit} back from ${target}? Your own edits stay; later commits stay on top.`
		: `Bring the merge ${commit} back into ${target}?`;
};

/** It is for the merge that the person saw: pressed twice, it doesn't turn itself round. */
const effectOf = ({publication}: State) => {
	const isUndo = publication.phase === 'standing';
	const merge = publication.phase === 'none' ? '' : publication.commit;
	return {
		do: 'ask',
		request: {do: 'undo', agreed: {turn: isUndo ? 'undo' : 'redo', merge}},
		done: isUndo ? 'The merge is taken back' : 'The merge is brought back',
	} as const;
};
