import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {isDeepStrictEqual} from 'node:util';
import {expect, onTestFinished, test} from 'vitest';
import {deepestOf, processTree} from '../../../src/lib/process/process-tree.ts';

/** A shell that starts another program, which says when it is there. */
const makeFamily = async (program: string) => {
	const child = spawn('sh', ['-c', `sh -c 'echo here; exec ${program}'; :`], {detached: true});
	onTestFinished(() => void process.kill(-(child.pid ?? 0), 'SIGKILL'));
	await once(child.stdout, 'data');
	const look = () => processTree(({pid}) => pid === child.pid);
	return {child, look};
};

test('a family is a process and what it has started, the one that is waited for last', async () => {
	const {child, look} = await makeFamily('sleep 1000');
	await expect.poll(() => deepestOf(look())?.command).toBe('sleep 1000');
	const family = look();
	expect(family.map(({pid, parent}) => [pid, parent])).toEqual([
		[child.pid, process.pid],
		[expect.any(Number), child.pid],
	]);
	// What was started a moment ago still loads itself, and each look shows that.
	await expect.poll(() => isDeepStrictEqual(look(), look())).toBe(true);
});

test('what a member does shows', async () => {
	const {child, look} = await makeFamily('cat');
	await expect.poll(() => deepestOf(look())?.command).toBe('cat');
	const before = deepestOf(look());
	child.stdin.write('a line\n');
	await once(child.stdout, 'data');
	expect(deepestOf(look())?.done).not.toBe(before?.done);
});

test('one that has started nothing waits for nobody', async () => {
	const {look} = await makeFamily('sleep 1000');
	expect(deepestOf(look().slice(0, 1))).toBeUndefined();
	expect(processTree(() => false)).toEqual([]);
});
