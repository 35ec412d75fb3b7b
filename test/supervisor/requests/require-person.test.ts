import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {requireNoAgent, requireUnmarked} from '../../../src/supervisor/requests/require-person.ts';
import {temporaryFolder} from '../../helpers/repository.ts';

const isLinux = process.platform === 'linux';
const session = 'DEL-20260102T030405006Z';
const refusal = expect.objectContaining({
	kind: 'refused',
	message: expect.stringContaining(session),
});

/** A folder of states in which nobody is. */
const nowhere = '/nowhere/state';

/** Starts a shell with this in its environment, and returns the id of a child of it that has none. */
const startChild = async (variable: string): Promise<number> => {
	const script = 'env -i sh -c "echo \\$\\$; read -r line" & wait';
	const child = spawn('sh', ['-c', `exec 3<&0; ${script.replace(' &', ' <&3 &')}`], {
		env: {PATH: process.env.PATH, [variable]: session},
	});
	onTestFinished(() => void child.stdin.end());
	const [line] = await once(child.stdout, 'data');
	return Number(String(line));
};

test('the environment of an agent may not decide, whichever session it is of', () => {
	const mark = `DELEGATE_SESSION=${session}`;
	expect(() => requireUnmarked(['HOME=/home/ada', mark])).toThrow(refusal);
	expect(() => requireUnmarked(['DELEGATE_SESSION=..'])).toThrow('session ..');
	expect(() => requireUnmarked([`MY_${mark}`, 'DELEGATE_SESSION='])).not.toThrow();
});

test.runIf(isLinux)(
	'a process is known by where it comes from, whatever its own environment is',
	async () => {
		const [agents, persons] = [await startChild('DELEGATE_SESSION'), await startChild('OTHER')];
		expect(() => requireNoAgent({kind: 'process', pid: agents}, nowhere)).toThrow(refusal);
		expect(() => requireNoAgent({kind: 'process', pid: persons}, nowhere)).not.toThrow();
	},
);

test.runIf(isLinux)(
	'nothing is decided by a process that comes from a folder of ours',
	async () => {
		const [state, here] = [temporaryFolder(), `${process.cwd()}/`];
		const link = join(temporaryFolder(), 'link');
		symlinkSync(state, link);
		mkdirSync(join(state, 'tree'));
		const child = spawn('sh', ['-c', `(cd '${here}' && sh -c 'echo $$; read -r line'; true)`], {
			cwd: join(state, 'tree'),
		});
		onTestFinished(() => void child.stdin.end());
		const [line] = await once(child.stdout, 'data');
		const caller = {kind: 'process', pid: Number(String(line))} as const;
		for (const [folder, decides] of [
			[state, false],
			[link, false],
			[state.slice(0, -1), true],
			[nowhere, true],
		] as const) {
			const judge = expect(() => requireNoAgent(caller, folder));
			decides ? judge.not.toThrow() : judge.toThrow(`from inside ${join(state, 'tree')}`);
		}
	},
);

test('who hides does not decide, and who can’t be known may', () => {
	expect(() => requireNoAgent({kind: 'hidden'}, nowhere)).toThrow(
		expect.objectContaining({kind: 'refused'}),
	);
	expect(() => requireNoAgent({kind: 'unknown'}, nowhere)).not.toThrow();
});
