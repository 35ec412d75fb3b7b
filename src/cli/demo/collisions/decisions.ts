import {liveCollisions} from '../../../rules/collisions.ts';
import type {State} from '../../../state/state.ts';
import {accept, approve, approvePlan, type Decision} from '../scene.ts';

const areSeenToCollide = (state: State): boolean => liveCollisions(state).length > 0;

const isChecked = ({items}: State): boolean =>
	items.some(item => item.kind === 'conflict' && item.checking?.result !== undefined);

/** Everything that the scripted person decides in this scene. */
export const decisions: readonly Decision[] = [
	approvePlan(
		'The scopes share no file. Whether that is enough, the comparison of their work will tell.',
	),
	{
		kind: 'checkpoint',
		agent: 'AGT-001',
		choice: 'continue',
		when: areSeenToCollide,
		why: 'Its change is what was asked for. The other agent is told of it at its next turn, and so am I.',
	},
	{
		kind: 'checkpoint',
		agent: 'AGT-002',
		choice: 'continue',
		when: areSeenToCollide,
		why: 'Its call is right where it stands, and wrong beside the other one. It may finish; nothing is merged yet.',
	},
	accept('AGT-001', 'Sizes are what was asked for.'),
	accept(
		'AGT-002',
		'Its work is good by itself. That the two collide is asked about before the merge.',
	),
	{
		kind: 'conflict',
		choice: 'check:choose-one:AGT-001',
		why: 'One of them could give up what it did. Before I choose, I have that checked: nothing is decided by it.',
	},
	{
		kind: 'conflict',
		when: isChecked,
		choice: 'sequential:AGT-001,AGT-002',
		note: 'A card buys small teas.',
		why: 'That fails, for the test of the card stays behind. Both changes are wanted anyway, so the one that calls has to follow: it is told the lines of both, and works on top of the other one now.',
	},
	accept('AGT-002', 'Its call names the size now.'),
	approve('Nothing collides any more, and the check passed on exactly this tree.'),
];
