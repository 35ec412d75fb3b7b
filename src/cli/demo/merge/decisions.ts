import {accept, approve, approvePlan, type Decision} from '../scene.ts';

/** Everything that the scripted person decides in this scene. */
export const decisions: readonly Decision[] = [
	approvePlan(
		'The scopes are narrow and there is a check. The warning is fair: two agents may write src/total.js, and a collision there comes up before anything is merged.',
	),
	{
		kind: 'question',
		agent: 'AGT-001',
		choice: '10',
		why: 'Only the owner knows. The agent was right to ask; any number it made up would have passed its own tests.',
	},
	{
		kind: 'checkpoint',
		agent: 'AGT-002',
		choice: 'continue',
		note: 'Good so far. Round the tip to whole cents, 15 % on a tea is 37.5.',
		why: 'The work is sound but for one case that its test does not try. A note now is cheaper than a review later.',
	},
	accept('AGT-003', 'The receipt is what was asked for, and the price of the cake is not in it.'),
	accept(
		'AGT-001',
		'Every file it claims is there. Accepting merges nothing yet: that takes an approval of the whole.',
	),
	accept('AGT-002', 'It has followed the note.'),
	{
		kind: 'conflict',
		choice: 'sequential:AGT-001,AGT-002',
		note: 'Take the discount first, then the tip on what is left.',
		why: 'Both changes are wanted, so taking one side would lose a feature. The agent that knows its change brings it in again, on top of the other.',
	},
	accept('AGT-002', 'Both intents live in src/total.js now, in the order that the note asked for.'),
	approve(
		'The check passed on exactly this tree, the diff is the three features and nothing else.',
	),
];
