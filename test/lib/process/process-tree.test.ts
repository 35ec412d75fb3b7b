import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {expect, onTestFinished, test} from 'vitest';
import {
	deepestOf,
	processTree,
	readProcessesWith,
	readUsed,
	usageOf,
} from '../../../src/lib/process/process-table.ts';

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

test('what a process and its family use is told together, and nothing of one that is gone', async () => {
	const {child, look} = await makeFamily('sh -c "while :; do :; done"');
	await expect.poll(() => look().length).toBeGreaterThan(1);
	const {pid = 0} = child;
	const used = () => usageOf([pid]).get(pid);
	await expect.poll(() => used()?.cpuMs ?? 0).toBeGreaterThan(20);
	expect(used()).toMatchObject({processes: look().length});
	expect(used()?.memory).toBeGreaterThan(100_000);
	expect(usageOf([2 ** 22 + 1]).size).toBe(0);
});

test('the table of a system without /proc is read with its times and sizes', () => {
	const lines = '  501     1   501   2048   0:01.50\n  502   501   501    512 1-02:03:04\n';
	expect(readUsed(lines)).toEqual([
		{pid: 501, parent: 1, group: 501, cpuMs: 1500, memory: 2 ** 21},
		{pid: 502, parent: 501, group: 501, cpuMs: 93_784_000, memory: 2 ** 19},
	]);
});

test('the processes with a variable are those that ps shows with it only behind their words', () => {
	const started = 'Mon Nov 30 02:05:09 2026';
	const all = [
		`  501 ${started} node a.js DELEGATE_TURN=DEL-1/AGT-001 HOME=/Users/u`,
		` 1502 Tue Dec  1 12:05:09 2026 node b.js HOME=/Users/u DELEGATE_TURN=DEL-1/AGT-001`,
		`  503 ${started} grep DELEGATE_TURN=DEL-1/AGT-001 HOME=/Users/u`,
		`  504 ${started} node d.js DELEGATE_TURN=DEL-1/AGT-0010 HOME=/Users/u`,
		`  505 ${started} node e.js DELEGATE_TURN=DEL-1/AGT-001`,
	].join('\n');
	const bare = [
		'  501 node a.js',
		' 1502 node b.js',
		'  503 grep DELEGATE_TURN=DEL-1/AGT-001',
		'  504 node d.js',
	].join('\n');
	expect(readProcessesWith('DELEGATE_TURN=DEL-1/AGT-001', all, bare)).toEqual([
		{pid: 501, startTime: started, command: 'node a.js'},
		{pid: 1502, startTime: 'Tue Dec 1 12:05:09 2026', command: 'node b.js'},
	]);
});
