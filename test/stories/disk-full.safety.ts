import {rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {execa} from 'execa';
import {expect, onTestFinished, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {makeProject, projectAt} from '../helpers/project.ts';
import {temporaryFolder} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

const mounting = await execa('unshare', ['--mount', 'true'], {reject: false});

test.runIf(mounting.exitCode === 0)(
	'on a full disk agents are paused, and go on by themselves (needs the right to mount)',
	async () => {
		const {root} = makeProject();
		const folder = temporaryFolder();
		await execa('mount', ['-t', 'tmpfs', '-o', 'size=290m', 'tmpfs', folder]);
		onTestFinished(async () => {
			await execa('umount', ['--lazy', folder]);
		});
		const project = projectAt(root, {aside: folder});
		const sign = join(project.aside, 'sign');
		await using session = await startSession(
			{agents: [agent('waits-for.sh', ['src/a.txt', sign])]},
			project,
		);
		await session.event('signal.said');
		await session.event(
			'machine.changed',
			change => change.what === 'disk' && change.level === 'low',
		);
		const ballast = join(folder, 'ballast');
		await execa('fallocate', ['--length', '40MiB', ballast]);
		await session.event('turn.changed', ({to}) => to === 'paused');
		writeFileSync(sign, '');
		const {stdout} = await project.run('status');
		expect(stdout).toMatch(/MiB left on the disk of .*: agents are paused/);
		expect(session.events('turn.ended')).toEqual([]);

		rmSync(ballast);
		await session.event('turn.changed', ({to}) => to === 'going');
		await session.accept('AGT-001');
		await session.approve();
	},
);
