import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {git} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

const before = {
	'tsconfig.json':
		'{"compilerOptions": {"strict": true, "noEmit": true, "allowImportingTsExtensions": true}}',
	'src/size.ts': 'export const size = (a: number) => a;\n',
	'src/count.ts': 'export const count = (a: number) => a;\n',
};

const use = (name: string, call: string) =>
	`import {${name}} from './${name}.ts'; export const of${name} = ${call};`;

test('of two breakages that git merges one is mended by an agent and the other let be, across a killed supervisor', async () => {
	await using session = await startSession(
		{
			agents: [
				agent('edits.sh', [
					...['src/size.ts', 'export const size = (a: number, b: number) => a + b;'],
					...['src/count.ts', 'export const count = (a: number, b: number) => a + b;'],
				]),
				agent('mends.sh', [
					...['src/use.ts', use('size', 'size(1)'), use('size', 'size(1, 2)')],
					...['src/more.ts', use('count', 'count(1)')],
				]),
			],
		},
		before,
	);
	const {root} = session.project;
	await session.accept('AGT-001', 'AGT-002');
	await session.event('merge.blocked');
	const found = session.events('conflict.found');
	expect(found.map(({path}) => path)).toEqual(['src/more.ts', 'src/use.ts']);
	expect(found[1]).toMatchObject({
		type: 'API_CONFLICT',
		rule: 'A2',
		a: ['AGT-001'],
		b: ['AGT-002'],
		confirmed: {text: expect.stringContaining('TS2554')},
	});

	await session.killSupervisor();
	const shown = await session.project.run('inbox');
	expect(shown.stdout).toContain('AGT-001 and AGT-002 break each other');
	const {items}: {items: {id: string; path: string}[]} = JSON.parse(
		(await session.project.run('inbox', '--json')).stdout,
	);
	const about = (path: string) => items.find(item => item.path === path)?.id ?? '';
	const looked = await session.project.run(
		...['answer', about('src/use.ts'), 'choose-one:AGT-001', '--preview', '--json'],
	);
	expect(JSON.parse(looked.stdout)).toMatchObject({
		preview: {left: [{rule: 'A2', path: 'src/more.ts'}]},
		diff: expect.stringContaining('export const size = (a: number, b: number)'),
	});
	await session.project.run('answer', about('src/use.ts'), 'feedback:AGT-002');
	await session.accept('AGT-002');
	await session.until('a second look', () => session.events('merge.blocked')[1]);
	const sent = session.events('turn.started').filter(turn => turn.agent === 'AGT-002');
	expect(sent).toHaveLength(2);
	expect(session.state().items).toMatchObject([{kind: 'conflict', path: 'src/more.ts'}]);

	const [left] = session.state().items;
	await session.project.run('answer', left?.id ?? '', 'accept');
	const approval = await session.item('approval');
	expect(approval.title).toContain('accepted although src/more.ts breaks');
	expect(git(root, 'rev-parse', 'main')).toBe(session.state().session?.base);
	await session.approve();
	expect(git(root, 'show', 'main:src/use.ts')).toBe(use('size', 'size(1, 2)'));
	expect(git(root, 'show', 'main:src/more.ts')).toBe(use('count', 'count(1)'));
});
