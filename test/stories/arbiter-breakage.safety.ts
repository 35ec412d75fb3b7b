import {expect, test} from 'vitest';
import {agent, nameProgram} from '../helpers/plan-file.ts';
import {git} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

test('what breaks although git merges it is mended by a neutral agent, and one that is not wanted any more is stopped', async () => {
	const use = (call: string) => `import {size} from './size.ts'; export const one = ${call};`;
	await using session = await startSession(
		{
			agents: [
				agent('edits.sh', ['src/size.ts', 'export const size = (a: number, b: number) => a + b;']),
				agent('edits.sh', ['src/use.ts', use('size(1)')]),
			],
		},
		{
			'tsconfig.json':
				'{"compilerOptions": {"strict": true, "noEmit": true, "allowImportingTsExtensions": true}}',
			'src/size.ts': 'export const size = (a: number) => a;\n',
			'src/use.ts': 'export {};\n',
		},
	);
	await session.accept('AGT-001', 'AGT-002');
	const conflict = await session.item('conflict');
	nameProgram(session.project, 'sleeper', 'asks-then-hangs.sh');
	await session.answer(conflict, 'arbiter:sleeper');
	const is = (number: number, what: string) =>
		session.until(what, () => {
			const {state, turn} = session.state().agents[number] ?? {};
			return [state, turn?.phase].find(one => one === what);
		});
	await is(2, 'live');
	const second = await session.project.run('answer', conflict.id, 'arbiter:AGT-001');
	expect(second.stderr).toContain('AGT-003 was asked already; choose drop:AGT-003 before');
	await session.answer(conflict, 'drop:AGT-003');
	await is(2, 'ABORTED');

	await session.killSupervisor();
	nameProgram(session.project, 'judge', 'edits.sh', ['src/use.ts', use('size(1, 2)')]);
	await session.answer(conflict, 'arbiter:judge');
	await is(3, 'COMPLETE');
	await session.answer(conflict, 'take:AGT-004');
	await session.approve();
	expect(git(session.project.root, 'show', 'main:src/use.ts')).toBe(use('size(1, 2)'));
});
