import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import type {SurvivingProcess} from '../../src/events/kinds/machine-event.ts';
import {findContainment} from '../../src/lib/process/containment.ts';
import {agent} from '../helpers/plan-file.ts';
import {afterAllWith, processesWith} from '../helpers/processes-with.ts';
import {makeProject, projectAt} from '../helpers/project.ts';
import {type Session, startSession} from '../helpers/session.ts';

const inNamespace = test.runIf((await findContainment()).level === 'namespace');

inNamespace('a daemon that an agent leaves behind ends with its turn', async () => {
	const project = makeProject();
	const sign = join(project.aside, 'here');
	await using session = await startSession(
		{agents: [agent('leaves-daemon.sh', ['src/a.txt', sign])]},
		project,
	);
	const review = await session.item('review', 'AGT-001');
	expect(review.agent).toBe('AGT-001');
	expect(processesWith(sign)).toEqual([]);
	const {stdout} = await project.run('status', '--json');
	expect(JSON.parse(stdout)).toMatchObject({sandbox: {level: 'processes'}, notices: []});
	const text = await project.run('status');
	expect(text.stdout).toContain('Sandbox: files not protected');
});

inNamespace('when its supervisor is killed, an agent dies with it, and its daemon', async () => {
	const project = makeProject();
	const sign = join(project.aside, 'here');
	await using session = await startSession(
		{agents: [agent('leaves-daemon.sh', ['src/a.txt', sign, 'hang'])]},
		project,
	);
	await session.event('signal.said');
	expect(processesWith(sign).length).toBeGreaterThan(0);
	await session.killSupervisor();
	expect(await afterAllWith(sign)).toEqual([]);

	await project.run('status');
	const second = await session.event('supervisor.started', ({found}) => found !== undefined);
	expect(second.found).toEqual({
		lost: [{agent: 'AGT-001', snapshot: null}],
		interrupted: [],
		ended: [],
	});
	const {stdout} = await project.run('status', '--json');
	expect(JSON.parse(stdout).notices).toEqual([
		{
			level: 'info',
			text: 'The supervisor ended and was started again: AGT-001 resumes from its worktree.',
		},
	]);
	await session.item('review', 'AGT-001');
});

test.runIf(process.platform === 'linux')(
	'without a namespace a process that nobody can be sure of is left alone and shown, until it is gone',
	async () => {
		const made = makeProject();
		const sign = join(made.aside, 'here');
		const project = projectAt(made.root, {env: {DELEGATE_TUI_PROCESSES: 'groups'}});
		await using session = await startSession(
			{agents: [agent('leaves-guest.sh', ['src/a.txt', sign])]},
			project,
		);
		onTestFinished(() => endAll(sign));
		const left = (await survivors(session, ({length}) => length > 0)).find(({command}) =>
			command.includes(sign),
		);
		expect(processesWith(sign)).toContain(left?.pid);
		const {stdout} = await project.run('status', '--json');
		expect(JSON.parse(stdout)).toMatchObject({
			sandbox: {level: 'none', why: expect.stringContaining('turned off')},
			notices: expect.arrayContaining([
				{
					level: 'warn',
					text: `AGT-001 left a process that still runs: ${left?.pid} ${left?.command}`,
				},
			]),
		});

		endAll(sign);
		await survivors(session, ({length}) => length === 0);
		expect(JSON.parse((await project.run('status', '--json')).stdout).notices).toEqual([]);
	},
);

/** Waits until the journal names survivors, or none any more. */
const survivors = async (
	session: Session,
	matches: (processes: readonly SurvivingProcess[]) => boolean,
): Promise<readonly SurvivingProcess[]> => {
	const change = await session.event('machine.survivors', ({processes}) => matches(processes));
	return change.processes;
};

const endAll = (sign: string): void => {
	for (const pid of processesWith(sign)) {
		process.kill(pid, 'SIGKILL');
	}
};
