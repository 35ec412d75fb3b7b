import {delimiter} from 'node:path';
import {describe, expect, test} from 'vitest';
import {inbox} from '../../src/rules/inbox.ts';
import type {Project} from '../helpers/project.ts';
import {projectAt} from '../helpers/project.ts';
import {tell, times} from './figures.ts';
import {makeMortalGit} from './mortal-git.ts';
import {collision, makeBusyProject, playScene, quiet} from './scenes.ts';
import {openScreen} from './screens.ts';
import {usualChoice} from './usual-choice.ts';

const withGit = (folder: string): Project => {
	const {root, environment} = makeBusyProject();
	return projectAt(root, {env: {PATH: `${folder}${delimiter}${environment.PATH ?? ''}`}});
};

describe('a git of a session that is killed loses nothing', () => {
	const commands = [
		'worktree',
		'update-index',
		'write-tree',
		'commit-tree',
		'update-ref',
		'merge-tree',
		'fetch',
		'merge',
	];
	const delays = [2, ...[0, 1, 3, 5, 8, 13, 21].slice(0, times({part: 0, deep: 7}))];
	const points = commands.flatMap(command => delays.map(afterMs => ({command, afterMs})));
	test.each(points)('git $command, after $afterMs ms', async ({command, afterMs}) => {
		const git = makeMortalGit(command, afterMs);
		await playScene(quiet, {project: withGit(git.folder)});
		expect(git.isDead()).toBe(true);
		tell('J, A, U, H, P', 'real kills of a git of a session', 1);
	});
});

describe('an agent that is killed loses nothing', () => {
	const moments = [
		{scene: quiet, kind: 'turn.started', number: 1},
		{scene: quiet, kind: 'turn.started', number: 2},
		{scene: quiet, kind: 'signal.said', number: 1},
		{scene: collision, kind: 'turn.started', number: 2},
	] as const;
	test.each(moments)('at $kind $number', async ({scene, kind, number}) => {
		let isKilled = false;
		await playScene(scene, {
			disturb: ({waits}) => {
				const moment = waits.events(kind)[number - 1];
				const turn = waits.events('turn.started').find(({agent}) => agent === moment?.agent);
				if (!isKilled && turn !== undefined) {
					isKilled = true;
					kill(turn.pid);
				}
			},
		});
		expect(isKilled).toBe(true);
		tell('J, A, U, H, P', 'real kills of an agent', 1);
	});
});

/** It may have ended by itself just before. */
const kill = (pid: number): void => {
	try {
		process.kill(pid, 'SIGKILL');
	} catch {
		// It is gone.
	}
};

test('a screen that is killed at every item loses nothing', async () => {
	const project = makeBusyProject();
	let killed = 0;
	await playScene(quiet, {
		project,
		choose: async (item, {waits}) => {
			const {id} = inbox(waits.state())[0] ?? item;
			using screen = openScreen(project);
			await screen.until(id);
			screen.process.kill('SIGKILL');
			await screen.exited;
			killed++;
			return usualChoice(item);
		},
	});
	expect(killed).toBeGreaterThan(3);
	tell('J, A, U, H, P', 'real kills of a screen', killed);
});
