import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {expect, onTestFinished, test} from 'vitest';
import {requirePerson, requireUnmarked} from '../../../src/supervisor/requests/require-person.ts';

const isLinux = process.platform === 'linux';
const session = 'DEL-20260102T030405006Z';
const refusal = expect.objectContaining({
	kind: 'refused',
	message: expect.stringContaining(session),
});

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
		expect(() => requirePerson({kind: 'process', pid: agents})).toThrow(refusal);
		expect(() => requirePerson({kind: 'process', pid: persons})).not.toThrow();
	},
);

test('who hides does not decide, and who can’t be known may', () => {
	expect(() => requirePerson({kind: 'hidden'})).toThrow(expect.objectContaining({kind: 'refused'}));
	expect(() => requirePerson({kind: 'unknown'})).not.toThrow();
});
