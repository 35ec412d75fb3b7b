import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {requireOutside, requirePerson} from '../../src/supervisor/requests/require-person.ts';
import {temporaryFolder} from '../helpers/repository.ts';

const session = 'DEL-20260102T030405006Z';
const refusal = expect.objectContaining({
	kind: 'refused',
	message: expect.stringContaining(session),
});

/** A state folder that knows one session. */
const makeState = (): string => {
	const state = temporaryFolder();
	mkdirSync(join(state, 'till-0123', session), {recursive: true});
	return state;
};

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

test('the environment of an agent may not decide', () => {
	const state = makeState();
	const check = (...variables: readonly string[]) => requireOutside(state, variables);
	expect(() => check('HOME=/home/ada', `DELEGATE_SESSION=${session}`)).toThrow(refusal);
	expect(() => check(`MY_DELEGATE_SESSION=${session}`)).not.toThrow();
});

test('a session that is kept elsewhere, or nowhere, is none of ours', () => {
	for (const variable of [
		`DELEGATE_SESSION=${session}`,
		'DELEGATE_SESSION=..',
		'DELEGATE_SESSION=',
	]) {
		expect(() => requireOutside(temporaryFolder(), [variable])).not.toThrow();
		expect(() => requireOutside('/nowhere', [variable])).not.toThrow();
	}

	expect(() => requireOutside(makeState(), ['DELEGATE_SESSION=..'])).not.toThrow();
});

test.runIf(process.platform === 'linux')(
	'a process is known by where it comes from, whatever its own environment is',
	async () => {
		const state = makeState();
		const [agents, persons] = [await startChild('DELEGATE_SESSION'), await startChild('OTHER')];
		expect(() => requirePerson(state, {kind: 'process', pid: agents})).toThrow(refusal);
		expect(() => requirePerson(state, {kind: 'process', pid: persons})).not.toThrow();
	},
);

test('who hides does not decide, and who can’t be known may', () => {
	expect(() => requirePerson(makeState(), {kind: 'hidden'})).toThrow(
		expect.objectContaining({kind: 'refused'}),
	);
	expect(() => requirePerson(makeState(), {kind: 'untold'})).not.toThrow();
});
