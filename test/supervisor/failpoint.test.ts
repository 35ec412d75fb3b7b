import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {execa} from 'execa';
import {expect, test} from 'vitest';

const module = pathToFileURL(join(import.meta.dirname, '../../src/supervisor/failpoint.ts')).href;

/** Passes the moments before and after two batches of events, and says how far it came. */
const program = `
	import {failpoint} from ${JSON.stringify(module)};
	const batches = [[{kind: 'turn.started'}, {kind: 'turn.ended'}], [{kind: 'turn.started'}]];
	batches.forEach((batch, number) => {
		failpoint('before', batch);
		console.log('wrote ' + number);
		failpoint('after', batch);
		console.log('told ' + number);
	});
`;

const runWith = async (point: string) => {
	const {stdout, signal} = await execa(
		process.execPath,
		[
			...['--experimental-strip-types', '--no-warnings', '--input-type=module'],
			...['--eval', program],
		],
		{env: {DELEGATE_TUI_FAILPOINT: point}, reject: false},
	);
	return {stdout: stdout.split('\n'), signal};
};

test('a process ends itself at the moment that its environment names, and nowhere else', async () => {
	const all = ['wrote 0', 'told 0', 'wrote 1', 'told 1'];
	const [before, after, never, none] = await Promise.all([
		runWith('before:turn.started:2'),
		runWith('after:turn.ended:1'),
		runWith('after:turn.ended:2'),
		runWith(''),
	]);
	expect(before).toEqual({stdout: all.slice(0, 2), signal: 'SIGKILL'});
	expect(after).toEqual({stdout: all.slice(0, 1), signal: 'SIGKILL'});
	expect(never).toMatchObject({stdout: all});
	expect(none).toMatchObject({stdout: all});
});
