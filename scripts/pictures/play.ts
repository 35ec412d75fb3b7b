import {keys, type TestTerminal} from '../../test/helpers/terminal.ts';
import {diff, type Person, personAt, type Shoot} from './person.ts';

/** Plays the person of the story with keys, from the plan to the end, and takes the pictures on the way. */
export const play = async (terminal: TestTerminal, shoot: Shoot): Promise<void> => {
	const person = personAt(terminal, shoot);
	await person.open('p', /approve +Start the agents/);
	await person.choose('y');
	await watch(terminal, person);
	await answer(person);
	await lookAtCollisions(terminal, person);
	await review(terminal, person);
	await merge(terminal, person);
	await terminal.until('The session has ended: the work of 3 of 3 agents was merged');
	await frame(person);
	terminal.type(`${keys.left}q`);
	await terminal.exited;
};

/** Takes one frame of the animation. */
const frame = (person: Person): Promise<void> => person.picture('tour', [110, 30], '');

/** Waits until the board has something to show, and three items wait in the inbox. */
const watch = async (terminal: TestTerminal, person: Person): Promise<void> => {
	await terminal.until('⏎ q-1');
	await terminal.until('goes through counted() now');
	await terminal.until('how much, why not now');
	// What the plan's approval came to is told until the next key.
	await terminal.typeUntil(keys.left, rows => !rows.some(row => row.startsWith('✔')));
	await person.picture('board', [120, 29], 'The board: three agents at work, and one of them asks');
	await frame(person);
	await terminal.until('3 waiting');
	terminal.type(`${keys.left}i`);
	await terminal.until('─ Inbox');
	await person.picture(
		'inbox',
		[120, 16],
		'The inbox: everything that waits for you, of all agents',
	);
	terminal.type(keys.escape);
};

const answer = async (person: Person): Promise<void> => {
	await person.open('q', 'per address');
	await frame(person);
	await person.choose('1', /▸1 +per API key/);
	await person.open('cp', '429 Too Many Requests');
	await person.choose('c');
	await person.open('pm', /once +/);
	await person.choose('o');
};

/** Looks at the collisions, while the agents are still working. */
const lookAtCollisions = async (terminal: TestTerminal, person: Person): Promise<void> => {
	await terminal.until('collides with AGT-002');
	terminal.type(`${keys.left}m`);
	await terminal.until('✗ 1 block');
	await person.picture('matrix', [110, 18], 'Who collides with whom, while they work');
	terminal.type(keys.escape);
};

/** Accepts the work of all three, in any order. */
const review = async (terminal: TestTerminal, person: Person): Promise<void> => {
	for (let left = 3; left > 0; left--) {
		await person.open('r', diff);
		if (terminal.text().includes('Count the answers')) {
			await terminal.until(() => isColored(terminal, 'export const'));
			await person.picture(
				'review',
				[160, 36],
				'A review: what the agent says beside what git says',
			);
			await frame(person);
		}

		await person.choose('m');
	}
};

/** Returns whether words on the screen are coloured; highlighting follows a moment after the text. */
const isColored = ({screen, rows}: TestTerminal, words: string): boolean =>
	rows().some((row, at) => {
		const {active} = screen.buffer;
		const line = active.getLine(active.baseY + at);
		const [sign, word] = [row.search(/[+−] /), row.indexOf(words)];
		const colors = [sign, word].map(column => line?.getCell(column)?.getFgColor());
		return sign !== -1 && word !== -1 && colors[0] !== colors[1];
	});

/** Lets one agent redo its changes on top of the other's, and approves the result. */
const merge = async (terminal: TestTerminal, person: Person): Promise<void> => {
	await person.open('c', /src\/server\.js +\+\d[\s\S]*src\/server\.js +\+\d/);
	await person.picture('conflict', [140, 38], 'A conflict: both sides, and the ways to resolve it');
	await frame(person);
	await lookAtHunks(terminal, person);
	await person.choose('3', /▸ +AGT-002 .* redoes its work/);
	await person.open('r', diff);
	await person.choose('m');
	await person.open('a', diff);
	await person.picture(
		'approval',
		[140, 32],
		'The approval: the merged result, its check and its diff',
	);
	await frame(person);
	await person.choose('y');
};

/** Looks at the conflict hunk by hunk, without resolving it. */
const lookAtHunks = async (terminal: TestTerminal, person: Person): Promise<void> => {
	terminal.type('m');
	await terminal.until('▸m');
	terminal.type(keys.enter);
	await terminal.until('Result: ✗ unresolved');
	await person.picture(
		'hunks',
		[150, 17],
		'A conflict, hunk by hunk: both sides, and the keys that settle it',
	);
	terminal.type(keys.escape);
	await terminal.until('Resolving by hand');
};
