import {accept, approve, approvePlan, type Decision} from '../scene.ts';

/** Everything that the scripted person decides in this scene. */
export const decisions: readonly Decision[] = [
	approvePlan('The scopes are narrow, and there is a check.'),
	{
		kind: 'blocker',
		agent: 'AGT-002',
		choice: 'resolved',
		note: 'Whoever calls leftover() knows whether the house is closed; take that as given.',
		why: 'It was right to stop: the closing time is nobody else’s to make up, and not needed here.',
	},
	{
		kind: 'failure',
		agent: 'AGT-001',
		choice: 'retry',
		why: 'Its worktree was pinned when the process died, so it can go on where it stood.',
	},
	accept('AGT-001', 'The new price is in the menu and in the test.'),
	accept('AGT-002', 'Its own test passes. Whether all of it fits together, the check will tell.'),
	{
		kind: 'verify',
		choice: 'feedback',
		note: 'Take the price from the menu in the tests.',
		why: 'Each part was fine and the whole is not, so they go back with what failed.',
	},
	accept('AGT-001', 'Its test is as it was, and it says why.'),
	accept('AGT-002', 'Its test follows the menu now.'),
	approve('The check passes now, on exactly this tree.'),
];
