import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {execa} from 'execa';
import {describe, expect, test} from 'vitest';
import {findContainment} from '../../src/lib/process/containment.ts';
import {repositoryFolder} from '../../src/supervisor/folder.ts';
import {keepNamespace} from '../../src/supervisor/requests/require-person.ts';
import {temporaryFolder} from '../helpers/repository.ts';

const containment = await findContainment();
const room = new URL('../../src/', import.meta.url);

/** Prints why a process may not decide on the repository of this state, or that it may. */
const script = (state: string): string => `
	const from = file => import(new URL(file, ${JSON.stringify(room.href)}));
	const {requireNoAgent} = await from('supervisor/requests/require-person.ts');
	const {requireNamespace} = await from('supervisor/requests/require-person.ts');
	const {repositoryFolder} = await from('supervisor/folder.ts');
	const {ownId} = await from('lib/process/process-table.ts');
	try {
		requireNoAgent({kind: 'process', pid: ownId()}, '/nowhere/state');
		requireNamespace(repositoryFolder(${JSON.stringify(state)}, 'till-0123'));
		console.log('granted');
	} catch ({message}) {
		console.log(message);
	}`;

/** Asks in a clean environment, through a command that may bring it somewhere else. */
const ask = async (state: string, ...prefix: readonly string[]): Promise<string> => {
	const [program = '', ...words] = [...prefix, process.execPath];
	const {stdout} = await execa(
		program,
		[...words, '--no-warnings', '--input-type=module', '--eval', script(state)],
		{env: {PATH: process.env.PATH}, extendEnv: false},
	);
	return stdout;
};

const own = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'];
const nested = process.geteuid?.() === 0 ? own : [...own, '--user', '--map-root-user'];

describe.runIf(containment.why.startsWith('by unshare'))('where namespaces can be made', () => {
	test('an agent’s namespace is known from within, and so is one inside of it', async () => {
		const state = temporaryFolder();
		const refusal =
			'This is for people to decide, and an agent or a command of a session asked for it.';
		expect(await ask(state, ...containment.prefix)).toBe(refusal);
		expect(await ask(state, ...containment.prefix, ...nested)).toBe(refusal);
		expect(await ask(state)).toBe('granted');
	});

	test('a repository is decided on only in the namespace in which it was supervised', async () => {
		const state = temporaryFolder();
		const folder = repositoryFolder(state, 'till-0123');
		mkdirSync(folder.path);
		await keepNamespace(folder);
		expect(await ask(state, ...nested)).toContain('was supervised in another process namespace');
		expect(await ask(state)).toBe('granted');

		const kept = JSON.parse(readFileSync(folder.namespace, 'utf8'));
		writeFileSync(folder.namespace, JSON.stringify({...kept, boot: 'one that is over'}));
		expect(await ask(state, ...nested)).toBe('granted');
		writeFileSync(folder.namespace, 'broken');
		expect(await ask(state, ...nested)).toBe('granted');
	});
});
