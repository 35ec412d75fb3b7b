import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {inMarkdown} from '../../src/lib/text/in-markdown.ts';
import {git} from '../helpers/repository.ts';
import {shared, startCollision} from './collision.ts';

test('of two colliding agents one side is chosen for the file, and both are merged', async () => {
	const {session: started, conflict} = await startCollision({
		'.delegate-tui.yaml': 'docs: true\n',
	});
	await using session = started;
	expect(conflict.title).toContain(`AGT-001 and AGT-002 collide in ${shared}`);
	// Whom else one could ask depends on what is installed here.
	const choices = conflict.choices.map(({choice}) => choice);
	expect(choices.filter(choice => !choice.startsWith('arbiter:'))).toEqual([
		'choose-one:AGT-001',
		'choose-one:AGT-002',
		'manual',
		'sequential:AGT-001,AGT-002',
		'sequential:AGT-002,AGT-001',
		'redo:AGT-001,AGT-002',
		'redo:AGT-002,AGT-001',
		'abort:AGT-001',
		'abort:AGT-002',
	]);

	await session.answer(conflict, 'choose-one:AGT-002');
	const approval = await session.item('approval');
	const lost = `without what AGT-001 changed in ${shared}`;
	const note = `Left out: what AGT-001 changed in ${shared}, since the side of AGT-002 was taken there.`;
	expect(approval.title).toContain(`, ${lost})`);
	expect(approval).toMatchObject({notes: [note]});
	await session.approve();
	const {root} = session.project;
	expect((await session.project.run('report')).stdout).toContain(`, not checked, ${lost}`);
	expect((await session.project.run('log')).stdout).toContain(
		`AGT-001  COMPLETE → MERGED: its work was merged, ${lost}`,
	);
	expect(git(root, 'log', '-1', '--format=%B', 'main')).toContain(`- ${note}`);
	await expect
		.poll(() => readFileSync(join(root, 'docs/01_progress.md'), 'utf8'))
		.toContain(`- ${inMarkdown(note)}`);
	await expect
		.poll(() => readFileSync(join(root, 'docs/logs/delegation_registry.md'), 'utf8'))
		.toMatch(new RegExp(`AGT-001 .*${lost}`));
	expect(git(root, 'show', `main:${shared}`)).toBe('right');
	expect(git(root, 'show', 'main:src/left.txt')).toBe('left');
	expect(session.state().agents.map(({state}) => state)).toEqual(['MERGED', 'MERGED']);
});
