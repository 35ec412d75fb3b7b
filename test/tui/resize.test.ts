import {resolve} from 'node:path';
import {expect, test} from 'vitest';
import {makeProject, type Project} from '../helpers/project.ts';
import {openProgram, type TestTerminal} from '../helpers/terminal.ts';

const recording = resolve(import.meta.dirname, '../../fixtures/journals/conflict-by-hand');

type Size = readonly [columns: number, rows: number];

/** Opens a recording that stands still, so that a frame depends on nothing but the size of the window. */
const open = (project: Project, [columns, rows]: Size): TestTerminal =>
	openProgram(project, ['watch', recording, '--at', '30'], {columns, rows});

const isWhole = (rows: readonly string[]): boolean => rows.at(-1)?.includes('leave') === true;

test.each<readonly [Size, Size]>([
	[
		[140, 32],
		[120, 52],
	],
	[
		[120, 52],
		[140, 32],
	],
	[
		[80, 50],
		[80, 24],
	],
])('nothing of the frame of a window of %j is left in one of %j', async (from, to) => {
	const project = makeProject();
	using fresh = open(project, to);
	await fresh.until(isWhole);
	using resized = open(project, from);
	await resized.until(isWhole);
	resized.resize(...to);
	await resized.until(rows => rows.join('\n') === fresh.text());
	expect(resized.rows()).toHaveLength(to[1]);
});
