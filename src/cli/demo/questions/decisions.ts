import type {State} from '../../../state/state.ts';
import {accept, approve, approvePlan, type Decision} from '../scene.ts';

/** Only who knows all that is asked sees that two of them ask the same. */
const haveBothAsked = ({agents}: State): boolean =>
	agents.every(({turn}) => turn.number > 0 && turn.phase === 'ended');

/** Everything that the scripted person decides in this scene. */
export const decisions: readonly Decision[] = [
	approvePlan('The scopes share no file. What they will have to ask is not written anywhere.'),
	{
		kind: 'question',
		agent: 'AGT-002',
		choice: 'up',
		when: haveBothAsked,
		why: 'The house never loses half a cent. It is urgent, so it stands first; the other agent asks the same, and "--same" would answer both.',
	},
	{
		kind: 'question',
		agent: 'AGT-001',
		choice: 'up',
		why: 'The same answer: two parts of one till must round alike.',
	},
	{
		kind: 'question',
		agent: 'AGT-001',
		choice: '10',
		why: 'It can’t be read anywhere, so a person has to say it. It asked both at once, and goes on when both are answered.',
	},
	accept('AGT-001', 'It takes ten percent off, and says how it rounds.'),
	accept('AGT-002', 'It rounds as the other one does.'),
	approve('The check passed on exactly this tree.'),
];
