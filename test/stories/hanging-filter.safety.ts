import {once} from 'node:events';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {execa} from 'execa';
import {expect, test} from 'vitest';
import {withoutBase} from '../helpers/busy-checkout.ts';
import {agent} from '../helpers/plan-file.ts';
import {makeProject, program} from '../helpers/project.ts';
import {git, script} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

test('a filter of the person’s that hangs is told wherever they look, and can be ended by them', async () => {
	const project = makeProject({'.gitattributes': '*.txt filter=own\n', 'src/shared.txt': 'base\n'});
	const {root} = project;
	const filter = join(root, '.git/filter');
	script(filter, 'exec sleep 1000');
	git(root, 'config', 'filter.own.smudge', filter);
	git(root, 'config', 'filter.own.clean', 'cat');
	git(root, 'config', 'filter.own.required', 'true');
	await using session = await startSession(
		{agents: [agent('edits.sh', ['src/shared.txt', 'merged'])]},
		project,
	);
	await session.accept('AGT-001');
	const before = withoutBase(root);
	const answered = session.tryAnswer(await session.item('approval'), 'approve');
	// On a slow machine a git that waits for nothing may be told before.
	const {pid} = await session.until('the filter to be told', ({state: {waiting}}) =>
		waiting?.program?.command.startsWith('sleep') ? waiting.program : undefined,
	);
	expect((await project.run('status')).stdout).toContain(
		`git checkout-index waits for "sleep 1000" (process ${pid}), which`,
	);
	process.kill(pid);
	expect(await session.event('merge.refused')).toMatchObject({
		cause: 'other',
		message: expect.stringContaining('can’t write the files of the merge'),
	});
	expect(await answered).toMatchObject({
		code: 1,
		stderr: expect.stringContaining('waits for "sleep 1000"'),
	});
	expect(withoutBase(root)).toEqual(before);
	expect((await project.run('status')).stdout).not.toContain('sleep 1000');

	script(filter, 'exec cat');
	await session.approve();
	expect(git(root, 'status', '--porcelain')).toBe('');

	script(filter, 'exec sleep 1000');
	const options = {cwd: root, env: project.environment, extendEnv: false, reject: false} as const;
	const undoing = execa(process.execPath, [program, 'undo', '--yes'], options);
	const [told] = await once(createInterface({input: undoing.stderr}), 'line');
	expect(told).toContain('git checkout-index waits for "sleep 1000"');
	process.kill(Number(/process (\d+)/.exec(told)?.[1]));
	const {exitCode, stderr} = await undoing;
	expect(exitCode).toBe(1);
	expect(stderr).toContain('can’t write the files of the undo');
	expect(git(root, 'status', '--porcelain')).toBe('');
});
