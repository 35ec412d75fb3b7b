import {describe, expect, test} from 'vitest';
import {inbox} from '../../src/rules/inbox.ts';
import {openProgram} from '../helpers/terminal.ts';
import type {EventOf} from '../helpers/waits.ts';
import {tell, times} from './figures.ts';
import {makeKillingGitProject} from './killing-git-project.ts';
import {hanging, hangingLater} from './rare-scenes.ts';
import {live, makeBusyProject, playScene, quiet} from './scenes.ts';
import {usualChoice} from './usual-choice.ts';

/** The delays of the tries until one has struck: a git may be done before, but not one that dies as it begins. */
const shares = [1, 0.5, 0];

describe('a git of a session that is killed loses nothing', () => {
	const commands = [
		'worktree',
		'update-index',
		'write-tree',
		'commit-tree',
		'update-ref',
		'merge-tree',
		'fetch',
		'checkout',
	];
	const delays = [2, ...[0, 1, 3, 5, 8, 13, 21].slice(0, times({part: 0, deep: 7}))];
	const points = commands.flatMap(command => delays.map(afterMs => ({command, afterMs})));
	test.each(points)('git $command, after $afterMs ms', async ({command, afterMs}) => {
		let struck = 0;
		for (const share of shares) {
			if (struck === 0) {
				const {git, project} = makeKillingGitProject();
				git.arm(command, share * afterMs);
				await playScene(quiet, {project});
				struck = git.struck();
			}
		}

		// Two agents may each have one at work.
		expect(struck).toBeGreaterThan(0);
		tell('J, A, U, H, P', 'real kills of a git of a session', struck);
	});
});

describe('an agent that is killed loses nothing', () => {
	/** Moments at which the agent surely lives: it waits, or hangs for good. */
	const moments = [
		{scene: hanging, agent: 'AGT-001', kind: 'signal.said', number: 1, when: 'in its first turn'},
		{
			scene: hangingLater,
			agent: 'AGT-001',
			kind: 'signal.said',
			number: 2,
			when: 'after an answer',
		},
		{
			scene: live,
			agent: 'AGT-001',
			kind: 'signal.said',
			number: 1,
			when: 'as it waits for an answer',
		},
		{
			scene: live,
			agent: 'AGT-002',
			kind: 'permission.asked',
			number: 1,
			when: 'as it waits for a permission',
		},
	] as const;
	test.each(moments)('$when', async ({scene, agent: id, kind, number}) => {
		let victim: EventOf<'turn.started'> | undefined;
		const {seen} = await playScene(scene, {
			disturb: ({waits}) => {
				const moment = waits.events(kind).filter(({agent}) => agent === id)[number - 1];
				if (victim === undefined && moment !== undefined) {
					victim = waits.events('turn.started').findLast(({agent}) => agent === id);
					process.kill(victim?.pid ?? Number.NaN, 'SIGKILL');
				}
			},
		});
		const ends = seen.filter(event => event.kind === 'turn.ended');
		const end = ends.find(({agent, turn}) => agent === id && turn === victim?.turn);
		expect(end?.end).toEqual({by: 'signal', signal: 'SIGKILL'});
		tell('J, A, U, H, P', 'real kills of an agent', 1);
	});
});

test('a screen that is killed at every item loses nothing', async () => {
	const project = makeBusyProject();
	let killed = 0;
	await playScene(quiet, {
		project,
		choose: async (item, {waits}) => {
			const {id} = inbox(waits.state())[0] ?? item;
			using screen = openProgram(project);
			await screen.until(id);
			process.kill(screen.process.pid, 'SIGKILL');
			await screen.exited;
			killed++;
			return usualChoice(item);
		},
	});
	expect(killed).toBeGreaterThan(3);
	tell('J, A, U, H, P', 'real kills of a screen', killed);
});
