import {readDemoScene} from '../../src/cli/demo/scenes.ts';
import type {TestTerminal} from '../../test/helpers/terminal.ts';
import {diff, personAt, type Shoot} from './person.ts';
import {program, type Story} from './playground.ts';

const {files, plan, cast} = await readDemoScene('collisions');

const scenes = Object.entries(cast).map(
	([name, player]) => [name, 'scene' in player ? player.scene : player.script] as const,
);

/** The demo's scene in which git sees no conflict, as a session of its own. */
export const breakage: Story = {
	files: {...files, '.delegate-tui.yaml': 'docs: false\n'},
	scenes: Object.fromEntries(scenes.map(([name, text]) => [`${name}.yaml`, text])),
	plan: pathOf =>
		scenes.reduce(
			(text, [name]) =>
				text.replace(
					`agent: ${name}\n`,
					`agent: {protocol: acp, command: [${process.execPath}, ${program}, scripted-agent, ${pathOf(`${name}.yaml`)}]}\n`,
				),
			plan,
		),
};

/** Plays its person with keys until the two works, each fine by itself, are merged. */
export const playBreakage = async (terminal: TestTerminal, shoot: Shoot): Promise<void> => {
	const person = personAt(terminal, shoot);
	await person.open('p', /approve +Start the agents/);
	await person.choose('y');
	for (let left = 2; left > 0; left--) {
		await person.open('cp', diff);
		await person.choose('c');
	}

	for (let left = 2; left > 0; left--) {
		await person.open('r', diff);
		await person.choose('m');
	}

	await person.open('c', /TS\d+[\s\S]*src\/price\.ts +\+\d/);
	await person.picture(
		'breakage',
		[140, 40],
		'A conflict that git does not see: what one changed, and what the other calls',
	);
};
