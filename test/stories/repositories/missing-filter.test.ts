import {expect, test} from 'vitest';
import {agent} from '../../helpers/plan-file.ts';
import {startSession} from '../../helpers/session.ts';
import {madeBy} from './made-by.ts';

const lfs =
	'art/logo.psd, art/sign.psd are under the filter lfs, and its program no-such-lfs is not installed';

test('a filter whose program is missing is named before agents start, and as the cause where a merge is refused for it', async () => {
	const project = madeBy('missing-filter.sh');
	const plan = {agents: [agent('edits.sh', ['src/one.txt', 'two'])]};
	const {stdout: doctor} = await project.run('doctor');
	expect(doctor).toContain(lfs);
	expect(doctor).toContain(
		'art/door.key is under the filter vault, which your git config does not define',
	);
	await using session = await startSession(plan, project);
	const started = await session.event('session.started');
	expect(started.warnings.join('\n')).toContain(`warning: ${lfs}`);
	await session.accept('AGT-001');
	const approval = await session.item('approval');
	await session.answer(approval, 'approve');
	const refused = await session.event('merge.refused');
	expect(refused.message).toContain(
		'Git can’t tell whether your checkout is clean: the program no-such-lfs of your filter lfs is not installed',
	);
	expect(refused.hint).toContain('Install no-such-lfs');
});
