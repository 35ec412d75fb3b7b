import {accept, approve, approvePlan, type Decision} from '../scene.ts';

/** Everything that the scripted person decides in this scene. */
export const decisions: readonly Decision[] = [
	approvePlan('The scopes are narrow; what they leave out is reverted.'),
	{
		kind: 'scope',
		agent: 'AGT-001',
		choice: 'once',
		why: 'A test of the new price is worth having, and one new file is easily reviewed.',
	},
	{
		kind: 'permission',
		agent: 'AGT-001',
		choice: 'once',
		why: 'It runs its own test, and nothing else.',
	},
	accept('AGT-001', 'Scones are on the menu, with a test.'),
	accept('AGT-002', 'It talks too much, but its work is short and good.'),
	approve('The check passed, and the diff is what was asked for.'),
];
