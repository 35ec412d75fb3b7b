import {join} from 'node:path';
import {execa} from 'execa';
import {expect, test} from 'vitest';
import {temporaryFolder} from '../helpers/repository.ts';

const program = join(import.meta.dirname, '../../bin/delegate-tui.cjs');

const play = (scene: string) =>
	execa(process.execPath, [program, 'demo', scene, '--headless', '--fast'], {
		cwd: temporaryFolder(),
		env: {PATH: process.env.PATH ?? '', HOME: temporaryFolder(), TMPDIR: temporaryFolder()},
		extendEnv: false,
	});

test.each([
	['sequential', 'AGT-002'],
	['stop-work', 'hours.txt'],
])(
	'the scene %s plays to its merge',
	async (scene, shown) => {
		const {stdout} = await play(scene);
		expect(stdout).toContain(shown);
		expect(stdout.split('\n').at(-1)).toMatch(/^merged [\da-f]{40} into main$/);
	},
	60_000,
);
