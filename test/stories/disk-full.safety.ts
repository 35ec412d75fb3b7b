import {existsSync, readFileSync, rmSync, statfsSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {execa} from 'execa';
import {expect, onTestFinished, test} from 'vitest';
import {markedProcesses} from '../helpers/marked-processes.ts';
import {agent} from '../helpers/plan-file.ts';
import {statesOf} from '../helpers/process-states.ts';
import {makeProject, projectAt} from '../helpers/project.ts';
import {temporaryFolder} from '../helpers/repository.ts';
import {type Session, startSession} from '../helpers/session.ts';

const mounting = await execa('unshare', ['--mount', 'true'], {reject: false});
const canMount = mounting.exitCode === 0;

/** A project whose state is on a disk that is low, and how to fill it and to make room again. */
const makeSmall = async () => {
	const {root} = makeProject();
	const folder = temporaryFolder();
	await execa('mount', ['-t', 'tmpfs', '-o', 'size=290m', 'tmpfs', folder]);
	onTestFinished(async () => {
		await execa('umount', ['--lazy', folder]);
	});
	const project = projectAt(root, {aside: folder});
	const [ballast, rest] = [join(folder, 'ballast'), join(folder, 'rest')];
	return {
		project,
		fill: () => execa('fallocate', ['--length', '40MiB', ballast]),
		/** As others may who share the disk: what is left is for a few lines of the journal. */
		fillWhole: () => {
			const {bavail, bsize} = statfsSync(folder);
			return execa('fallocate', ['--length', `${(bavail - 20) * bsize}`, rest]);
		},
		makeRoom: () => {
			rmSync(ballast);
			rmSync(rest, {force: true});
		},
	};
};

const diskIs = (session: Session, wanted: string) =>
	session.until(`the disk to be ${wanted}`, ({state}) => state.disk?.level === wanted || undefined);

test.runIf(canMount)(
	'on a full disk agents are paused, so that none loses what it writes, and go on by themselves (needs the right to mount)',
	async () => {
		const {project, fill, fillWhole, makeRoom} = await makeSmall();
		const [first, last] = [join(project.aside, 'first'), join(project.aside, 'last')];
		await using session = await startSession(
			{agents: [agent('rewrites.sh', ['src/a.txt', first, last])]},
			project,
		);
		await session.event('signal.said');
		await diskIs(session, 'low');
		await fill();
		await session.event('turn.changed', ({to}) => to === 'paused');
		await fillWhole();
		writeFileSync(first, '');
		const {stdout} = await project.run('status');
		expect(stdout).toMatch(/MiB left on the disk of .*: agents and commands are paused/);
		expect(session.events('signal.said')).toHaveLength(1);

		makeRoom();
		await session.event('turn.changed', ({to}) => to === 'going');
		await session.until('the first sign seen', () => session.events('signal.said')[1]);
		// Only now: one that is done may be over before it is told that it goes on.
		writeFileSync(last, '');
		await session.accept('AGT-001');
		await session.approve();
		const merged = readFileSync(join(project.root, 'src/a.txt'), 'utf8');
		expect(merged.endsWith('\n100000\n'), 'all that it wrote is merged').toBe(true);
	},
);

/** Whether a command of the plan is at work, with all that it has started now; what it starts may end just before it stands still. */
const standStill = ({id}: Session): boolean => {
	const all = markedProcesses(`DELEGATE_COMMANDS=${id}`).map(({pid}) => pid);
	return all.length > 0 && statesOf(all).every(state => state === 'T');
};

/** A command that says that it has begun, and ends when it is given a sign. */
const waitsFor = (begun: string, sign: string): string =>
	`touch ${begun}; while [ ! -e ${sign} ]; do sleep 0.05; done`;

test.runIf(canMount)(
	'on a full disk `setup` and the checks stand still, and go on by themselves (needs the right to mount)',
	async () => {
		const {project, fill, makeRoom} = await makeSmall();
		const [setUp, checked] = [join(project.aside, 'setup'), join(project.aside, 'check')];
		await using session = await startSession(
			{
				agents: [agent('edits.sh', ['src/a.txt', 'a'])],
				setup: [`[ -e ${setUp}.sign ] || { ${waitsFor(setUp, `${setUp}.sign`)}; }`],
				verify: [waitsFor(checked, `${checked}.sign`)],
			},
			project,
		);
		/** Fills the disk while a command runs, and makes room again. */
		const standsStill = async (begun: string): Promise<void> => {
			await expect.poll(() => existsSync(begun)).toBe(true);
			await diskIs(session, 'low');
			await fill();
			await diskIs(session, 'full');
			await expect.poll(() => standStill(session)).toBe(true);
			writeFileSync(`${begun}.sign`, '');
			makeRoom();
			await diskIs(session, 'low');
		};

		await standsStill(setUp);
		await session.event('workspace.prepared');
		await session.accept('AGT-001');
		await standsStill(checked);
		await session.approve();
	},
);
