import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {expect, onTestFinished, test} from 'vitest';
import {deepestOf, processTree} from '../../../src/lib/process/process-table.ts';

/** A shell that starts another program, which says when it is there. */
const makeFamily = async (program: string) => {
	const child = spawn('sh', ['-c', `sh -c 'echo here; exec ${program}'; :`], {detached: true});
	onTestFinished(() => void process.kill(-(child.pid ?? 0), 'SIGKILL'));
	await once(child.stdout, 'data');
	const look = () => processTree(({pid}) => pid === child.pid);
	return {child, look};
};

test('a tree is a process and what it has started, the one that is waited for last', async () => {
	const {child, look} = await makeFamily('sleep 1000');
	await expect.poll(() => deepestOf(look())?.words).toEqual(['sleep', '1000']);
	const tree = look();
	expect(tree.map(({pid, parent}) => [pid, parent])).toEqual([
		[child.pid, process.pid],
		[expect.any(Number), child.pid],
	]);
});

test('one that has started nothing waits for nobody', async () => {
	const {look} = await makeFamily('sleep 1000');
	expect(deepestOf(look().slice(0, 1))).toBeUndefined();
	expect(processTree(() => false)).toEqual([]);
});
