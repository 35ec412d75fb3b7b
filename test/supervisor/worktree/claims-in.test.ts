import {join} from 'node:path';
import {expect, test} from 'vitest';
import {capture} from '../../../src/supervisor/worktree/capture.ts';
import {hear} from '../../helpers/given.ts';
import {write} from '../../helpers/repository.ts';
import {makeAtWork} from '../at-work.ts';

test('a file is looked for by whatever path its agent delivers it, as far as that leads into its worktree', async () => {
	const {world, agent, tree, begins, believe} = await makeAtWork({'readme.md': 'hello\n'});
	begins();
	write(tree, {'src/a.ts': 'a\n'});
	const named = [
		'src/a.ts',
		'./readme.md',
		join(tree, 'src/a.ts'),
		join(tree, 'src/b.ts'),
		'/etc/x',
	];
	const [signal] = hear(
		`[COMPLETION_REPORT]\nstatus: success\ndeliverables: ${JSON.stringify(named)}\n[/COMPLETION_REPORT]\n`,
	);
	believe(
		...(signal === undefined
			? []
			: [{kind: 'signal.said', agent: 'AGT-001', turn: 1, signal, offset: 0} as const]),
	);
	expect(await capture(world, agent(), 'for a test')).toMatchObject([
		{
			claims: [
				{claim: 'src/a.ts', holds: true},
				{claim: './readme.md', holds: true},
				{claim: join(tree, 'src/a.ts'), holds: true},
				{claim: join(tree, 'src/b.ts'), holds: false, found: 'missing'},
			],
		},
	]);
});
