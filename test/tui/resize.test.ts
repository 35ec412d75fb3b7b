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

/** Each narrower, wider, higher or lower than the one before, or two of these. */
const sizes: readonly Size[] = [
	[120, 52],
	[140, 32],
	[80, 50],
	[80, 24],
	[120, 40],
	[200, 50],
];

test('nothing of a frame is left in a window of another size', async () => {
	const project = makeProject();
	using resized = open(project, [140, 32]);
	await resized.until(isWhole);
	for (const size of sizes) {
		using fresh = open(project, size);
		await fresh.until(isWhole);
		resized.resize(...size);
		await expect.poll(() => resized.text() === fresh.text()).toBe(true);
		expect(resized.rows()).toHaveLength(size[1]);
	}
});
