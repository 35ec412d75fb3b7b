import type {Action} from '../action.ts';
import type {Context, Outcome} from '../model/view.ts';

const play =
	(step: number | 'toggle') =>
	({view}: Context): Outcome => ({view, effects: [{do: 'play', step}]});

/** How a recording is played. */
export const playing: readonly Action[] = [
	{
		name: 'pause',
		keys: ['space'],
		label: 'pause/play',
		help: 'pause the recording, or let it go on',
		where: ['recording'],
		run: play('toggle'),
	},
	{
		name: 'forth',
		keys: ['right', '.'],
		label: 'step',
		help: 'go on by one event',
		where: ['recording'],
		run: play(1),
	},
	{
		name: 'back-one',
		keys: ['left', ','],
		help: 'go back by one event',
		where: ['recording'],
		run: play(-1),
	},
	{
		name: 'forth-many',
		keys: [']'],
		help: 'go on by twenty events',
		where: ['recording'],
		run: play(20),
	},
	{
		name: 'back-many',
		keys: ['['],
		help: 'go back by twenty events',
		where: ['recording'],
		run: play(-20),
	},
];
