import {expect, test} from 'vitest';
import {agent, scripted} from '../helpers/plan-file.ts';
import {git} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

const readOnly = {scope: {allowed: []}};

test('an agent that may only read is refused what it asks to write, and what it writes unasked is reverted', async () => {
	await using session = await startSession({
		agents: [
			scripted({steps: [{write: {path: 'src/asked.txt', text: 'a\n'}}, {complete: {}}]}, readOnly),
			agent('writes.sh', ['src/unasked.txt'], readOnly),
		],
	});
	const left = async (id: string) => session.event('scope.left', ({agent: who}) => who === id);
	expect(await left('AGT-001')).toMatchObject({
		path: 'src/asked.txt',
		change: 'refused',
		why: 'not allowed',
	});
	expect(await left('AGT-002')).toMatchObject({
		path: 'src/unasked.txt',
		change: 'added',
		why: 'not allowed',
	});
	await session.accept('AGT-001', 'AGT-002');
	const before = git(session.project.root, 'rev-parse', 'main^{tree}');
	await session.approve();
	expect(git(session.project.root, 'rev-parse', 'main^{tree}')).toBe(before);
	expect(session.state().agents.map(({snapshots}) => snapshots.at(-1)?.files)).toEqual([0, 0]);
});
