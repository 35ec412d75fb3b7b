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
		reject: false,
	});

/** What tells that a scene has shown what it is for. */
const shown = {
	parallel: 'AGT-003  starts: Print prices for people',
	sequential: 'AGT-002  starts: Keep the tax rate in a file of its own',
	findings: 'AGT-003  found out: No test tries an empty order',
	delegate: 'AGT-002  starts: The words of a receipt, in German',
	'stop-work': 'run in your worktree; exit code 0',
	failure: 'AGT-003  starts: Write the tables down',
	review: '✗ missing: test/split.test.js',
} as const;

// They share nothing, and each waits for processes most of its time, so all are played at once.
test('each scene shows what it is for, and plays to its merge', async () => {
	const played = Object.entries(shown).map(async ([scene, words]) => {
		const {stdout, stderr} = await play(scene);
		return {scene, words, stdout, stderr};
	});
	for (const {scene, words, stdout, stderr} of await Promise.all(played)) {
		expect({scene, stderr}).toEqual({scene, stderr: ''});
		expect(stdout, scene).toContain(words);
		expect(stdout.split('\n').at(-1), scene).toMatch(/^merged [\da-f]{40} into main$/);
	}
}, 180_000);
