import type {BodyOf} from '../../events/event.ts';
import type {State} from '../../state/state.ts';

/**
Returns the decisions that the plan's supervision level takes.

Semi-autonomous agents go on past their checkpoints, and their finished work is accepted into the merge; what collides, what fails its check, the approval, and a review that was opened again for a reason remain a person's.
*/
export const policyDecisions = (state: State): readonly BodyOf<'user.decided'>[] =>
	state.session?.plan.supervision === 'semi-autonomous'
		? state.items.flatMap(item => {
				const choice = item.kind === 'checkpoint' ? 'continue' : 'merge';
				return item.kind === 'checkpoint' || (item.kind === 'review' && item.trouble === undefined)
					? [{kind: 'user.decided' as const, item: item.id, choice, by: 'policy' as const}]
					: [];
			})
		: [];
